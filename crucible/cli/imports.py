"""The verb that takes in tasks that others wrote."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from crucible import parts
from crucible.cli.options import get_options
from crucible.cli.stages import SET_ASIDE
from crucible.errors import SettingsError
from crucible.mining import ImportPlace

EXAMPLES = (
    "Example: crucible import harbor ./tasks, or crucible import swe-bench rows.jsonl --repo ./clones; "
    "then crucible validate. What is dropped, and why: crucible funnel. Applications: docs/appdev.md."
)


def add_to(app: typer.Typer) -> None:
    app.command(name="import", epilog=EXAMPLES)(import_)


def import_(
    context: typer.Context,
    format: Annotated[
        str, typer.Argument(help="harbor, swe-bench, applications ...; `crucible parts --kind importer` lists them.")
    ],
    path: Annotated[
        Path,
        typer.Argument(help="harbor, applications: a task's folder, or a folder of them. swe-bench: JSONL, Parquet."),
    ],
    repo: Annotated[
        Path | None, typer.Option(help="swe-bench: a clone, or a folder of clones named owner__name or owner/name.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="At most so many tasks.")] = None,
) -> None:
    """Take in tasks that others wrote. As drafts: nothing is believed until `crucible validate` has proved it."""
    from crucible.stages.import_tasks import import_tasks

    parts.find("importer", format)
    for location in filter(None, (path, repo)):
        if not location.exists():
            raise SettingsError(f"there is nothing at '{location}'", "name a file or a folder that is there")
    chosen = get_options(context)
    with chosen.run() as run:
        done = asyncio.run(import_tasks(run, format, ImportPlace(path, repo), limit))
        chosen.emit(done)
    if aside := sum(stage.errors for stage in done.stages):
        typer.echo(f"crucible: {aside} set aside as errors -> `crucible list --state error`, then run again", err=True)
        raise typer.Exit(SET_ASIDE)
