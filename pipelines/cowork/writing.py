"""The stage `write`: a walk as tasks, in words that name the cells and in plain words, both with the same checks."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from crucible.domains.office.decks.params import DeckLooksParams, DeckParams
from crucible.domains.office.sheets.params import SheetParams
from crucible.domains.office.world import work_env
from crucible.judging.yields import ITEM
from crucible.mining import MiningContext
from crucible.model import Check, Difficulty, Provenance, Reference, Task
from pipelines.cowork.model import Move, Walk

LEVELS = ("exact", "plain")
"""From the most to the least help."""


async def write_tasks(walk: Walk, context: MiningContext) -> Sequence[Task]:
    """One task for each way of asking."""
    return [make_task(walk, level) for level in range(len(LEVELS))]


def make_task(walk: Walk, level: int) -> Task:
    path = f"{walk.seed.name}.{walk.seed.suffix}"
    env = work_env({path: walk.given}, (path,))
    return Task(
        domain="cowork",
        kind=walk.query.domain if walk.query else {"xlsx": "sheet-walk", "pptx": "deck-walk"}[walk.seed.suffix],
        instruction=_write_opening(walk) + write_instruction(walk.moves, LEVELS[level], path, env.workdir),
        env=env,
        checks=(_check_workbook(walk, path),) if walk.seed.suffix == "xlsx" else _check_deck(walk, path),
        reference=Reference(blobs={path: walk.gold}),
        provenance=Provenance(
            source=f"meta-query:{walk.query.id}" if walk.query else f"office-files:{walk.seed.name}#{walk.number}",
            licence=walk.seed.licence,
            author=walk.seed.author,
            url=walk.seed.url,
        ),
        difficulty=Difficulty(hint_level=level),
        labels=_label(walk),
    )


def _label(walk: Walk) -> dict[str, str]:
    labels = {"moves": str(len(walk.moves)), "operations": " ".join(move.operation for move in walk.moves)}
    if walk.query:  # what becomes of its tasks decides how often a meta-query is drawn
        labels |= {ITEM: f"office-{walk.query.id}", "meta": walk.query.meta}
    return labels


def _write_opening(walk: Walk) -> str:
    """Who wants it and what for, where the walk answers a query."""
    return f"{walk.query.opening}\n\n" if walk.query else ""


def _check_workbook(walk: Walk, path: str) -> Check:
    params = SheetParams(
        path=path,
        gold=walk.gold,
        given=walk.given,
        sheets=walk.sheets,
        answers=tuple(area for move in walk.moves for area in move.answers),
        may_change=tuple(area for move in walk.moves for area in move.may_change),
        changes=walk.changes,
        formats=any(move.formats for move in walk.moves),
    )
    return Check(verifier="sheet", params=params.model_dump(mode="json"))


def _check_deck(walk: Walk, path: str) -> tuple[Check, ...]:
    """What was asked for and nothing else, and no new fault of layout."""
    edits = DeckParams(path=path, gold=walk.gold, given=walk.given)
    looks = DeckLooksParams(path=path, before=(walk.given, walk.gold))
    return (
        Check(verifier="deck", params=edits.model_dump(mode="json")),
        Check(verifier="deck.looks", params=looks.model_dump(mode="json")),
    )


def write_instruction(moves: Sequence[Move], level: str, path: str, workdir: str) -> str:
    """What is asked for, move by move."""
    phrases = read_phrases()
    lines = [phrases["text"]["intro"].format(path=path, workdir=workdir), ""]
    lines += [f"{n}. {phrases[move.phrase][level].format(**move.words)}" for n, move in enumerate(moves, start=1)]
    if any(move.inputs for move in moves):
        lines += ["", phrases["text"]["keep"]]
    return "\n".join(lines)


@cache
def read_phrases() -> dict[str, dict[str, str]]:
    facts: dict[str, dict[str, str]] = tomllib.loads(
        Path(__file__).with_name("phrases.toml").read_text(encoding="utf-8")
    )
    return facts
