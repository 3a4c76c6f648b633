"""Rows held by field are the rows, and become the same Arrow as rows held by row."""

from __future__ import annotations

from typing import Any, TypedDict

import pyarrow as pa
import pytest

from crucible.shards.columns import Columns, Lists, to_record_batch


class Call(TypedDict):
    name: str
    of: Of


class Of(TypedDict):
    what: str


class Turn(TypedDict):
    role: str
    seen: list[str] | None
    calls: list[Call] | None


CALL = pa.struct([("name", pa.string()), ("of", pa.struct([("what", pa.string())]))])
KIND = pa.list_(pa.struct([("role", pa.string()), ("seen", pa.list_(pa.string())), ("calls", pa.list_(CALL))]))
SCHEMA = pa.schema([("turns", KIND), ("id", pa.string())])
A, B, C = ({"name": name, "of": {"what": name.upper()}} for name in "abc")
TURNS: list[dict[str, Any]] = [
    {"role": "user", "seen": None, "calls": None},
    {"role": "assistant", "seen": ["x", "y"], "calls": [A, B]},
    {"role": "tool", "seen": [], "calls": [C]},
    {"role": "tool", "seen": None, "calls": None},
]


def held(count: int) -> Columns[Turn]:
    turns = TURNS[:count]
    calls = [call for turn in turns for call in turn["calls"] or ()]
    of: Columns[Of] = Columns({"what": [call["of"]["what"] for call in calls]})
    rows: Columns[Call] = Columns({"name": [call["name"] for call in calls], "of": of})
    lists = Lists([len(turn["calls"] or ()) for turn in turns], rows)
    return Columns({"role": [t["role"] for t in turns], "seen": [t["seen"] for t in turns], "calls": lists})


def test_rows_come_back_as_they_went_in() -> None:
    assert [*held(4)] == TURNS
    assert len(held(2)) == 2


@pytest.mark.parametrize("part", [slice(1, None), slice(None, 2), slice(1, 3), slice(2, 2)])
def test_a_part_of_them_is_that_part(part: slice) -> None:
    assert [*held(4)[part]] == TURNS[part]


@pytest.mark.parametrize("lengths", [(1,), (4, 1, 2), ()])
def test_arrow_is_the_same_either_way(lengths: tuple[int, ...]) -> None:
    by_field = [{"turns": held(length), "id": str(length)} for length in lengths]
    by_row = [{"turns": [*held(length)], "id": str(length)} for length in lengths]
    assert to_record_batch(by_field, SCHEMA).equals(pa.RecordBatch.from_pylist(by_row, SCHEMA))
