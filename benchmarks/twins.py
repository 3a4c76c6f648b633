"""What twins and other inputs cost, proving and grading: `python -m benchmarks.twins [ORIGIN [LIMIT]]`.

One sample's tasks, or those of its newest pull requests, are mined once and proven twice, one task at a time. Then the
reference of each is graded with all that its proof found, with its twins alone, and with neither, in turn.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from operator import add
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.table import Table

from benchmarks.validation import SAMPLE, mine_drafts, prove_drafts
from crucible import parts
from crucible.domains.code.suite import SuiteParams
from crucible.judging.cascade import Judging, judge
from crucible.model import Agent, Task, Trajectory
from crucible.running.run import open_run
from crucible.settings import Settings
from crucible.stages.attempt import attempt
from crucible.stages.services import open_services
from crucible.stages.validate import PROBE_STOPS

ROUNDS = 3
"""How often each reference is graded with twins and without."""
LARGEST_GRADING, LARGEST_PROOF = 1.6, 1.3
"""The most that twins may cost, as a multiple of the same without them."""


async def main(origin: str = SAMPLE, limit: str = "") -> None:
    parts.find("env", "docker")
    table = Table("what", "with twins", "without", "ratio", "wanted", box=None)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        await mine_drafts(folder / "with", origin, int(limit) if limit else None)
        shutil.copytree(folder / "with", folder / "without")
        with no_settling():
            plain = await prove_drafts(folder / "without", boxes=1)
        proof = await prove_drafts(folder / "with", boxes=1)
        add_row(table, f"proving {len(proof.tasks)} tasks", proof.whole, plain.whole, LARGEST_PROOF)
        tasks = [task for task in proof.tasks if count_twins(task)]
        seconds, twins_alone, without = await grade_references(folder / "with", tasks)
        add_row(table, f"grading {len(tasks)} references, with twins", twins_alone, without, LARGEST_GRADING)
        table.add_row("the same, with other inputs, too", f"{seconds:.1f} s", "", f"{seconds / without:.2f}", "")
    judged_by_suite = sum(has_suite(task) for task in proof.tasks)
    table.add_row(
        "tasks with twins", str(len(tasks)), str(judged_by_suite), f"{len(tasks) / judged_by_suite:.2f}", ">0.9"
    )
    Console().print(table)


def add_row(table: Table, what: str, seconds: float, plain: float, most: float) -> None:
    table.add_row(what, f"{seconds:.1f} s", f"{plain:.1f} s", f"{seconds / plain:.2f}", f"<{most}")


@contextmanager
def no_settling() -> Iterator[None]:
    """Within the block, a proof looks for no twins, and for no other inputs."""
    part = parts.find("verifier", "suite")
    key = ("verifier", part.name)
    parts._known[key] = replace(part, settle=None)
    try:
        yield
    finally:
        parts._known[key] = part


def has_suite(task: Task) -> bool:
    """Whether the task's own tests judge it."""
    return any(check.verifier == "suite" for check in task.checks)


def count_twins(task: Task) -> int:
    """How many alterations of its tests a task knows."""
    suites = [check.params for check in task.checks if check.verifier == "suite"]
    return sum(len(SuiteParams.model_validate(params).twins) for params in suites)


async def grade_references(home: Path, tasks: list[Task]) -> tuple[float, float, float]:
    """The seconds that grading the tasks' references takes with twins and other inputs, with twins alone and with
    neither: the sums of medians."""
    sums = (0.0, 0.0, 0.0)
    with open_run(Settings(home=home)) as run:
        async with open_services(run) as opened:
            for task in tasks:
                world = await opened.world(task.env.name)
                judging = Judging(world, run.blobs, opened)
                oracle = Agent(scaffold="native", teacher="oracle")
                teacher = await opened.teacher("oracle")
                work = await attempt(task, oracle, teacher, world, run.blobs, PROBE_STOPS, opened)
                forms = (task, drop_found(task, "siblings"), drop_found(task, "siblings", "twins"))
                rounds = [[await grade(form, work, judging) for form in forms] for _ in range(ROUNDS)]
                sums = tuple(map(add, sums, map(median, zip(*rounds, strict=True))))
    return sums


def drop_found(task: Task, *names: str) -> Task:
    """The task without what its proof found under these names."""
    checks = tuple(
        check.model_copy(update={"params": {**check.params, **{name: [] for name in names}}})
        if check.verifier == "suite"
        else check
        for check in task.checks
    )
    return task.model_copy(update={"checks": checks})


async def grade(task: Task, work: Trajectory, judging: Judging) -> float:
    """The seconds of one grading, which must pass."""
    started = time.perf_counter()
    async for verdict in judge(task, work, judging):
        assert verdict.outcome == "pass", verdict.detail
    return time.perf_counter() - started


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
