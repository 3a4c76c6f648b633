"""What proving tasks costs beside their test runs, and a task's room on the disk: `python -m benchmarks.validation`.

Overhead is the share of `crucible validate`'s seconds on the wall clock in which no test run is under way. A test run
is a command that starts a test framework, or one turn of work that is timed, from its start to its end. All else is
ours: boxes opened and removed, patches laid, code built, reports read, agents and cheats played, rows written. The
drafts are mined and their images built before the clock starts.

Two rows are of a sample whose whole suite takes less than a second: one task at a time, where only what happens while
that task's own tests run is not counted, which is the strictest measure; and two at a time, as is the default, where a
second in which either one's tests run is not lost. The third is of the same repository with tests that compute for
some seconds, as an ordinary library's do.
"""

from __future__ import annotations

import asyncio
import re
import shutil
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from crucible import parts
from crucible.model import Task
from crucible.record import Record
from crucible.running.run import open_run
from crucible.sandbox import Done
from crucible.settings import LimitSettings, Settings
from crucible.stages.mine import mine
from crucible.stages.validate import validate
from crucible.store.lookup import list_items
from envs.docker.box import Box

TEST_RUN = re.compile(r"^(?!umask)(?s:.*?)/tmp/[0-9a-f]{24}/report\b|; times; exit \$code")
"""How the commands of `suite.py` and `timing.py` in `crucible/domains/code` look: nothing else does, but what makes the
pipes of a report begins with `umask`."""
# matches: ... --junitxml=/tmp/0123456789abcdef01234567/report tests    and: ...; times; exit $code
SAMPLE = "sample_data/swe/shelf"
"""The sample whose tasks are proven unless another origin is named."""
LONG_TESTS = """import pytest

from shelf.isbn import is_valid


@pytest.mark.parametrize("group", range(10))
def test_numbers_whose_weighted_sum_divides_are_valid(group):
    first = group * 10**8
    found = [
        n
        for n in range(first, first + 1_000_000)
        if (
            n % 10 + n // 10 % 10 * 2 + n // 10**2 % 10 * 3 + n // 10**3 % 10 * 4 + n // 10**4 % 10 * 5
            + n // 10**5 % 10 * 6 + n // 10**6 % 10 * 7 + n // 10**7 % 10 * 8 + n // 10**8 % 10 * 9
        ) % 11 == 0
    ]
    assert all(is_valid(f"{n:010d}") for n in found[:100])
"""


class Proof(Record):
    """One run of `validate`: its seconds, those in which tests ran, how many runs there were, and its tasks."""

    whole: float
    testing: float
    runs: int
    tasks: tuple[Task, ...]


async def main(origin: str) -> None:
    parts.find("env", "docker")
    table = Table("what", "beside the tests", "against", "", "ratio", "wanted", box=None)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        await mine_drafts(folder / "small", origin)
        shutil.copytree(folder / "small", folder / "again")
        proof = await prove_drafts(folder / "small", boxes=1)
        add_row(table, "one at a time", proof)
        add_row(table, "two at a time", await prove_drafts(folder / "again", boxes=2))
        if origin == SAMPLE:
            await mine_drafts(folder / "long", lengthen_sample(folder / "shelf"), limit=1)
            add_row(table, "suite of seconds, one at a time", await prove_drafts(folder / "long", boxes=1))
        size = sum(path.stat().st_size for path in (folder / "small").rglob("*") if path.is_file())
    images = len({task.env.recipe.model_dump_json() for task in proof.tasks})
    table.add_row("disk for a task", f"{size / len(proof.tasks) / 1e6:.2f} MB", "", "", "", "<2 MB")
    table.add_row(
        "images", str(images), "tasks", str(len(proof.tasks)), "", "one for all that share their dependencies"
    )
    Console().print(table)


def add_row(table: Table, what: str, proof: Proof) -> None:
    ours = proof.whole - proof.testing
    against = f"{len(proof.tasks)} tasks, {proof.runs} test runs of {proof.testing / proof.runs:.1f} s"
    ratio = f"{ours / proof.whole:.2f}"
    table.add_row(what, f"{ours:.1f} s", against, f"{proof.whole:.1f} s", ratio, "<0.25")


def lengthen_sample(folder: Path) -> str:
    """Copy the sample into a folder and add tests that take seconds; returns the folder."""
    shutil.copytree(SAMPLE, folder)
    (folder / "base" / "tests" / "test_groups.py").write_text(LONG_TESTS, encoding="utf-8")
    return str(folder)


async def mine_drafts(home: Path, origin: str, limit: int | None = None) -> None:
    """Mine the origin's newest pull requests into drafts, in a home of their own."""
    with open_run(Settings(home=home)) as run:
        await mine(run, "swe", origin, limit)


async def prove_drafts(home: Path, boxes: int) -> Proof:
    """Prove the drafts of a home, with so many boxes at once."""
    with open_run(Settings(home=home, limits=LimitSettings(boxes=boxes))) as run:
        async with record_test_runs() as spans:
            started = time.perf_counter()
            await validate(run)
            whole = time.perf_counter() - started
        tasks = tuple(item.record(Task) for item in list_items(run.ledger, "task"))
    return Proof(whole=whole, testing=covered_seconds(spans), runs=len(spans), tasks=tasks)


@asynccontextmanager
async def record_test_runs() -> AsyncIterator[list[tuple[float, float]]]:
    """Within the block, collect when each test run in a box begins and ends."""
    spans: list[tuple[float, float]] = []
    plain = Box.exec

    async def timed(self: Box, command: str, **options: Any) -> Done:
        began = time.perf_counter()
        done = await plain(self, command, **options)
        if TEST_RUN.search(command):
            spans.append((began, time.perf_counter()))
        return done

    Box.exec = timed  # type: ignore[method-assign]
    try:
        yield spans
    finally:
        Box.exec = plain  # type: ignore[method-assign]


def covered_seconds(spans: Iterable[tuple[float, float]]) -> float:
    """Seconds that at least one of the spans covers."""
    covered, last = 0.0, float("-inf")
    for began, ended in sorted(spans):
        covered += max(0.0, ended - max(began, last))
        last = max(last, ended)
    return covered


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else SAMPLE))
