"""The verb that finds items: list. It changes nothing."""

from __future__ import annotations

from typing import Annotated

import typer

from crucible.cli.options import get_options
from crucible.store.listing import Listing, Wanted, list_wanted


def add_to(app: typer.Typer) -> None:
    app.command(name="list", epilog="Example: crucible list --reason no_fail_to_pass")(list_items)


def list_items(
    context: typer.Context,
    noun: Annotated[str, typer.Argument(help="What they are: raw, draft, task, trajectory, proof, ...")] = "",
    pipeline: Annotated[str, typer.Option(help="Only of this pipeline.")] = "",
    stage: Annotated[str, typer.Option(help="Only what came to this stage.")] = "",
    state: Annotated[str, typer.Option(help="Only with this fate: todo, claimed, done, dropped, error, unpaid.")] = "",
    reason: Annotated[str, typer.Option(help="Only what was dropped for this reason.")] = "",
    limit: Annotated[int, typer.Option(min=1, help="At most so many, the latest first.")] = 40,
) -> None:
    """List items by their fate. Left bare: the sound tasks; `crucible show` then shows one whole."""
    chosen = get_options(context)
    wanted = Wanted(noun=noun, pipeline=pipeline, stage=stage, state=state, reason=reason)
    with chosen.run() as run:
        listing = list_wanted(run.ledger, wanted, limit)
    chosen.emit(listing if chosen.json else _leave_out_nouns(listing))
    if not listing.total:
        typer.echo("crucible: there are none -> `crucible funnel` counts what there is, by stage and fate", err=True)


def _leave_out_nouns(listing: Listing) -> Listing:
    """Room for the reasons: people know what an item is by the stage that it came to."""
    return Listing(
        total=listing.total,
        items=tuple(row.model_copy(update={"noun": "" if row.stage else row.noun}) for row in listing.items),
    )
