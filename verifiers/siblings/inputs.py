"""Alters what a test hands to the code under test: all of it in one way, so that what belongs together stays so.

Numbers keep their order and letters their classes; equal ones stay equal. Keys, names of attributes and the like are
left alone. Whether something sensible came of it is seen when it is run over right code.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from random import Random
from string import ascii_lowercase, ascii_uppercase, digits

from crucible.domains.code.siblings import Kind
from verifiers.twins.places.python_expressions import is_written_out

NUMBER = re.compile(r"\d+")
SEPARATOR = re.compile(r"[^\w\s]|\s")
# matches the first of: ", " "-" "\n"
NAMING = frozenset({"getattr", "setattr", "delattr", "hasattr", "setenv", "delenv", "import_module", "patch", "open"})
"""What calls of these hand over are names of something."""
SETTINGS = frozenset({"encoding", "errors", "mode", "dtype", "match"})
"""What is handed over by these keywords is one of a few words."""
LARGEST = 1000
"""Larger numbers are only doubled."""


class InputAlterer(ast.NodeTransformer):
    """Alters the constants of a test in one way."""

    def __init__(self, kind: Kind, random: Random) -> None:
        self._kind = kind
        self._alter_number = _choose_numbers(kind, random)
        self._letters = _permute_letters(random) if kind == "letters" else {}
        self._rare = _exchange_letter(random) if kind == "near" else {}

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        """Another number or text; truth, nothing and bytes stay."""
        value = node.value
        if hasattr(node, "is_kept") or isinstance(value, bool) or not isinstance(value, int | float | str):
            return node
        return ast.copy_location(ast.Constant(self._alter_value(value)), node)

    def visit_List(self, node: ast.List) -> ast.List:
        """Its members altered, in another order or more often."""
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load) and len(node.elts) > 1 and is_written_out(node):
            node.elts = self._rearrange(node.elts)
        return node

    def visit_Dict(self, node: ast.Dict) -> ast.Dict:
        """Values alone."""
        node.values = [self.visit(value) for value in node.values]
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.Subscript:
        """Not the key."""
        node.value = self.visit(node.value)
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.JoinedStr:
        """Nothing of a text with placeholders."""
        return node

    def visit_keyword(self, node: ast.keyword) -> ast.keyword:
        """Not what is one of a few words."""
        return node if node.arg in SETTINGS else self.generic_visit(node)  # type: ignore[return-value]

    def visit_Call(self, node: ast.Call) -> ast.Call:
        """Not what names something."""
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        return node if called in NAMING else self.generic_visit(node)  # type: ignore[return-value]

    def _rearrange(self, members: list[ast.expr]) -> list[ast.expr]:
        if self._kind == "order":
            return [*members[1:], members[0]]
        return [*members, *members] if self._kind == "larger" else members

    def _alter_value(self, value: int | float | str) -> int | float | str:
        if isinstance(value, str):
            return self._alter_text(value)
        if isinstance(value, int):
            return self._alter_number(value)
        return self._alter_number(int(value)) + value % 1 if value < 1e15 else value

    def _alter_text(self, text: str) -> str:
        if self._kind == "order":
            return _turn_words(text)
        if self._kind == "letters":
            return "".join(self._letters.get(char, char) for char in text)
        if NUMBER.search(text):
            return NUMBER.sub(lambda found: str(self._alter_number(int(found[0]))), text)
        if self._kind == "larger":
            return _double_text(text)
        return "".join(self._rare.get(char, char) for char in text)


def _choose_numbers(kind: Kind, random: Random) -> Callable[[int], int]:
    """How numbers are altered: nought and one stay what they are, for they mean something of their own."""
    more, times, left = random.randint(1, 3), random.choice((7, 13, 40, 250)), random.randint(1, 6)
    if kind == "near":
        return lambda number: number + more if number > 1 else number
    if kind == "larger":
        return lambda number: number * (times if number < LARGEST else 2) + left if number > 1 else number
    return lambda number: number


def _permute_letters(random: Random) -> dict[str, str]:
    """Each letter and figure for another one, small ones for small ones; nought stays."""
    table: dict[str, str] = {}
    order = random.sample(range(26), 26)
    for letters in (ascii_lowercase, ascii_uppercase):
        table |= {letter: letters[order[at]] for at, letter in enumerate(letters)}
    return table | dict(zip(digits[1:], random.sample(digits[1:], 9), strict=True))


def _exchange_letter(random: Random) -> dict[str, str]:
    """A few letters for their neighbours."""
    step = random.choice((1, 2, 3))
    chosen = set(random.sample(range(26), 8))
    pairs = [(letters, at) for letters in (ascii_lowercase, ascii_uppercase) for at in sorted(chosen)]
    return {letters[at]: letters[(at + step) % 26] for letters, at in pairs}


def _turn_words(text: str) -> str:
    """The parts of a text between its first separator, the last ones first."""
    found = SEPARATOR.search(text.strip())
    return found[0].join(reversed(text.split(found[0]))) if found else text


def _double_text(text: str) -> str:
    """The text twice, with its first separator between."""
    found = SEPARATOR.search(text.strip())
    return f"{text}{found[0] if found else ''}{text}"
