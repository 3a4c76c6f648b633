"""One flow per pipeline: its raw items to verdicts, and the funnel. `swe` is here by name; any other by parameter."""

from __future__ import annotations

from typing import Any

from prefect import flow

from crucible.running.run import open_run
from crucible.stages.night import run_pipeline
from flows.wrapping import flow_settings, publish_night, run_as_task


async def run_one_pipeline(
    pipeline: str = "swe", origin: str = "", config: str = "", sets: dict[str, str] | None = None
) -> dict[str, Any]:
    """Take the raw items of one pipeline to verdicts."""
    with open_run(flow_settings(config, sets or {})) as run:
        return (await publish_night(await run_pipeline(run, pipeline, origin, run_as_task))).model_dump(mode="json")


pipeline = flow(name="pipeline", flow_run_name="{pipeline}")(run_one_pipeline)
