"""Whether judging applications holds on to memory.

    python -m benchmarks.application_memory [COUNT] [MINUTES] [AT_ONCE]

One small static application of the samples is judged COUNT times by all rules, or as often as MINUTES allow, with
AT_ONCE judgements under way. After each the memory of this process is noted, and the most that its browser's box has
held; a quarter of the judgements at the end is then compared with a quarter at the beginning.
"""

from __future__ import annotations

import asyncio
import resource
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.applications import attempt_sample, judge_once
from crucible.browsing import Window
from crucible.judging.cascade import Judging
from crucible.running.run import open_run
from crucible.sandbox import Sandbox
from crucible.serving import GivenServices
from crucible.settings import DockerSettings, Settings
from crucible.stages.services import open_services
from services.browser.service import BoxedBrowsers
from services.browser.settings import BrowserSettings

PEAK = "cat /sys/fs/cgroup/memory.peak /sys/fs/cgroup/memory/memory.max_usage_in_bytes 2>/dev/null"
"""The most that a box has held, with what it has read from disk: of one generation of control groups or the other."""
PAGE_BYTES = resource.getpagesize()
SHARES = 4
"""Quarters are compared."""


@dataclass
class MeasuredBrowsers:
    """Browsers whose boxes are asked at their end what they have held. Implements `crucible.browsing.Browser`."""

    browsers: BoxedBrowsers
    peaks: list[float] = field(default_factory=list)

    @asynccontextmanager
    async def open(self, box: Sandbox) -> AsyncIterator[Window]:
        async with self.browsers.open(box) as window:
            yield window
            told = (await window.box.exec(PEAK)).out.split()
            self.peaks += [int(told[0]) / 2**20] if told else []


async def main(judgements: int = 500, minutes: int = 20, at_once: int = 2) -> None:
    """Judge, and print what was held."""
    browsers = BrowserSettings(boxes=at_once)
    settings = Settings(home=Path(tempfile.mkdtemp()), docker=DockerSettings(), sections={"browser": browsers})
    with open_run(settings) as run:
        async with open_services(run) as services:
            task, made = await attempt_sample(services)
            measured = MeasuredBrowsers(await services.get("browser"))
            world = await services.world("docker")
            judging = Judging(
                world, run.blobs, GivenServices({"browser": measured, "libraries": await services.get("libraries")})
            )
            started, numbers, own = time.monotonic(), count(), list[float]()

            async def judge_in_turn() -> None:
                while next(numbers) < judgements and time.monotonic() < started + 60 * minutes:
                    await judge_once(task, made, judging)
                    own.append(read_memory_mb())

            async with asyncio.TaskGroup() as group:
                for _ in range(at_once):
                    group.create_task(judge_in_turn())
            took = time.monotonic() - started
    show(took, {"this process": own, "the most that each browser's box held": measured.peaks})


def read_memory_mb() -> float:
    """What this process holds now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE_BYTES / 2**20


def show(took: float, series: dict[str, list[float]]) -> None:
    """Print the first and the last quarter of each series."""
    table = Table("MB", *(f"quarter {number}" for number in range(1, SHARES + 1)), "growth", box=None)
    for name, values in series.items():
        size = max(len(values) // SHARES, 1)
        quarters = [values[place * size : (place + 1) * size] for place in range(SHARES)]
        means = [sum(quarter) / len(quarter) for quarter in quarters if quarter]
        table.add_row(name, *(f"{mean:.0f}" for mean in means), f"{means[-1] / means[0] - 1:+.1%}")
    judged = len(next(iter(series.values())))
    Console().print(f"{judged} judgements in {took / 60:.1f} minutes", table)


if __name__ == "__main__":
    asyncio.run(main(*map(int, sys.argv[1:4])))
