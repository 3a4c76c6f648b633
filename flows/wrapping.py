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
RETRY_SECONDS = 10
HOPELESS = (BudgetSpent, SettingsError, UnknownPart)
"""What another try would not mend."""


async def as_task(name: str, piece: Callable[[], Awaitable[Any]]) -> Any:
    """One piece as one task run: named, timed, tried again when infrastructure failed."""
    wrapped = task(
        name=name,
        retries=RETRIES,
        retry_delay_seconds=RETRY_SECONDS,
        retry_condition_fn=_mendable,
        cache_policy=NO_CACHE,  # the ledger knows what is done
    )(piece)
    return await wrapped()


async def publish(night: Night) -> Night:
    """The funnel as a table artifact, and a link to the report."""
    rows = [
        {**stage.model_dump(exclude={"reasons"}), "reasons": ", ".join(f"{k} {n}" for k, n in stage.reasons.items())}
        for stage in night.funnel.stages
    ]
    await acreate_table_artifact(table=rows, key="funnel", description="; ".join(night.stopped))
    if night.report:
        await acreate_link_artifact(link=Path(night.report).as_uri(), key="report", description="The report page")
    return night


def settings(config: str, sets: dict[str, str]) -> Settings:
    """As the command line reads them."""
    return load_settings(Path(config) if config else None, sets).settings


async def _mendable(_: Any, __: Any, state: Any) -> bool:
    try:
        await state.aresult()
    except HOPELESS:
        return False
    except Exception:
        return True
    return False
