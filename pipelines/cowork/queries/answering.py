"""A query to a walk: the file it is about is generated, and the operations that its features name give the answer."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from random import Random

from crucible.documents import Office
from crucible.errors import Rejected
from crucible.mining import MiningContext
from pipelines.cowork.model import Move, OfficeQuery, Seed, Walk
from pipelines.cowork.queries.library import find_table, find_topic, load_features, load_library
from pipelines.cowork.queries.seeds import make_deck, make_workbook
from pipelines.cowork.settings import CoworkSettings
from pipelines.cowork.slides.walks import make_deck_moves
from pipelines.cowork.workbooks.walks import choose_changes, load, make_moves
from pipelines.queries.expanding import reword
from pipelines.queries.judging import judge_query
from pipelines.queries.settings import QuerySettings


async def answer_query(item: OfficeQuery, context: MiningContext) -> Sequence[Walk]:
    """The walk that answers the query. Rejected where the query is not worth a task, or no operation fits its file."""
    options = context.section(QuerySettings)
    folder = Path(item.library)
    judge = await context.services.get_if_configured("judge")
    await judge_query(item.query, load_library(folder), judge, options.least)
    if context.teacher is not None:
        query = await reword(item.query, context.teacher, options.temperature)
        item = item.model_copy(update={"query": query})
    draw = Random(f"{item.query.id} {context.section(CoworkSettings).seed}")
    wanted = [load_features()[name].operations for name in item.query.choice.features]
    if item.query.domain == "sheet-query":
        return [await _answer_with_workbook(item, folder, wanted, draw, context)]
    return [await _answer_with_deck(item, folder, wanted, draw, context)]


async def _answer_with_workbook(
    item: OfficeQuery, folder: Path, wanted: Sequence[Sequence[str]], draw: Random, context: MiningContext
) -> Walk:
    entries = item.query.choice.entries
    given = make_workbook(find_table(entries["table"], folder), int(entries["size"]), draw)
    moves, gold = await asyncio.to_thread(make_moves, given, wanted, draw)
    _require_all(moves, wanted)
    office: Office = await context.services.get("office")
    changes = await choose_changes(office, given, gold, moves, draw, context.section(CoworkSettings).changed_inputs)
    if changes is None:
        raise Rejected("answers_do_not_follow", "an answer is an error, is there already, or follows no input")
    sheets = tuple(load(given).sheetnames)
    walk = _make_walk(item, entries["table"], given, gold, moves, context)
    return walk.model_copy(update={"changes": changes, "sheets": sheets})


async def _answer_with_deck(
    item: OfficeQuery, folder: Path, wanted: Sequence[Sequence[str]], draw: Random, context: MiningContext
) -> Walk:
    topic = item.query.choice.entries["topic"]
    given = make_deck(find_topic(topic, folder), draw)
    moves, gold = await asyncio.to_thread(make_deck_moves, given, wanted, draw)
    _require_all(moves, wanted)
    return _make_walk(item, topic, given, gold, moves, context)


def _require_all(moves: Sequence[Move], wanted: Sequence[Sequence[str]]) -> None:
    if len(moves) < len(wanted):
        raise Rejected("no_operation_fits", "nothing in the file fits one of the features")


def _make_walk(
    item: OfficeQuery, name: str, given: bytes, gold: bytes, moves: Sequence[Move], context: MiningContext
) -> Walk:
    authorship = load_library(Path(item.library)).authorship
    stored = context.blobs.put(given)
    seed = Seed(
        name=name,
        suffix="xlsx" if item.query.domain == "sheet-query" else "pptx",
        blob=stored,
        licence=authorship.licence,
        author=authorship.author,
    )
    put = context.blobs.put(gold)
    return Walk(seed=seed, given=stored, gold=put, moves=tuple(moves), number=item.query.number, query=item.query)
