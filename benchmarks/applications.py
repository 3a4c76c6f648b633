"""What judging applications costs: `python -m benchmarks.applications [COUNT] [AT_ONCE]`.

One small static application of the samples is judged by all rules: alone, layer by layer; then COUNT times one after
the other, and COUNT times with AT_ONCE judgements under way. Wanted: under six seconds for one, 1.7 times the
throughput for many. How long one keeps a processor of the machine busy, all its boxes and the engine taken together,
tells what many could reach at most. What they keep in memory is measured by `benchmarks.application_memory`.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from crucible.judging.cascade import Judging, judge
from crucible.mining import MiningContext
from crucible.model import Agent, Task, Trajectory, Verdict
from crucible.running.run import open_run
from crucible.settings import DockerSettings, Settings
from crucible.stages.attempt import attempt
from crucible.stages.services import OpenServices, open_services
from pipelines.appdev.source import read_sample
from pipelines.appdev.stages import write_task
from services.browser.settings import BrowserSettings

SAMPLES = Path("sample_data/appdev")
PROCESSORS = Path("/proc/stat")


async def main(count: int = 50, at_once: int = 4) -> None:
    """Judge, and print what it took."""
    browsers = BrowserSettings(boxes=at_once)
    settings = Settings(home=Path(tempfile.mkdtemp()), docker=DockerSettings(), sections={"browser": browsers})
    with open_run(settings) as run:
        async with open_services(run) as services:
            task, made = await attempt_sample(services)
            judging = Judging(await services.world("docker"), run.blobs, services)
            await judge_once(task, made, judging)  # images are made, caches filled
            started = time.perf_counter()
            verdicts = await judge_once(task, made, judging)
            alone = time.perf_counter() - started
            before = read_busy_seconds()
            slow = await judge_many(task, made, judging, count, 1)
            busy = read_busy_seconds() - before
            fast = await judge_many(task, made, judging, count, at_once)
    show(verdicts, alone, slow / count, busy / count, fast / count, at_once)


async def attempt_sample(services: OpenServices) -> tuple[Task, Trajectory]:
    """A small page with five workflows, and the authored good attempt at it."""
    world = await services.world("docker")
    (task,) = await write_task(read_sample(SAMPLES / "apps/03-task-page"), MiningContext(world, services.run.blobs))
    script = str(SAMPLES / "attempts/task-page-1.good.toml")
    agent = Agent(scaffold="native", teacher="scripted", options={"script": script})
    teacher = await services.teacher("scripted")
    return task, await attempt(task, agent, teacher, world, services.run.blobs, services=services)


async def judge_once(task: Task, made: Trajectory, judging: Judging) -> list[Verdict]:
    """All verdicts on the attempt; it must pass."""
    verdicts = [verdict async for verdict in judge(task, made, judging)]
    assert {verdict.outcome for verdict in verdicts} == {"pass"}, [verdict.detail for verdict in verdicts]
    return verdicts


async def judge_many(task: Task, made: Trajectory, judging: Judging, count: int, at_once: int) -> float:
    """The seconds that so many judgements take, with so many under way."""
    slots = asyncio.Semaphore(at_once)

    async def judge_in_turn() -> None:
        async with slots:
            await judge_once(task, made, judging)

    started = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for _ in range(count):
            group.create_task(judge_in_turn())
    return time.perf_counter() - started


def read_busy_seconds() -> float:
    """The processor time that the whole machine has spent since it began."""
    user, nice, system, _idle, _waiting, *interrupts = map(int, PROCESSORS.read_text().split()[1:8])
    return (user + nice + system + sum(interrupts)) / os.sysconf("SC_CLK_TCK")


def show(verdicts: list[Verdict], alone: float, slow: float, busy: float, fast: float, at_once: int) -> None:
    """Print what it took."""
    table = Table("what", "measured", "wanted", box=None)
    layers = ", ".join(f"{verdict.verifier} {verdict.seconds:.1f}" for verdict in verdicts)
    table.add_row("one application, alone", f"{alone:.1f} s ({layers})", "6 s")
    table.add_row("one after the other", f"{slow:.1f} s each", "")
    most = slow * (os.cpu_count() or 1) / busy
    table.add_row("", f"{busy:.1f} s of processor time each: {most:.2f} times the throughput is the most", "")
    table.add_row(f"{at_once} at once", f"{fast:.1f} s each, {slow / fast:.2f} times the throughput", "1.7")
    Console().print(table)


if __name__ == "__main__":
    asyncio.run(main(*map(int, sys.argv[1:3])))
