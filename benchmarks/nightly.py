"""The scheduler's share of a night: `python -m benchmarks.nightly`.

Ten thousand trivial items go through a nightly flow on a Prefect server of its own. Each piece is timed inside
its task and the flow as a whole outside: what is between the two is the scheduler's. Starting the server is not
counted: it runs all day.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from crucible.cli.nightly import QUIET
from crucible.running.run import open_run
from crucible.settings import NightlyPipeline, NightlySettings, Settings, SoundnessSettings
from crucible.stages.night import night

ITEMS = 10_000
"""Items of the night."""


async def main() -> None:
    os.environ.update(QUIET)
    with tempfile.TemporaryDirectory() as home:
        os.environ["PREFECT_HOME"] = f"{home}/prefect"
        whole, inside, pieces = await measure_night(Path(home))
    table = Table("what", "s", "against", "s", "ratio", "wanted", box=None)
    share = whole - inside
    what = f"the scheduler's part, {pieces} tasks"
    table.add_row(
        what, f"{share:.1f}", f"a night of {ITEMS:,} items", f"{whole:.1f}", f"{share / whole:.3f}", "under 0.1"
    )
    Console().print(table)


async def measure_night(home: Path) -> tuple[float, float, int]:
    """The seconds of one night's flow, the seconds within its pieces, and how many pieces there were."""
    from prefect import flow  # here: it reads the environment when it is imported

    from flows.wrapping import publish_night, run_as_task

    seconds: list[float] = []

    async def timed(name: str, piece: Callable[[], Awaitable[Any]]) -> Any:
        async def inner() -> Any:
            started = time.perf_counter()
            try:
                return await piece()
            finally:
                seconds.append(time.perf_counter() - started)

        return await run_as_task(name, inner)

    async def tonight() -> float:
        started = time.perf_counter()
        with open_run(night_settings(home)) as run:
            await publish_night(await night(run, timed))
        return time.perf_counter() - started

    whole: float = await flow(name="night")(tonight)()
    return whole, sum(seconds), len(seconds)


def night_settings(home: Path) -> Settings:
    """Settings for a night of trivial items."""
    pipeline = NightlyPipeline(name="tests.flows.toy:toy", origin=str(ITEMS))
    return Settings(
        home=home,
        soundness=SoundnessSettings(repeats=1, probes=False),
        nightly=NightlySettings(pipelines=(pipeline,), chunk_items=500, authored=True),
    )


if __name__ == "__main__":
    asyncio.run(main())
