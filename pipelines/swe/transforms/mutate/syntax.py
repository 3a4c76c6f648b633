"""Faults in other languages, by tree-sitter: the grammars' node names are rows of `syntax.toml`."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path, PurePosixPath

from tree_sitter import Language, Node, Parser

from crucible.datafile import rows
from crucible.record import Record
from pipelines.swe.transforms.mutate.edit import Edit

HERE = Path(__file__).parent

SIGNS = {
    **{"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "===": "!==", "!==": "==="},
    **{"+": "-", "-": "+", "*": "+", "/": "*", "%": "+", "&&": "||", "||": "&&"},
}
# What the grammars call the same thing; none of these names means another thing in another grammar.
BINARY = ("binary_expression", "binary")
UNARY = ("unary_expression", "unary_op_expression", "unary")
CHOICES = ("if_statement", "if_expression", "if", "if_modifier")
CALLS = (
    *("call_expression", "method_invocation", "function_call_expression", "member_call_expression"),
    *("scoped_call_expression", "call"),
)
TRUTHS = ("true", "false", "boolean_literal", "boolean")
LEAVES = (
    *("return_statement", "throw_statement", "continue_statement", "break_statement", "return", "next", "break"),
    *("return_expression", "continue_expression", "break_expression"),
)
WRAPPERS = ("statement_list", "expression_statement", "then")


class Grammar(Record):
    """A row of `syntax.toml`."""

    suffixes: tuple[str, ...]
    grammar: str
    entry: str = "language"
    """The grammar's function in its module."""
    functions: tuple[str, ...]
    numbers: tuple[str, ...]
    statements: tuple[str, ...] = ("expression_statement",)
    negated: str = "!({})"
    block: str = "{}"
    """What stands where something was taken away."""


def language(path: str) -> Grammar | None:
    """The grammar of the file's language, if there is one here."""
    suffix = PurePosixPath(path).suffix
    return next((row for row in rows(HERE / "syntax.toml", "languages", Grammar) if suffix in row.suffixes), None)


def edits(path: str, text: str) -> Iterator[Edit]:
    """Every edit in every function of a file that parses without an error."""
    grammar = language(path)
    if grammar is None:
        return
    root = _parser(grammar.grammar, grammar.entry).parse(text.encode()).root_node
    if root.has_error:
        return
    for node in _inside(root, grammar):
        for operator in OPERATORS:
            yield from operator(node, grammar)


@cache
def _parser(module: str, entry: str) -> Parser:
    return Parser(Language(getattr(importlib.import_module(module), entry)()))


def _inside(root: Node, grammar: Grammar) -> Iterator[Node]:
    """The nodes within functions, each once."""
    waiting = [(root, False)]
    while waiting:
        node, within = waiting.pop()
        if within:
            yield node
        within = within or node.type in grammar.functions
        waiting += [(child, within) for child in reversed(node.children)]


def _edit(operator: str, node: Node, text: str) -> Edit:
    return Edit(operator=operator, start=node.start_byte, end=node.end_byte, text=text)


def _text(node: Node) -> str:
    return (node.text or b"").decode()


def _sign(node: Node, grammar: Grammar) -> Iterator[Edit]:
    sign = node.child_by_field_name("operator")
    if node.type in BINARY and sign is not None and sign.type in SIGNS:
        name = "and for or" if sign.type in ("&&", "||") else "arithmetic" if sign.type in "+-*/%" else "comparison"
        if not (sign.type == "+" and any("string" in child.type for child in node.children)):
            yield _edit(name, sign, SIGNS[sign.type])


def _condition(node: Node, grammar: Grammar) -> Iterator[Edit]:
    condition = node.child_by_field_name("condition")
    if node.type in CHOICES and condition is not None and not condition.type.startswith("let_"):
        whole = _text(condition)
        inner = whole[1:-1] if condition.type in ("parenthesized_expression", "condition_clause") else ""
        negated = grammar.negated.format(inner or whole)
        yield _edit("negated condition", condition, f"({negated})" if inner else negated)


def _guard(node: Node, grammar: Grammar) -> Iterator[Edit]:
    body = node.child_by_field_name("consequence") or node.child_by_field_name("body")
    if node.type not in CHOICES or body is None or node.child_by_field_name("alternative") is not None:
        return
    inner = body.named_children if body.type not in LEAVES else [body]
    while len(inner) == 1 and inner[0].type in WRAPPERS:
        inner = inner[0].named_children
    if len(inner) == 1 and inner[0].type in LEAVES:
        yield _edit("dropped guard", node, grammar.block)


def _arguments(node: Node, grammar: Grammar) -> Iterator[Edit]:
    given = node.child_by_field_name("arguments")
    if node.type in CALLS and given is not None and len(given.named_children) >= 2:
        first, second = given.named_children[:2]
        yield Edit(
            operator="swapped arguments",
            start=first.start_byte,
            end=second.end_byte,
            text=f"{_text(second)}, {_text(first)}",
        )


def _not(node: Node, grammar: Grammar) -> Iterator[Edit]:
    if node.type in UNARY and node.children[0].type == "!" and node.named_children:
        yield _edit("removed not", node, _text(node.named_children[-1]))


def _constant(node: Node, grammar: Grammar) -> Iterator[Edit]:
    text = _text(node)
    if node.type in grammar.numbers and text.isdigit():
        yield _edit("wrong constant", node, str(int(text) + 1))
    elif node.type in TRUTHS and text in ("true", "false"):
        yield _edit("wrong constant", node, "false" if text == "true" else "true")


def _statement(node: Node, grammar: Grammar) -> Iterator[Edit]:
    if node.type in grammar.statements and not _text(node).startswith(("'", '"', "`")):
        yield _edit("dropped statement", node, grammar.block)


OPERATORS: tuple[Callable[[Node, Grammar], Iterator[Edit]], ...] = (
    *(_sign, _condition, _guard, _arguments),
    *(_not, _constant, _statement),
)
