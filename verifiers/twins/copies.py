"""Copies of a test beside it, each altered in another place: a test ends where it fails, so only copies try all of its
assertions in one run. A copy that passes tells which assertion the attempt pleases.

Code that looks around for what is expected would find it in the other copies, so all of them, and the test itself, are
altered in every place: where a copy is not to fail, it asserts that the altered value is *not* so, as it is not with
right code. For Python's tests under pytest, which runs whatever is in a file.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest

from crucible.domains.code.altering import group_by_test
from crucible.domains.code.definitions import parse_python
from crucible.domains.code.suite import Report, SuiteParams
from crucible.domains.code.twins import Twin
from verifiers.twins.python_tests import FAULTS, NAMES, Function, find_tests
from verifiers.twins.python_text import PythonText

MOST_COPIES = 30
"""How many there are of one test at most."""

Edit = tuple[int, int, str]
"""Where a text begins and ends, and what stands there instead."""


class CopiedTest(Twin):
    """A copy of a test that stands behind it."""

    altered: Twin
    """What is altered in the copy, as if it were altered in the test."""


@dataclass(frozen=True)
class _TestText:
    """A test in the text of its file."""

    text: str
    node: Function
    places: PythonText

    @property
    def start(self) -> int:
        """Where it begins, with its decorators."""
        return self.places.start_of_line(min([self.node, *self.node.decorator_list], key=lambda part: part.lineno))

    @property
    def end(self) -> int:
        return self.places.end_of_line(self.node)

    @property
    def name(self) -> Edit | None:
        """Where its name stands."""
        defined = re.compile(rf"(?:async\s+)?def\s+({self.node.name})\b").match(self.text, self.places.start(self.node))
        return (defined.start(1), defined.end(1), self.node.name) if defined else None

    def find_statement(self, twin: Twin) -> ast.stmt | None:
        """The innermost statement that holds a place; None for one in a decorator."""
        inner = [node for node in ast.walk(self.node) if isinstance(node, ast.stmt) and node is not self.node]
        holding = [node for node in inner if self._holds(node, twin)]
        return max(holding, key=self.places.start, default=None)

    def _holds(self, node: ast.stmt, twin: Twin) -> bool:
        return self.places.start(node) <= twin.start and twin.end <= self.places.end(node)

    def turn(self, twin: Twin) -> Edit | None:
        """What makes the assertion that holds an altered value assert that it is not so; None where nothing does."""
        match self.find_statement(twin):
            case ast.Assert(test=ast.Compare(left=left, ops=[ast.Eq()], comparators=[right])):
                sign = self.text.find("==", self.places.end(left), self.places.start(right))
                return (sign, sign + 2, "!=") if sign >= 0 else None
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name) as called)) if name in NAMES.plain_equalities:
                end = self.places.end(called)
                return (end - len(name), end, NAMES.reversed[name]) if name in NAMES.reversed else None
        return None

    def edit(self, edits: Sequence[Edit]) -> str:
        """The test with these edits."""
        text = self.text[self.start : self.end]
        for start, end, put in sorted(edits, reverse=True):
            text = text[: start - self.start] + put + text[end - self.start :]
        return text


def spread_copies(params: SuiteParams, chosen: Sequence[Twin], others: Sequence[Twin]) -> list[Twin]:
    """What is laid in beside the chosen alterations, one of each test: a copy of the test for each of the other ones,
    which may be several for one place, and in the test itself what keeps their right values out of it. Nothing where
    copies would not be run."""
    if params.suite.runner != "pytest":
        return []
    added: list[Twin] = []
    left = group_by_test(others)
    for (path, name), [first, *_] in group_by_test(chosen).items():
        test = _find_test(params.tests.get(path, ""), name) if path.endswith(".py") else None
        if test is not None:
            fitting = [twin for twin in left.get((path, name), ()) if test.start <= twin.start and twin.end <= test.end]
            added += _spread(test, first, [twin for twin in fitting if twin.is_value])
    return added


def list_idle(copies: Sequence[Twin], report: Report) -> list[Twin]:
    """The alterations whose copies passed over right code, by this report: they tell nothing."""
    passed = {test for test, status in report.outcomes.items() if status == "passed" and report.complete}
    made = [copy for copy in copies if isinstance(copy, CopiedTest) and copy.fails]
    return [copy.altered for copy in made if passed.issuperset(copy.fails)]


def _find_test(text: str, name: str) -> _TestText | None:
    """The test of this name; None where there is none, or several."""
    try:
        found = [test.node for test in find_tests(parse_python(text).body, "") if test.name == name]
    except FAULTS:
        return None
    return _TestText(text, found[0], PythonText(text)) if len(found) == 1 else None


def _spread(test: _TestText, chosen: Twin, others: Sequence[Twin]) -> Iterator[Twin]:
    name = test.name
    if name is None:
        return
    places = _part_by_place(test, chosen, others)
    turned = {spot: _turn(test, chosen if spot == chosen.start else group[0]) for spot, group in places.items()}
    for start, end, text in (edit for spot in places if spot != chosen.start for edit in turned[spot]):
        edit = {"start": start, "end": end, "text": text, "is_value": False, "is_proven": False, "shown": ""}
        yield chosen.model_copy(update=edit)
    twins = [twin for twin in chain.from_iterable(zip_longest(*places.values())) if twin and twin.place != chosen.place]
    names = (new for number in range(2, 1000) if (new := f"{name[2]}_{number}") not in test.text)
    for twin, new in zip(twins[:MOST_COPIES], names, strict=False):
        kept = [edit for spot in places if spot != twin.start for edit in turned[spot]]
        yield CopiedTest(
            **twin.model_dump(include={"path", "line", "is_value", "is_near"}),
            start=test.end,
            end=test.end,
            text=f"\n\n{test.edit([(name[0], name[1], new), (twin.start, twin.end, twin.text), *kept])}",
            test=f"{twin.test.removesuffix(name[2])}{new}",
            fails=tuple(_rename_test(failing, name[2], new) for failing in twin.fails),
            is_proven=False,
            altered=twin,
        )


def _part_by_place(test: _TestText, chosen: Twin, others: Sequence[Twin]) -> dict[int, list[Twin]]:
    """The alterations by where they stand, the chosen one's place first, one place of each assertion: to turn it round
    for one would do so for the other."""
    places: dict[int, list[Twin]] = {chosen.start: []}
    owners = {test.find_statement(chosen): chosen.start}
    for twin in others:
        statement = test.find_statement(twin)
        if statement is None or owners.setdefault(statement, twin.start) == twin.start:
            places.setdefault(twin.start, []).append(twin)
    return places


def _turn(test: _TestText, twin: Twin) -> list[Edit]:
    """An altered value, and an assertion that it is not so; nothing where the assertion cannot be turned round."""
    turn = test.turn(twin) if twin.is_value and not twin.is_near else None
    apart = turn is not None and (turn[1] <= twin.start or twin.end <= turn[0])
    return [turn, (twin.start, twin.end, twin.text)] if turn and apart else []


def _rename_test(test: str, own: str, name: str) -> str:
    """What a report calls the copy of a test: `tests/test_a.py::test_adds_2[1]` for `tests/test_a.py::test_adds[1]`."""
    return re.sub(rf"(?<=::){re.escape(own)}(?=$|\[)", name, test, count=1)
