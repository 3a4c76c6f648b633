"""The nightly flow: every enabled pipeline, then selection, shards, report; the funnel as an artifact."""

from __future__ import annotations

import signal
from typing import Any

from prefect import flow
from prefect.runner import Runner
from prefect.schedules import Cron

from crucible.errors import SettingsError
from crucible.running.run import open_run
from crucible.stages.night import night
from flows.wrapping import flow_settings, publish_night, run_as_task


async def run_night(config: str = "", sets: dict[str, str] | None = None) -> dict[str, Any]:
    """One night, by the settings file `config` (left out: ./crucible.toml) and single settings over it."""
    with open_run(flow_settings(config, sets or {})) as run:
        return (await publish_night(await night(run, run_as_task))).model_dump(mode="json")


nightly = flow(name="nightly", validate_parameters=True)(run_night)


def serve(cron: str, config: str = "", sets: dict[str, str] | None = None) -> None:
    """Run the nightly flow on a schedule, in this process, until interrupted or terminated."""
    _check_schedule(cron)
    # A shell starts its background jobs with SIGINT ignored; SIGTERM, which becomes an interrupt, would be ignored too.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    Runner.handle_sigterm = _interrupt  # type: ignore[method-assign]  # its own never awaits what is to be stopped
    nightly.serve(name="nightly", cron=cron, parameters={"config": config, "sets": sets or {}}, limit=1)


def _check_schedule(cron: str) -> None:
    try:
        Cron(cron)
    except ValueError:
        raise SettingsError(f"--cron '{cron}' is no schedule", 'for every night at two: --cron "0 2 * * *"') from None


def _interrupt(*_: Any, **__: Any) -> None:
    signal.raise_signal(signal.SIGINT)
