"""Source files as tree-sitter's trees: the grammar comes from the table of languages."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from functools import cache

from tree_sitter import Language, Node, Parser

from crucible.domains.code.languages import syntax_of


def parse_tree(path: str, text: str) -> Node | None:
    """The root of a file's tree; None where its language has no grammar here, or where it does not parse."""
    syntax = syntax_of(path)
    if syntax is None:
        return None
    root = _load_parser(syntax.grammar, syntax.entry).parse(text.encode()).root_node
    return None if root.has_error else root


def walk_nodes(root: Node) -> Iterator[Node]:
    """The node and everything below it, in the order of the text."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += reversed(node.children)


def node_text(node: Node) -> str:
    """A node as it is written."""
    return (node.text or b"").decode()


@cache
def _load_parser(module: str, entry: str) -> Parser:
    """The parser of the grammar that this function of a Python module gives."""
    return Parser(Language(getattr(importlib.import_module(module), entry)()))
