"""The verbs that hand over: select and export."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from crucible import filters, parts
from crucible.cli.options import get_options

EXAMPLE = "Example: crucible export --format trl --where \"task.kind == 'bugfix' and reward >= 0.9\" --out shards"
WHERE = "Which attempts, by task, trajectory, verdicts, reward, selection, proof, calibration, comparisons."


def add_to(app: typer.Typer) -> None:
    app.command(epilog="Example: crucible select --keep 2 --policy diversity")(select)
    app.command(epilog=EXAMPLE)(export)


def select(
    context: typer.Context,
    keep: Annotated[int, typer.Option(min=1, help="How many accepted attempts at a task.")] = 1,
    policy: Annotated[str, typer.Option(help="How; `crucible parts --kind policy` lists them.")] = "score",
    where: Annotated[str, typer.Option(help=WHERE)] = "",
) -> None:
    """Choose among accepted attempts. Decides which go into the shards, and records why."""
    from crucible import stages

    parts.find("policy", policy)
    filters.parse_filter(where)
    chosen = get_options(context)
    with chosen.run() as run:
        chosen.emit(asyncio.run(stages.select(run, keep, policy, where)))


def export(
    context: typer.Context,
    format: Annotated[str, typer.Option(help="What the trainer reads; `crucible parts --kind exporter` lists them.")],
    out: Annotated[Path, typer.Option(help="Folder for the shards; an earlier export there is replaced.")],
    where: Annotated[str, typer.Option(help=WHERE)] = "",
    everything: Annotated[bool, typer.Option("--all", help="Also what `crucible select` did not keep.")] = False,
    judged: Annotated[
        bool, typer.Option("--judged", help="Also attempts that failed, with rewards and groups; RL formats only.")
    ] = False,
) -> None:
    """Write accepted trajectories as shards for a trainer. Formats for RL carry tasks that nobody solved, too."""
    from crucible import stages
    from crucible.shards.manifest import Request

    parts.find("exporter", format)
    filters.parse_filter(where)
    chosen = get_options(context)
    with chosen.run() as run:
        request = Request(format=format, where=where, everything=everything, judged=judged)
        chosen.emit(asyncio.run(stages.export(run, request, out)))
