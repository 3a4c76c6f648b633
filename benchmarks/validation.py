"""What proving a task costs beside its test runs, and what a task takes on the disk: `python -m benchmarks.validation`.

The sample repository goes from its history to proven tasks, one box at a time, its image being there already. Every
command that runs tests is timed in its box; all other time is ours: boxes opened, patches laid, reports read, agents
played, rows written.
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from crucible import parts
from crucible.lookup import items
from crucible.model import Task
from crucible.run import Run, open_run
from crucible.sandbox import Done
from crucible.settings import LimitSettings, Settings
from crucible.stages.mine import mine
from crucible.stages.validate import validate
from envs.docker.box import Box

REPORT = re.compile(r"/tmp/[0-9a-f]{24}/")
"""Where test runs write: nothing else does."""


async def main(origin: str) -> None:
    parts.find("env", "docker")
    with tempfile.TemporaryDirectory() as folder:
        await once(Path(folder) / "first", origin)  # builds the image
        testing, whole, run = await timed(Path(folder) / "second", origin)
        tasks = len(run)
        size = sum(path.stat().st_size for path in (Path(folder) / "second").rglob("*") if path.is_file())
    images = len({task.env.recipe.model_dump_json() for task in run})
    table = Table("what", "", "against", "", "ratio", "wanted", box=None)
    other = whole - testing
    table.add_row(
        "all but test runs",
        f"{other:.1f} s",
        f"{tasks} tasks proven",
        f"{whole:.1f} s",
        f"{other / whole:.2f}",
        "<0.25",
    )
    table.add_row("disk for a task", f"{size / tasks / 1e6:.2f} MB", "", "", "", "<2 MB")
    table.add_row("images", str(images), "tasks", str(tasks), "", "one for all that share their dependencies")
    Console().print(table)


async def once(home: Path, origin: str) -> list[Task]:
    """The sample's tasks, proven, in a home of their own."""
    with open_run(Settings(home=home, limits=LimitSettings(boxes=1))) as run:
        await proven(run, origin)
        return [item.record(Task) for item in items(run.ledger, "task")]


async def timed(home: Path, origin: str) -> tuple[float, float, list[Task]]:
    """Seconds within test runs, seconds in all, and the tasks."""
    spent: list[float] = []
    plain = Box.exec

    async def watched(self: Box, command: str, **options: Any) -> Done:
        started = time.perf_counter()
        done = await plain(self, command, **options)
        if REPORT.search(command):
            spent.append(time.perf_counter() - started)
        return done

    Box.exec = watched  # type: ignore[method-assign]
    try:
        started = time.perf_counter()
        tasks = await once(home, origin)
        return sum(spent), time.perf_counter() - started, tasks
    finally:
        Box.exec = plain  # type: ignore[method-assign]


async def proven(run: Run, origin: str) -> None:
    await mine(run, "swe", origin)
    await validate(run)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "sample_data/swe/shelf"))
