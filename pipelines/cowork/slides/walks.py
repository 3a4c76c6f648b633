"""Seeded walks of operations over a deck."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Collection, Sequence
from random import Random
from typing import Any

from pptx import Presentation

from crucible.documents import Office
from crucible.domains.office.archive import forget_times
from crucible.domains.office.decks.deck import BadDeck, read_deck
from crucible.errors import DocumentFailed, Rejected
from crucible.mining import MiningContext
from pipelines.cowork.model import Move, Seed, Walk
from pipelines.cowork.settings import CoworkSettings
from pipelines.cowork.slides.ground import DeckGround
from pipelines.cowork.slides.moves import LAST, OPERATIONS


async def walk_deck(seed: Seed, context: MiningContext) -> Sequence[Walk]:
    """Several walks over one deck, each to a state that differs from where it began."""
    office: Office = await context.services.get("office")
    options = context.section(CoworkSettings)
    data = await asyncio.to_thread(context.blobs.get, seed.blob)
    try:
        given = await read_deck(office, data)
    except (BadDeck, DocumentFailed) as fault:
        raise Rejected("unreadable_deck", str(fault)) from None
    if given.macros:
        raise Rejected("macros_or_links", "macros")
    walks = []
    for number in range(options.walks):
        draw = Random(f"{options.seed} {seed.blob} {number}")
        wanted = [tuple(OPERATIONS)] * (1 + number % options.longest)
        moves, gold = await asyncio.to_thread(make_deck_moves, data, wanted, draw)
        if moves and (await read_deck(office, gold)).slides != given.slides:
            put = context.blobs.put
            walks.append(Walk(seed=seed, given=put(data), gold=put(gold), moves=moves, number=number))
    if not walks:
        raise Rejected("no_operation_fits", "its slides have nothing that an operation could work on")
    return walks


def make_deck_moves(given: bytes, wanted: Sequence[Sequence[str]], draw: Random) -> tuple[tuple[Move, ...], bytes]:
    """Carry out operations that fit, one after the other and none twice: for each place in the walk one of those that
    are wanted there. What renumbers slides ends the walk."""
    deck = Presentation(io.BytesIO(given))
    moves: list[Move] = []
    for names in sorted(wanted, key=lambda names: set(names) <= set(LAST)):
        move = _make_move(deck, draw, set(names) - {move.operation for move in moves})
        moves += [move] if move else []
        if move and move.operation in LAST:
            break
    packed = io.BytesIO()
    deck.save(packed)
    return tuple(moves), forget_times(packed.getvalue())


def _make_move(deck: Any, draw: Random, choices: Collection[str]) -> Move | None:
    """One of the operations, drawn from those that fit."""
    names = sorted(choices)
    draw.shuffle(names)
    found = (OPERATIONS[name](DeckGround(deck, draw)) for name in names)
    return next((move for move in found if move), None)
