"""Rows held by field are the rows, and become the same Arrow as rows held by row."""

from __future__ import annotations

from typing import TypedDict

import pyarrow as pa
import pytest

from crucible.columns import Columns, batch


class Turn(TypedDict):
    role: str
    calls: list[str] | None


KIND = pa.list_(pa.struct([("role", pa.string()), ("calls", pa.list_(pa.string()))]))
SCHEMA = pa.schema([("turns", KIND), ("id", pa.string())])
TURNS: list[tuple[str, list[str] | None]] = [("user", None), ("assistant", ["a", "b"]), ("tool", [])]


def held(count: int) -> Columns[Turn]:
    roles, calls = zip(*TURNS[:count], strict=True)
    return Columns({"role": roles, "calls": calls})


def test_rows_come_back_as_they_went_in() -> None:
    assert [*held(3)] == [{"role": role, "calls": calls} for role, calls in TURNS]
    assert [*held(3)[1:]] == [*held(3)][1:]
    assert len(held(2)) == 2


@pytest.mark.parametrize("lengths", [(1,), (3, 1, 2), ()])
def test_arrow_is_the_same_either_way(lengths: tuple[int, ...]) -> None:
    by_field = [{"turns": held(length), "id": str(length)} for length in lengths]
    by_row = [{"turns": [*held(length)], "id": str(length)} for length in lengths]
    assert batch(by_field, SCHEMA).equals(pa.RecordBatch.from_pylist(by_row, SCHEMA))
