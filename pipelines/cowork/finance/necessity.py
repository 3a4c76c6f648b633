"""Proves a trace by execution: the answer follows from the files and the question alone, and from nothing less."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterator, Mapping
from contextlib import suppress

from crucible.errors import Rejected
from crucible.record import Json
from pipelines.cowork.finance.model import Trace
from pipelines.cowork.finance.tables import Table
from pipelines.cowork.finance.tracing import Underivable, replay

FACTORS = (1.1, 0.01, 100.0)
"""What a value is multiplied by to see whether the answer depends on it: a little, and so much that it becomes the
lowest or the highest of a series."""
SHIFTED_DAYS = 40
SAME = 1e-9


def require_needed(trace: Trace, files: Mapping[str, Table], answer: float) -> None:
    """Rejected unless the trace gives the answer again and every call, file and value in it is needed."""
    if not _is_same(replay(trace, files), answer):
        raise Rejected("not_entailed", "the trace gives another answer when it is run again")
    if superfluous := next(list_superfluous(trace, files, answer), ""):
        raise Rejected("superfluous_evidence", superfluous)


def list_superfluous(trace: Trace, files: Mapping[str, Table], answer: float) -> Iterator[str]:
    """Each part of a trace without which the answer is the same, in words."""
    for call in trace.calls:
        rest = tuple(other for other in trace.calls if other is not call)
        if rest and _comes_to(trace.model_copy(update={"calls": rest}), files, answer):
            yield f"the call {call.id}"
        if _comes_to(trace, files, answer, {call.id: FACTORS[0]}):
            yield f"the output of {call.id}"
    for name in trace.files:
        if _comes_to(trace, {other: table for other, table in files.items() if other != name}, answer):
            yield f"the file {name}"
    for origin in trace.list_origins("file"):
        table = files[origin.name]
        others = [table.with_value(origin.place, value) for value in change_value(table.values[origin.place])]
        if not any(_changes(trace, {**files, origin.name: other}, answer) for other in others):
            yield f"the value at {origin}"


def change_value(value: Json) -> Iterator[Json]:
    """Other values of the same kind; none for text that is no date, on which no number depends."""
    if isinstance(value, str):
        with suppress(ValueError):
            yield (datetime.date.fromisoformat(value) + datetime.timedelta(days=SHIFTED_DAYS)).isoformat()
    elif isinstance(value, int | float):
        yield from (value * factor for factor in FACTORS)
        yield value + 1


def _comes_to(trace: Trace, files: Mapping[str, Table], answer: float, altered: dict[str, float] | None = None) -> bool:
    try:
        return _is_same(replay(trace, files, altered), answer)
    except Underivable:
        return False


def _changes(trace: Trace, files: Mapping[str, Table], answer: float) -> bool:
    """Whether the answer is another one; a tool that refuses the value says nothing."""
    try:
        return not _is_same(replay(trace, files), answer)
    except Underivable:
        return False


def _is_same(found: object, answer: float) -> bool:
    return isinstance(found, int | float) and math.isclose(found, answer, rel_tol=SAME)


def require_unseen(files: Mapping[str, Table], value: float, tolerance: float) -> None:
    """Rejected where a file shows the answer, so that looking it up would do; a share may be shown in percent, and the
    other way round."""
    for name, table in files.items():
        for place, shown in table.values.items():
            if isinstance(shown, int | float) and shown and _shows(float(shown), value, tolerance):
                raise Rejected("answer_in_files", f"{name} {place}")


def _shows(shown: float, value: float, tolerance: float) -> bool:
    return any(abs(abs(shown) * 10.0**power - abs(value)) <= tolerance for power in (-2, 0, 2))
