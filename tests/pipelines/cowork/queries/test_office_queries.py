"""Queries of office work: files that fit them, features that walks can answer, the same query the same file."""

from __future__ import annotations

import io
import time
from itertools import islice
from random import Random

import openpyxl
import pytest
from pptx import Presentation

from pipelines.cowork.queries.library import OWN, find_table, find_topic, load_features, load_library
from pipelines.cowork.queries.seeds import make_deck, make_workbook
from pipelines.cowork.slides.moves import OPERATIONS as DECK_OPERATIONS
from pipelines.cowork.slides.walks import make_deck_moves
from pipelines.cowork.source import choose_source
from pipelines.cowork.workbooks.tables import find_tables
from pipelines.cowork.workbooks.walks import OPERATIONS, make_moves
from pipelines.queries.drawing import QueryDraw
from pipelines.queries.judging import judge_query
from pipelines.queries.model import Query


def draw_queries(count: int) -> list[Query]:
    draw = QueryDraw.resume(load_library(), {}, 0.8, "")
    return [query for query, twin in islice(draw.stream(), count) if not twin]


def test_features_name_operations_that_there_are() -> None:
    named = {name for feature in load_features().values() for name in feature.operations}
    assert named <= OPERATIONS.keys() | DECK_OPERATIONS.keys()


def test_every_entry_has_its_shape_or_outline() -> None:
    library = load_library()
    for entry in library.pools["tables"]:
        [table] = find_tables(openpyxl.load_workbook(io.BytesIO(make_workbook(find_table(entry.name), 18, Random(1)))))
        assert table.last_row == 19
        assert ("dated" in entry.tags) == bool(table.of_kind("date"))
    for entry in library.pools["topics"]:
        deck = Presentation(io.BytesIO(make_deck(find_topic(entry.name), Random(1))))
        assert ("charted" in entry.tags) == any(shape.has_chart for slide in deck.slides for shape in slide.shapes)


def test_the_same_draw_gives_the_same_bytes_at_another_time() -> None:
    first = make_workbook(find_table("stock"), 18, Random(4)), make_deck(find_topic("library"), Random(4))
    time.sleep(2.1)  # archives count in steps of two seconds
    assert first == (make_workbook(find_table("stock"), 18, Random(4)), make_deck(find_topic("library"), Random(4)))


def test_a_folder_with_meta_queries_is_a_library() -> None:
    assert choose_source(str(OWN)) == "office-queries"
    assert choose_source("sample_data/cowork/workbooks") == "office-files"


@pytest.mark.parametrize("domain", ["sheet-query", "deck-query"])
async def test_drawn_queries_are_worth_a_task_and_have_an_answer(domain: str) -> None:
    queries = [query for query in draw_queries(24) if query.domain == domain]
    assert len(queries) >= 6
    for query in queries[:6]:
        await judge_query(query, load_library(), None, 0.9)
        wanted = [load_features()[name].operations for name in query.choice.features]
        entries = query.choice.entries
        if domain == "sheet-query":
            given = make_workbook(find_table(entries["table"]), int(entries["size"]), Random(1))
            moves, gold = make_moves(given, wanted, Random(2))
        else:
            moves, gold = make_deck_moves(make_deck(find_topic(entries["topic"]), Random(1)), wanted, Random(2))
        assert gold
        answered = [any(move.operation in names for move in moves) for names in wanted]
        assert all(answered), (query.choice, [move.operation for move in moves])
