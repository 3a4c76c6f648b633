"""How a piece of plain work becomes a Prefect task, and what a flow publishes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from prefect import task
from prefect.artifacts import acreate_link_artifact, acreate_table_artifact
from prefect.cache_policies import NO_CACHE

from crucible.errors import BudgetSpent, SettingsError, UnknownPart
from crucible.running.settings_layers import load_settings
from crucible.settings import Settings
from crucible.stages.night import Night

RETRIES = 2
"""How often a piece of work is tried again."""
RETRY_DELAY_SECONDS = 10
"""How long the scheduler waits before it tries again."""
NOT_RETRIED = (BudgetSpent, SettingsError, UnknownPart)
"""Faults that another try would not mend."""


async def run_as_task(name: str, piece: Callable[[], Awaitable[Any]]) -> Any:
    """Run a piece of work as one Prefect task: named, timed, and tried again when infrastructure failed."""
    wrapped = task(
        name=name,
        retries=RETRIES,
        retry_delay_seconds=RETRY_DELAY_SECONDS,
        retry_condition_fn=_may_pass_later,
        cache_policy=NO_CACHE,  # the ledger knows what is done
    )(piece)
    return await wrapped()


async def publish_night(night: Night) -> Night:
    """Publish the funnel as a table artifact, and a link to the report; returns the night as it is."""
    rows = [
        {**stage.model_dump(exclude={"reasons"}), "reasons": ", ".join(f"{k} {n}" for k, n in stage.reasons.items())}
        for stage in night.funnel.stages
    ]
    await acreate_table_artifact(table=rows, key="funnel", description="; ".join(night.stopped))
    if night.report:
        await acreate_link_artifact(link=Path(night.report).as_uri(), key="report", description="The report page")
    return night


def flow_settings(config: str, sets: dict[str, str]) -> Settings:
    """The settings of a flow, from a file and single settings over it, as the command line reads them."""
    return load_settings(Path(config) if config else None, sets).settings


async def _may_pass_later(_: Any, __: Any, state: Any) -> bool:
    """Whether the fault in which a task run ended may be gone at the next try."""
    try:
        await state.aresult()
    except NOT_RETRIED:
        return False
    except Exception:
        return True
    return False
