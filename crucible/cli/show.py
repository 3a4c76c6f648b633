"""The verbs that look: funnel, show, parts. They change nothing."""

from __future__ import annotations

import json
from difflib import get_close_matches
from typing import Annotated

import typer
from pydantic import Field
from rich.console import Console
from rich.text import Text

from crucible import parts
from crucible.cli.options import get_options
from crucible.cli.render import render_table
from crucible.errors import CrucibleError
from crucible.model import Verdict
from crucible.part_kinds import FOLDERS, Part
from crucible.record import Json, Record
from crucible.running.log import result_console
from crucible.running.outline import format_outline, wrap_outline
from crucible.store import lookup
from crucible.store.funnel import Funnel, count_funnel
from crucible.store.ledger import Ledger
from crucible.store.lookup import Fate

INNER_NOUNS = ("memo", "unmade")


class Version(Record):
    """One version of an item: the same id is a draft first and a task later."""

    noun: str
    pipeline: str
    parent: str
    body: dict[str, Json]


class ItemDetails(Record):
    """All there is to know of one id."""

    id: str
    versions: tuple[Version, ...]
    fates: tuple[Fate, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    children: tuple[str, ...] = ()


class ListedPart(Record):
    """One part, as `crucible parts` lists it."""

    kind: str
    name: str
    version: int
    summary: str
    origin: str


class Catalogue(Record):
    """What `crucible parts` prints: every part that is registered."""

    parts: tuple[ListedPart, ...] = Field(default=())


def add_to(app: typer.Typer) -> None:
    app.command(epilog="Example: crucible funnel --json")(funnel)
    app.command(epilog="Example: crucible show swe-bugfix-1a2b (the start of an id is enough)")(show)
    app.command(name="parts", epilog="Example: crucible parts --kind verifier")(list_parts)


def funnel(context: typer.Context) -> None:
    """Count what came, went on or was dropped, and why."""
    chosen = get_options(context)
    with chosen.run() as run:
        counted = count_funnel(run.ledger)
    chosen.emit(counted if chosen.json else _leave_out_inner_nouns(counted))
    if not counted.nouns:
        typer.echo("crucible: the ledger is empty -> `crucible mine PIPELINE` fills it", err=True)


def _leave_out_inner_nouns(counted: Funnel) -> Funnel:
    """What stages hand to each other, and remember, is no business of who looks at the whole."""
    nouns = {noun: n for noun, n in counted.nouns.items() if "." not in noun and noun not in INNER_NOUNS}
    return counted.model_copy(update={"nouns": nouns})


def show(
    context: typer.Context, id: Annotated[str, typer.Argument(help="An item's id, its start, or its last part.")]
) -> None:
    """Show one item whole. Its record, what each stage did with it, its verdicts with their evidence."""
    chosen = get_options(context)
    with chosen.run() as run:
        details = find_details(run.ledger, id)
    if chosen.json:
        chosen.emit(details)
    else:
        _print_details(details)


def list_parts(
    context: typer.Context,
    kind: Annotated[str, typer.Option(help=f"Only one kind: {', '.join(FOLDERS)}.")] = "",
) -> None:
    """List what is registered. Tasks, settings and options use these names."""
    if kind and kind not in FOLDERS:
        raise typer.BadParameter(f"no kind '{kind}'; there are: {', '.join(FOLDERS)}")
    kinds = [kind] if kind else list(FOLDERS)
    get_options(context).emit(Catalogue(parts=tuple(_list_part(part) for name in kinds for part in parts.every(name))))


def find_details(ledger: Ledger, start: str) -> ItemDetails:
    """Everything the ledger knows of the one id that begins, or ends, with this text."""
    id = _find_id(ledger, start)
    return ItemDetails(
        id=id,
        versions=tuple(
            Version(noun=version.noun, pipeline=version.pipeline, parent=version.parent, body=json.loads(version.body))
            for version in lookup.item_versions(ledger, id)
        ),
        fates=tuple(lookup.item_fates(ledger, id)),
        verdicts=tuple(lookup.trajectory_verdicts(ledger, id)),
        children=tuple(f"{noun} {child}" for noun, child in lookup.item_children(ledger, id)),
    )


def _find_id(ledger: Ledger, start: str) -> str:
    ids = lookup.list_ids(ledger, start, limit=10) or lookup.list_ids_ending(ledger, start, limit=10)
    if start in ids or len(ids) == 1:
        return start if start in ids else ids[0]
    if ids:
        raise CrucibleError(f"several ids begin or end with '{start}': {', '.join(ids)}", "give more of it")
    near = get_close_matches(start, lookup.list_ids(ledger, start[:3], limit=2000), n=3, cutoff=0.5)
    hint = f"did you mean {', '.join(near)}?" if near else "`crucible list` tells what there is"
    raise CrucibleError(f"the ledger has no item '{start}'", hint)


def _list_part(part: Part) -> ListedPart:
    return ListedPart(kind=part.kind, name=part.name, version=part.version, summary=part.summary, origin=part.origin)


def _print_details(details: ItemDetails) -> None:
    """Fates as a table; verdicts as an outline, because their evidence is long."""
    console = result_console()
    for version in details.versions:
        _print_outline(console, f"{version.noun} {details.id}", version.model_dump(mode="json", exclude={"noun"}))
    if details.fates:
        console.rule("fates", align="left")
        console.print(render_table(details.fates))
    keys = {"trajectory_id", "trajectory_digest", "params_hash"}
    _print_outline(console, "verdicts", [row.model_dump(mode="json", exclude=keys) for row in details.verdicts])
    _print_outline(console, "made from it", list(details.children))


def _print_outline(console: Console, title: str, value: Json) -> None:
    """An outline under its title. A terminal gets lines that fit; a file or a pipe gets them whole."""
    if value:
        outline = format_outline(value)
        console.rule(Text(title), align="left")
        console.print(Text(wrap_outline(outline, console.width) if console.is_terminal else outline), soft_wrap=True)
