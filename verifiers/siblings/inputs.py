"""Alters what a test in Python hands to the code under test: all of it in one way.

Keys, names of attributes and the like are left alone. Whether something sensible came of it is seen when it is run over
right code.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence
from random import Random

from crucible.domains.code.siblings import Kind
from verifiers.siblings.values import ValueAlterer
from verifiers.twins.places.python_expressions import is_written_out

NAMING = frozenset({"getattr", "setattr", "delattr", "hasattr", "setenv", "delenv", "import_module", "patch", "open"})
"""What calls of these hand over are names of something."""
SETTINGS = frozenset({"encoding", "errors", "mode", "dtype", "match"})
"""What is handed over by these keywords is one of a few words."""


def alter_lines(lines: Sequence[ast.stmt], kind: Kind, random: Random, is_alone: bool) -> list[ast.stmt]:
    """The lines of a test with other inputs; with one other value, where one alone is altered."""
    alone = None
    if is_alone:
        known = ValueAlterer(kind, random)
        for line in lines:
            InputAlterer(known).visit(copy.deepcopy(line))
        alone = known.pick_altered(random)
    alterer = InputAlterer(ValueAlterer(kind, random, alone))
    return [alterer.visit(line) for line in lines]


class InputAlterer(ast.NodeTransformer):
    """Alters the constants of a test in one way."""

    def __init__(self, values: ValueAlterer) -> None:
        self._values = values

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        """Another number or text; truth, nothing and bytes stay."""
        value = node.value
        if hasattr(node, "is_kept") or isinstance(value, bool) or not isinstance(value, int | float | str):
            return node
        other = self._values.alter_text(value) if isinstance(value, str) else self._values.alter_number(value)
        return ast.copy_location(ast.Constant(other), node)

    def visit_List(self, node: ast.List) -> ast.List:
        """Its members altered, in another order or more often."""
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load) and len(node.elts) > 1 and is_written_out(node):
            node.elts = self._values.rearrange(node.elts)
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
