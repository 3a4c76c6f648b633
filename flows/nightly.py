"""The nightly flow: every enabled pipeline, then selection, shards, report; the funnel as an artifact."""

from __future__ import annotations

import signal
from typing import Any

from prefect import flow
from prefect.runner import Runner

from crucible.running.run import open_run
from crucible.settings import Settings
from crucible.stages.night import Night, night
from flows.wrapping import as_task, publish, settings


async def tonight(config: str = "", sets: dict[str, str] | None = None) -> dict[str, Any]:
    """One night, by the settings file `config` (left out: ./crucible.toml) and single settings over it."""
    return (await whole(settings(config, sets or {}))).model_dump(mode="json")


async def whole(chosen: Settings) -> Night:
    with open_run(chosen) as run:
        return await publish(await night(run, as_task))


nightly = flow(name="nightly", validate_parameters=True)(tonight)


def serve(cron: str, config: str = "", sets: dict[str, str] | None = None) -> None:
    """Run the nightly flow on a schedule, in this process, until interrupted or terminated."""
    # A shell starts its background jobs with SIGINT ignored; SIGTERM, which becomes an interrupt, would be ignored too.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    Runner.handle_sigterm = _interrupt  # type: ignore[method-assign]  # its own never awaits what is to be stopped
    nightly.serve(name="nightly", cron=cron, parameters={"config": config, "sets": sets or {}}, limit=1)


def _interrupt(*_: Any, **__: Any) -> None:
    signal.raise_signal(signal.SIGINT)
