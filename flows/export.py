"""The export flow: selection, shards and report of what has been judged so far."""

from __future__ import annotations

from typing import Any

from prefect import flow

from crucible.running.run import open_run
from crucible.stages.night import run_hand_over
from flows.wrapping import flow_settings, publish_night, run_as_task


async def run_export(config: str = "", sets: dict[str, str] | None = None) -> dict[str, Any]:
    """Select among the accepted attempts, and write shards and the report."""
    with open_run(flow_settings(config, sets or {})) as run:
        return (await publish_night(await run_hand_over(run, run_as_task))).model_dump(mode="json")


export = flow(name="export")(run_export)
