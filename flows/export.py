"""The export flow: selection, shards and report of what has been judged so far."""

from __future__ import annotations

from typing import Any

from prefect import flow

from crucible.running.run import open_run
from crucible.stages.night import run_hand_over
from flows.wrapping import as_task, publish, settings


async def hand_over(config: str = "", sets: dict[str, str] | None = None) -> dict[str, Any]:
    """Selection, shards, report."""
    with open_run(settings(config, sets or {})) as run:
        return (await publish(await run_hand_over(run, as_task))).model_dump(mode="json")


export = flow(name="export")(hand_over)
