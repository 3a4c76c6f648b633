"""Tests in Python, as copies need them."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from crucible.domains.code.definitions import parse_python
from crucible.domains.code.twins import Twin
from verifiers.twins.copies.rows import pick_rows
from verifiers.twins.copies.text import Edit
from verifiers.twins.places.python_functions import FAULTS, Function, find_tests
from verifiers.twins.places.python_tests import NAMES
from verifiers.twins.places.python_text import PythonText


class PythonTests:
    """The test functions of one file; none where it does not parse."""

    def __init__(self, text: str) -> None:
        self._text = text
        try:
            self._tests = list(find_tests(parse_python(text).body, ""))
        except FAULTS:
            self._tests = []

    def deny(self, twin: Twin) -> tuple[Edit, ...]:
        """What makes the assertion that holds an altered value hold with right code; nothing where it is not known."""
        test = self.find(twin.test)
        turn = test.turn(twin) if test else None
        return (turn,) if turn else ()

    def find(self, name: str) -> PythonTest | None:
        """The test of this name; None where there is none, or several."""
        found = [test.node for test in self._tests if test.name == name]
        return PythonTest(self._text, found[0]) if len(found) == 1 else None


class PythonTest:
    """A test function in the text of its file."""

    def __init__(self, text: str, node: Function) -> None:
        self._text = text
        self._node = node
        self._places = PythonText(text)
        self.start = self._places.start_of_line(min([node, *node.decorator_list], key=lambda part: part.lineno))
        self.end = self._places.end_of_line(node)
        defined = re.compile(r"(?:async\s+)?def\s+(\w+)").match(text, self._places.start(node))
        self.name = Edit(*(defined.span(1) if defined else (self.start, self.start)), node.name)

    def _find_statement(self, twin: Twin) -> ast.stmt | None:
        """The innermost statement that holds a place; None for one in a decorator."""
        inner = [node for node in ast.walk(self._node) if isinstance(node, ast.stmt) and node is not self._node]
        holding = [node for node in inner if self._holds(node, twin)]
        return max(holding, key=self._places.start, default=None)

    def _holds(self, node: ast.stmt, twin: Twin) -> bool:
        return self._places.start(node) <= twin.start and twin.end <= self._places.end(node)

    def turn(self, twin: Twin) -> Edit | None:
        """`!=` for the `==` of an `assert`, `assertNotEqual` for `assertEqual`."""
        match self._find_statement(twin):
            case ast.Assert(test=ast.Compare(left=left, ops=[ast.Eq()], comparators=[right])):
                sign = self._text.find("==", self._places.end(left), self._places.start(right))
                return Edit(sign, sign + 2, "!=") if sign >= 0 else None
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name) as called)) if name in NAMES.plain_equalities:
                end = self._places.end(called)
                return Edit(end - len(name), end, NAMES.reversed[name]) if name in NAMES.reversed else None
        return None

    def list_rows(self, twins: Sequence[Twin]) -> dict[int, Edit]:
        """Rows of a list or tuple that are more than a value each, unless they have names in another one (`ids`)."""
        if any(isinstance(node, ast.keyword) and node.arg == "ids" for node in ast.walk(self._node)):
            return {}
        lists = [node for node in ast.walk(self._node) if isinstance(node, (ast.List, ast.Tuple))]
        tables = [node for node in lists if all(isinstance(row, (ast.List, ast.Tuple, ast.Call)) for row in node.elts)]
        rows = [[(self._places.start(row), self._places.end(row)) for row in table.elts] for table in tables]
        return pick_rows(self._text, rows, twins)
