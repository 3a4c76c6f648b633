"""Other languages in other words, by tree-sitter: comparisons with their sides changed over, conditions negated twice,
no comments."""

from __future__ import annotations

from tree_sitter import Node

from crucible.domains.code.languages import Syntax, syntax_of
from crucible.domains.code.mutate.syntax import BINARY, CHOICES
from crucible.domains.code.syntax_trees import node_text, parse_tree

MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!=", "===": "===", "!==": "!=="}
READ_BY_TOOLS = ("//go:", "//export", "// +build", "#!", "///", "//!", "/**")
"""Beginnings of comments that compilers and other tools read."""


def rewrite_text(path: str, text: str, deep: bool) -> str | None:
    """The file without its comments, with blank lines at its end; `deep`: with comparisons and conditions written
    otherwise as well. None where it does not parse."""
    syntax, root = syntax_of(path), parse_tree(path, text)
    if syntax is None or root is None:
        return None
    written = _render(root, text.encode(), syntax, deep)
    lead = text.encode()[: root.start_byte]
    return (lead + written).decode().rstrip("\n") + "\n\n\n"


def _render(node: Node, data: bytes, syntax: Syntax, deep: bool) -> bytes:
    is_comment = "comment" in node.type
    if is_comment and not node_text(node).startswith(READ_BY_TOOLS):
        return b" "
    if is_comment or not node.children:
        return data[node.start_byte : node.end_byte]
    if deep and (mirrored := _mirror(node, data, syntax)) is not None:
        return mirrored
    written, place = b"", node.start_byte
    condition = node.child_by_field_name("condition") if deep and node.type in CHOICES else None
    for child in node.children:
        part = _render(child, data, syntax, deep)
        is_condition = condition is not None and child.start_byte == condition.start_byte and child == condition
        written += data[place : child.start_byte] + (_negate_twice(child, part, syntax) if is_condition else part)
        place = child.end_byte
    return written + data[place : node.end_byte]


def _mirror(node: Node, data: bytes, syntax: Syntax) -> bytes | None:
    """A comparison with its sides changed over; None for what is no comparison."""
    sign = node.child_by_field_name("operator")
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if node.type not in BINARY or sign is None or sign.type not in MIRRORED or left is None or right is None:
        return None
    first, second = _render(right, data, syntax, True), _render(left, data, syntax, True)
    return b"(%s) %s (%s)" % (first, MIRRORED[sign.type].encode(), second)


def _negate_twice(condition: Node, text: bytes, syntax: Syntax) -> bytes:
    if condition.type.startswith("let_"):
        return text
    has_brackets = condition.type in ("parenthesized_expression", "condition_clause")
    inner = text.decode()[1:-1] if has_brackets else text.decode()
    twice = syntax.negated.format(syntax.negated.format(inner))
    return (f"({twice})" if has_brackets else twice).encode()
