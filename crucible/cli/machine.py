"""The verbs that keep the machine in order: doctor, setup, gc."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from crucible.cli.options import get_options
from crucible.errors import EngineMissing
from crucible.record import Record
from crucible.settings import Settings
from crucible.store.unused_blobs import SweptBlobs, sweep_blobs

MISSING = 3


class Cleaned(Record):
    """What gc removed, or would remove."""

    dry_run: bool
    blobs: SweptBlobs
    others: tuple[str, ...] = ()


def add_to(app: typer.Typer) -> None:
    app.command(epilog="Example: crucible doctor --json")(doctor)
    app.command(epilog="Example: sudo crucible setup")(setup)
    app.command(epilog="Example: crucible gc --dry-run")(gc)


def doctor(context: typer.Context) -> None:
    """Say what is missing and how to get it. Also every setting and where it came from."""
    from crucible.setup.doctor import examine_machine

    chosen = get_options(context)
    health = examine_machine(chosen.load())
    chosen.emit(health)
    if not health.complete:
        raise typer.Exit(MISSING)


def setup(
    context: typer.Context,
    for_tests: Annotated[bool, typer.Option("--for-tests", help="Also what tests need, services included.")] = False,
) -> None:
    """Get what is missing. System packages and the engine (as root), the base image; safe to repeat."""
    from crucible import stages
    from crucible.setup import engine, packages

    chosen = get_options(context)
    settings = chosen.load().settings
    plan = packages.plan_packages(_engine_answers(settings), for_tests)
    for line in (packages.install_packages(plan), *plan.by_hand, engine.start_engine(settings)):
        typer.echo(line, err=True)
    with chosen.run() as run:
        for line in asyncio.run(stages.prepare(run, services=for_tests)):
            typer.echo(line, err=True)


def gc(
    context: typer.Context,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would go; remove nothing.")] = False,
) -> None:
    """Remove what nobody needs. Boxes and folders of dead processes, images over budget, unreferenced blobs."""
    from crucible import stages

    chosen = get_options(context)
    with chosen.run() as run:
        others = asyncio.run(stages.collect_garbage(run, dry_run))
        swept = sweep_blobs(run.ledger, run.blobs, dry_run=dry_run)
        chosen.emit(Cleaned(dry_run=dry_run, blobs=swept, others=tuple(others)))


def _engine_answers(settings: Settings) -> bool:
    from crucible.setup.engine import ask_engine

    try:
        ask_engine(settings)
    except EngineMissing:
        return False
    return True
