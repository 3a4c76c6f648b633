"""Places in Python tests where an assertion can be altered, by Python's own syntax tree."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from crucible.datafile import read_file
from crucible.domains.code.definitions import parse_python
from crucible.record import Record
from verifiers.twins.places.place import (
    ENCLOSED,
    INVERSION,
    NEAR_VALUE,
    REVERSAL,
    SWAP,
    VALUE,
    Draft,
    Place,
    Text,
    pick_expected,
)
from verifiers.twins.places.python_expressions import (
    has_call,
    is_empty,
    is_written_out,
    list_handed,
    list_keys,
    walk_values,
)
from verifiers.twins.places.python_functions import FAULTS, Test, find_tests
from verifiers.twins.places.python_text import PythonText
from verifiers.twins.places.python_values import is_another, is_made
from verifiers.twins.values.literals import alter_number, alter_string, alter_word

MOST_LEAVES = 6
"""How many values within one expected list or mapping are altered, each by a candidate of its own: code may solve all
members but one."""
OPPOSITES: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Lt: ("<", ">"),
    ast.GtE: (">=", "<"),
    ast.Gt: (">", "<"),
    ast.LtE: ("<=", ">"),
    ast.In: ("in", "not in"),
    ast.Is: ("is", "is not"),
}
BOUNDS = (ast.Lt | ast.LtE, ast.Gt | ast.GtE)
"""The signs that say which one is larger, each way."""
ENCLOSURES = ("[{}]", "({},)", "[{}, None]", "({}, None)")
"""What an expected value that is not written out is put into: right code returns nothing of the kind."""
EMPTY = {ast.List: "[0]", ast.Tuple: "(0,)", ast.Dict: "{0: 0}"}


class Names(Record):
    """What `python_names.toml` says."""

    equalities: frozenset[str]
    plain_equalities: frozenset[str]
    bounds: frozenset[str]
    mentions: frozenset[str]
    raising: frozenset[str]
    exceptions: tuple[str, ...]
    expected: str
    reversed: dict[str, str]


NAMES = read_file(Path(__file__).parent / "python_names.toml", Names)


def find_places(draft: Draft) -> list[Place]:
    """Every alteration of an assertion in the tests of a file that still parses."""
    try:
        tree = parse_python(draft.text)
    except FAULTS:
        return []
    places: list[Place] = []
    text = PythonText(draft.text)
    for test in find_tests(tree.body, ""):
        reader = _Reader(draft, test, text)
        found = list(reader.read())
        places += [place for place in found or reader.invert() if reader.parses_with(place)]
    return places


def find_texts(draft: Draft) -> list[Text]:
    """The texts in the tests of a file, with their quotes, but for what describes a test."""
    try:
        tree = parse_python(draft.text)
    except FAULTS:
        return []
    text = PythonText(draft.text)
    return [
        Text(text.start(node), text.end(node), test.name)
        for test in find_tests(tree.body, "")
        for node in ast.walk(test.node)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and text.source(node)[:1] in tuple("'\"")
    ]


def find_handed(draft: Draft) -> list[Text]:
    """What the tests of a file hand to functions where all of it is written out: `(5, [0])` of `share(5, [0])`."""
    try:
        tree = parse_python(draft.text)
    except FAULTS:
        return []
    text = PythonText(draft.text)
    return [
        Text(text.end(node.func), text.end(node), test.name, text.source(node.func))
        for test in find_tests(tree.body, "")
        for node in ast.walk(test.node)
        if isinstance(node, ast.Call) and (handed := list_handed(node)) and all(map(is_written_out, handed))
    ]


class _Reader:
    """Reads the assertions of one test."""

    def __init__(self, draft: Draft, test: Test, text: PythonText) -> None:
        self._draft = draft
        self._test = test
        self._text = text
        self._assigned = {
            target.id: node.value
            for node in ast.walk(test.node)
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }

    def read(self) -> Iterator[Place]:
        """The alterations of the test's assertions, and of the rows of values that it is given as parameters or goes
        through in a loop."""
        for node in ast.walk(self._test.node):
            if isinstance(node, ast.Assert):
                yield from self._alter_assertion(node.test)
            elif isinstance(node, ast.Call):
                yield from self._alter_call(node)
            elif isinstance(node, ast.For) and isinstance(node.target, ast.Tuple):
                names = [self._text.source(name) for name in node.target.elts]
                yield from self._alter_rows(names, self._resolve(node.iter))

    def invert(self) -> Iterator[Place]:
        """For a test that has no assertion: what its statements seem to hand to helpers as expected, and a failing
        assertion at its end."""
        for node in ast.walk(self._test.node):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                for expected in pick_expected(list_handed(node.value), is_written_out, has_call):
                    yield from self._alter_leaves(expected, NEAR_VALUE)
        last = self._test.node.body[-1]
        if last.lineno == self._test.node.lineno:
            return
        at = self._text.end_of_line(last)
        indent = " " * self._test.node.body[0].col_offset
        subject = next(iter(sorted(self._assigned)), str(self._draft.random.randint(2, 9)))
        value = self._draft.random.randint(10, 99)
        uses_methods = self._test.is_method and "self.assert" in self._draft.text
        claim = f"self.assertEqual({subject}, {value})" if uses_methods else f"assert {subject} == {value}"
        yield Place(at, at, f"\n{indent}{claim}", self._test.name, INVERSION)

    def parses_with(self, place: Place) -> bool:
        """Whether the test still parses; the rest of the file is as it was."""
        first = min([self._test.node, *self._test.node.decorator_list], key=lambda node: node.lineno)
        start, end = self._text.start_of_line(first), self._text.end_of_line(self._test.node)
        text = self._draft.text
        altered = text[start : place.start] + place.text + text[place.end : max(end, place.end)]
        try:
            parse_python(f"if 1:\n{altered}" if self._test.node.col_offset else altered)
        except FAULTS:
            return False
        return True

    def _alter_assertion(self, test: ast.expr) -> Iterator[Place]:
        """Another expected value, and the condition turned round."""
        if isinstance(test, ast.Compare) and len(test.ops) == 1:
            yield from self._alter_comparison(test)
        elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            start = self._text.start(test)
            space = len(self._draft.text[start + 3 :]) - len(self._draft.text[start + 3 :].lstrip())
            yield Place(start, start + 3 + space, "", self._test.name, REVERSAL)
        elif isinstance(test, ast.BoolOp):
            for part in test.values if isinstance(test.op, ast.And) else ():
                yield from self._alter_assertion(part)
            yield self._place(test, f"not ({self._text.source(test)})", REVERSAL)
        else:
            if isinstance(test, ast.Compare):
                yield from self._alter_chain(test)
            is_plain = isinstance(test, ast.Name | ast.Attribute | ast.Call | ast.Subscript)
            source = self._text.source(test)
            yield self._place(test, f"not {source}" if is_plain else f"not ({source})", REVERSAL)

    def _alter_chain(self, test: ast.Compare) -> Iterator[Place]:
        """`b < x < a` for `a < x < b`, which nothing is but what says yes to every comparison; else another value."""
        low, high = test.left, test.comparators[-1]
        if len(test.ops) == 2 and any(all(isinstance(sign, way) for sign in test.ops) for way in BOUNDS):
            between = self._draft.text[self._text.end(low) : self._text.start(high)]
            text = self._text.source(high) + between + self._text.source(low)
            yield Place(self._text.start(low), self._text.end(high), text, self._test.name, ENCLOSED)
        elif is_written_out(high):
            yield from self._alter_leaves(high, VALUE)

    def _alter_comparison(self, test: ast.Compare) -> Iterator[Place]:
        """Another expected value, and another sign. A bound is no expected value (`> 24` is so where `> 25` is); its
        sign tells right code from what says yes to every comparison."""
        right = test.comparators[0]
        is_bound = any(isinstance(test.ops[0], way) for way in BOUNDS)
        if not is_bound and not isinstance(test.ops[0], ast.NotEq | ast.IsNot | ast.NotIn):
            yield from self._alter_expected(test.left, right, isinstance(test.ops[0], ast.Eq))
        opposite = OPPOSITES.get(type(test.ops[0]))
        between = self._text.end(test.left), self._text.start(right)
        if opposite and (found := re.search(opposite[0], self._draft.text[slice(*between)])):
            start, rank = between[0] + found.start(), ENCLOSED if is_bound else REVERSAL
            yield Place(start, start + len(opposite[0]), opposite[1], self._test.name, rank)
        else:
            yield self._place(test, f"not ({self._text.source(test)})", REVERSAL)

    def _alter_call(self, call: ast.Call) -> Iterator[Place]:
        """Another value or name in a call that asserts, or in the parameters that a decorator gives."""
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if name in NAMES.equalities and len(call.args) >= 2:
            yield from self._alter_expected(call.args[0], call.args[1], name in NAMES.plain_equalities)
        elif name in NAMES.mentions:
            for value in list_handed(call):
                yield from self._alter_leaves(value, VALUE)
        elif name in NAMES.raising and call.args:
            yield from self._alter_exception(call)
        elif name == "parametrize" and len(call.args) >= 2:
            names = call.args[0].value if isinstance(call.args[0], ast.Constant) else ""
            yield from self._alter_rows(str(names).split(",") if names else [], call.args[1])
        elif name in ("assertTrue", "assert_") and call.args and isinstance(call.args[0], ast.Compare):
            yield from self._alter_assertion(call.args[0])
        if name in NAMES.reversed:
            end, rank = self._text.end(call.func), ENCLOSED if name in NAMES.bounds else REVERSAL
            yield Place(end - len(name), end, NAMES.reversed[name], self._test.name, rank)

    def _alter_expected(self, left: ast.expr, right: ast.expr, is_equality: bool) -> Iterator[Place]:
        """The values in whichever side is written out, or made of such by Python's own types; where neither is, the
        side that calls nothing is put into a list, and the values are altered that the right side is made of."""
        written = [self._resolve(side) for side in (right, left) if is_written_out(self._resolve(side))]
        if written:
            yield from self._alter_leaves(written[0], VALUE)
            return
        made = [place for side in (right, left) if is_equality for place in self._alter_made(side)]
        if made:
            yield from made
            return
        if is_equality:
            side = min((right, left), key=self._count_calls)
            enclosure = self._draft.random.choice(ENCLOSURES)
            yield self._place(side, enclosure.format(self._text.source(side)), ENCLOSED)
        yield from self._alter_leaves(self._resolve(right), NEAR_VALUE)

    def _alter_made(self, side: ast.expr) -> Iterator[Place]:
        """Other values of Python's own types in the place of one."""
        side = self._assigned.get(side.id, side) if isinstance(side, ast.Name) else side
        if is_made(side, self._draft.text):
            start, source = self._text.start(side), self._text.source(side)
            for place in self._alter_leaves(side, VALUE):
                text = source[: place.start - start] + place.text + source[place.end - start :]
                if is_another(source, text):
                    yield self._place(side, text, VALUE)

    def _count_calls(self, side: ast.expr) -> tuple[int, int]:
        """How many calls there are in a side of a comparison, and in what a variable there was given."""
        origin = self._assigned.get(side.id, side) if isinstance(side, ast.Name) else side
        calls = [sum(isinstance(node, ast.Call) for node in ast.walk(value)) for value in (side, origin)]
        return calls[0], calls[1]

    def _resolve(self, side: ast.expr) -> ast.expr:
        """What a variable of the test was given, where that is written out."""
        value = self._assigned.get(side.id, side) if isinstance(side, ast.Name) else side
        return value if is_written_out(value) else side

    def _alter_rows(self, names: Sequence[str], rows: ast.expr) -> Iterator[Place]:
        """The expected value in each row: the one with such a name, or the last."""
        expected = [at for at, name in enumerate(names) if re.fullmatch(NAMES.expected, name.strip())]
        for row in rows.elts if isinstance(rows, ast.List | ast.Tuple) else ():
            cells = row.args if isinstance(row, ast.Call) else getattr(row, "elts", [row])
            if cells and len(names) != 1:
                at = expected[0] if expected and expected[0] < len(cells) else -1
                yield from self._alter_leaves(cells[at], VALUE)
            else:
                yield from self._alter_leaves(row, NEAR_VALUE)

    def _alter_exception(self, call: ast.Call) -> Iterator[Place]:
        """Another exception, or another message."""
        expected = self._text.source(call.args[0])
        others = [name for name in NAMES.exceptions if name not in expected]
        yield self._place(call.args[0], self._draft.random.choice(others), VALUE)
        for value in [*call.args[1:2], *(word.value for word in call.keywords if word.arg == "match")]:
            if isinstance(value, ast.Constant):
                yield from self._alter_leaves(value, VALUE)

    def _alter_leaves(self, value: ast.expr, rank: int) -> Iterator[Place]:
        """Some of the constants within an expression, each replaced by another, keys only where there are few; two that
        differ exchanged."""
        leaves = [leaf for leaf in walk_values(value) if isinstance(leaf, ast.Constant) or is_empty(leaf)]
        if rank == VALUE:
            yield from self._swap_leaves([leaf for leaf in leaves if isinstance(leaf, ast.Constant)])
        self._draft.random.shuffle(leaves)
        leaves.sort(key=list_keys(value).__contains__)
        altered = [(leaf, self._alter_leaf(leaf)) for leaf in leaves[: MOST_LEAVES * 2]]
        yield from [self._place(leaf, text, rank) for leaf, text in altered if text][:MOST_LEAVES]

    def _swap_leaves(self, leaves: Sequence[ast.Constant]) -> Iterator[Place]:
        """The first two neighbours of one type that differ, each in the other's place."""
        for one, other in pairwise(leaves):
            if type(one.value) is type(other.value) and one.value != other.value:
                start, end = self._text.start(one), self._text.end(other)
                between = self._draft.text[self._text.end(one) : self._text.start(other)]
                text = self._text.source(other) + between + self._text.source(one)
                yield Place(start, end, text, self._test.name, SWAP)
                return

    def _alter_leaf(self, leaf: ast.expr) -> str:
        source = self._text.source(leaf)
        if not isinstance(leaf, ast.Constant):
            return EMPTY[type(leaf)]
        if isinstance(leaf.value, bool) or leaf.value is None:
            return alter_word(source)
        if isinstance(leaf.value, str | bytes):
            return alter_string(source, self._draft.random)
        return alter_number(source, self._draft.random) if isinstance(leaf.value, int | float) else ""

    def _place(self, node: ast.expr, text: str, rank: int) -> Place:
        return Place(self._text.start(node), self._text.end(node), text, self._test.name, rank)
