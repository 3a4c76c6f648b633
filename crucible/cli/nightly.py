"""The verb that schedules: nightly. The scheduler is imported only when it is asked for."""

from __future__ import annotations

import asyncio
import importlib
import os
from typing import Annotated, Any

import typer

from crucible.cli.options import Options, get_options
from crucible.errors import CrucibleError, SchedulerGone, SettingsError
from crucible.record import Record

QUIET = {
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "600",
    "PREFECT_SERVER_DATABASE_TIMEOUT": "120",
    "PREFECT_SERVER_DATABASE_CONNECTION_TIMEOUT": "120",
    "PREFECT_API_REQUEST_TIMEOUT": "300",
    "PREFECT_LOGGING_LEVEL": "WARNING",
}
"""How the scheduler is to behave unless the user's environment says otherwise."""


def add_to(app: typer.Typer) -> None:
    app.command(epilog='Example: crucible nightly --cron "0 2 * * *"')(nightly)


def nightly(
    context: typer.Context,
    once: Annotated[bool, typer.Option("--once", help="Run now, once.")] = False,
    cron: Annotated[str, typer.Option(help="Serve on this schedule, until interrupted.")] = "",
    no_prefect: Annotated[bool, typer.Option("--no-prefect", help="The same work without the scheduler.")] = False,
) -> None:
    """Run every enabled pipeline, select, export, report. Now and once, or on a schedule."""
    from crucible import stages

    if once == bool(cron) or (cron and no_prefect):
        raise SettingsError("say either --once (also with --no-prefect) or --cron EXPR")
    chosen = get_options(context)
    settings = chosen.load().settings
    if cron:
        _import_scheduler().serve(cron, str(chosen.config or ""), dict(chosen.sets))
    elif no_prefect:
        with chosen.run() as run:
            chosen.emit(asyncio.run(stages.night(run)))
    else:
        if not settings.nightly.pipelines:
            raise SettingsError("no pipeline is enabled", "set nightly.pipelines, for example swe=PATH_TO_CLONE")
        chosen.emit(_run_flow(chosen))


def _run_flow(chosen: Options) -> Record:
    """One flow run, on the server that PREFECT_API_URL names or one that lives as long as the run."""
    from crucible.stages.night import Night

    flows = _import_scheduler()
    try:
        night = asyncio.run(flows.nightly(str(chosen.config or ""), dict(chosen.sets)))
    except CrucibleError:
        raise
    except Exception as failed:
        if not _is_unreachable(failed):
            raise
        raise SchedulerGone(
            f"the Prefect server does not answer: {failed}",
            "start it or correct PREFECT_API_URL, or use --no-prefect; what was finished is kept",
        ) from failed
    return Night.model_validate(night)


def _is_unreachable(failed: Exception) -> bool:
    """The scheduler's own errors, and its client's: told apart by where they come from, not to import them."""
    is_ours = type(failed).__module__.partition(".")[0] not in ("prefect", "httpx", "httpcore")
    return not is_ours or str(failed).startswith("Failed to reach API")


def _import_scheduler() -> Any:
    """flows/nightly.py, by name: the spine knows none of the folders."""
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
    return importlib.import_module("flows.nightly")
