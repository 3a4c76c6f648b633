"""The verbs that hand over: select and export."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from crucible import filters, parts
from crucible.cli.options import Options, get_options
from crucible.errors import SettingsError

EXAMPLE = "Example: crucible export --format trl --where \"task.kind == 'bugfix' and reward >= 0.9\" --out shards"
AUTHORED = "Also attempts that people wrote: the oracle's and scripted ones."
WHERE = "Which attempts, by task, trajectory, verdicts, reward, selection, proof, calibration, comparisons."

NOTHING_ACCEPTED = (
    "no accepted attempt to choose from -> `crucible verify` judges what waits; "
    "those of the oracle and of scripts count with --authored"
)


def add_to(app: typer.Typer) -> None:
    app.command(epilog="Example: crucible select --keep 2 --policy diversity")(select)
    app.command(epilog=EXAMPLE, cls=ExportCommand)(export)


def select(
    context: typer.Context,
    keep: Annotated[int, typer.Option(min=1, help="How many accepted attempts at a task.")] = 1,
    policy: Annotated[str, typer.Option(help="How; `crucible parts --kind policy` lists them.")] = "score",
    where: Annotated[str, typer.Option(help=WHERE)] = "",
    authored: Annotated[bool, typer.Option("--authored", help=AUTHORED)] = False,
) -> None:
    """Choose among accepted attempts. Decides which go into the shards, and records why."""
    from crucible import stages

    parts.find("policy", policy)
    filters.parse_filter(where)
    chosen = get_options(context)
    with chosen.run() as run:
        selected = asyncio.run(stages.select(run, keep, policy, where, authored))
    chosen.emit(selected)
    if not selected.tasks:
        typer.echo(f"crucible: {NOTHING_ACCEPTED}", err=True)


class ExportCommand(TyperCommand):
    """The verb whose help lists the formats, each with what its trainer must be told."""

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Formats"):
            formatter.write_dl([(part.name, part.summary) for part in parts.every("exporter")])
        super().format_epilog(ctx, formatter)


def export(
    context: typer.Context,
    format: Annotated[str, typer.Option(help="What the trainer reads, see below.")] = "",
    out: Annotated[
        Path | None, typer.Option(help="Folder for the shards; of an earlier export there, its own files are replaced.")
    ] = None,
    where: Annotated[str, typer.Option(help=WHERE)] = "",
    everything: Annotated[bool, typer.Option("--all", help="Also what `crucible select` did not keep.")] = False,
    judged: Annotated[
        bool, typer.Option("--judged", help="Also attempts that failed, in formats that carry rewards.")
    ] = False,
    authored: Annotated[bool, typer.Option("--authored", help=AUTHORED)] = False,
    one_call_per_turn: Annotated[
        bool, typer.Option("--one-call-per-turn", help="Several calls in one answer become as many turns.")
    ] = False,
    drop_sections: Annotated[
        float, typer.Option(min=0, max=1, help="How likely each removable section of a system prompt is left out.")
    ] = 0.0,
    seed: Annotated[int, typer.Option(help="Which sections those are.")] = 0,
    split: Annotated[
        list[str] | None, typer.Option(help="validation=0.05 puts that part of the repositories or posts there.")
    ] = None,
    longest: Annotated[
        int, typer.Option(min=0, help="Leave out longer attempts: in tokens of --tokenizer, else in characters.")
    ] = 0,
    tokenizer: Annotated[str, typer.Option(help="Count tokens with this tokenizer.json of a model.")] = "",
    check: Annotated[
        Path | None, typer.Option(help="Export nothing: hold the files of this earlier export against its manifest.")
    ] = None,
) -> None:
    """Write accepted trajectories as shards for a trainer. Formats for RL carry tasks that nobody solved, too."""
    from crucible import stages
    from crucible.shards.manifest import Request

    chosen = get_options(context)
    if check is not None:
        _check(chosen, check)
        return
    if not format or out is None:
        raise SettingsError("an export needs a format and a place", "for example --format trl --out shards")
    parts.find("exporter", format)
    filters.parse_filter(where)
    with chosen.run() as run:
        request = Request(
            format=format,
            where=where,
            everything=everything,
            judged=judged,
            authored=authored,
            one_call_per_turn=one_call_per_turn,
            drop_sections=drop_sections,
            seed=seed,
            splits=parse_splits(split or ()),
            longest=longest,
            tokenizer=tokenizer,
        )
        chosen.emit(asyncio.run(stages.export(run, request, out)))


def parse_splits(pairs: Sequence[str]) -> dict[str, float]:
    """The splits besides `train`, by name the part of the origins that goes there."""
    splits = {}
    for pair in pairs:
        name, _, part = pair.partition("=")
        try:
            splits[name] = float(part)
        except ValueError:
            raise SettingsError(f"--split {pair}: expected NAME=PART", "for example --split validation=0.05") from None
    wrong = [name for name, part in splits.items() if not name.isidentifier() or name == "train" or not 0 < part < 1]
    if wrong or sum(splits.values()) >= 1:
        raise SettingsError("--split: names are words, parts lie between 0 and 1, and something is left for train")
    return splits


def _check(chosen: Options, out: Path) -> None:
    from crucible.shards.checking import check_folder

    checked = check_folder(out)
    chosen.emit(checked)
    if checked.faults:
        raise typer.Exit(1)
