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
LEAVES = ("return_statement", "throw_statement", "continue_statement", "break_statement")


class Grammar(Record):
    """A row of `syntax.toml`."""

    suffixes: tuple[str, ...]
    grammar: str
    functions: tuple[str, ...]
    numbers: tuple[str, ...]
    statements: tuple[str, ...]
    negated: str
    block: str


def language(path: str) -> Grammar | None:
    """The grammar of the file's language, if there is one here."""
    suffix = PurePosixPath(path).suffix
    return next((row for row in rows(HERE / "syntax.toml", "languages", Grammar) if suffix in row.suffixes), None)


def edits(path: str, text: str) -> Iterator[Edit]:
    """Every edit in every function of a file that parses without an error."""
    grammar = language(path)
    if grammar is None:
        return
    root = _parser(grammar.grammar).parse(text.encode()).root_node
    if root.has_error:
        return
    for node in _inside(root, grammar):
        for operator in OPERATORS:
            yield from operator(node, grammar)


@cache
def _parser(module: str) -> Parser:
    return Parser(Language(importlib.import_module(module).language()))


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
    if node.type == "binary_expression" and sign is not None and sign.type in SIGNS:
        name = "and for or" if sign.type in ("&&", "||") else "arithmetic" if sign.type in "+-*/%" else "comparison"
        if not (sign.type == "+" and any("string" in child.type for child in node.children)):
            yield _edit(name, sign, SIGNS[sign.type])


def _condition(node: Node, grammar: Grammar) -> Iterator[Edit]:
    condition = node.child_by_field_name("condition")
    if node.type == "if_statement" and condition is not None:
        text = _text(condition).removeprefix("(").removesuffix(")") if condition.type.startswith("paren") else ""
        negated = grammar.negated.format(text or _text(condition))
        yield _edit("negated condition", condition, f"({negated})" if text else negated)


def _guard(node: Node, grammar: Grammar) -> Iterator[Edit]:
    body = node.child_by_field_name("consequence")
    if node.type != "if_statement" or body is None or node.child_by_field_name("alternative") is not None:
        return
    inner = body.named_children if body.type not in LEAVES else [body]
    while len(inner) == 1 and inner[0].type == "statement_list":
        inner = inner[0].named_children
    if len(inner) == 1 and inner[0].type in LEAVES:
        yield _edit("dropped guard", node, grammar.block)


def _arguments(node: Node, grammar: Grammar) -> Iterator[Edit]:
    given = node.child_by_field_name("arguments")
    if node.type == "call_expression" and given is not None and len(given.named_children) >= 2:
        first, second = given.named_children[:2]
        yield Edit(
            operator="swapped arguments",
            start=first.start_byte,
            end=second.end_byte,
            text=f"{_text(second)}, {_text(first)}",
        )


def _not(node: Node, grammar: Grammar) -> Iterator[Edit]:
    operand = node.child_by_field_name("argument") or node.child_by_field_name("operand")
    if node.type == "unary_expression" and node.children[0].type == "!" and operand is not None:
        yield _edit("removed not", node, _text(operand))


def _constant(node: Node, grammar: Grammar) -> Iterator[Edit]:
    if node.type in grammar.numbers and _text(node).isdigit():
        yield _edit("wrong constant", node, str(int(_text(node)) + 1))
    elif node.type in ("true", "false"):
        yield _edit("wrong constant", node, "false" if node.type == "true" else "true")


def _statement(node: Node, grammar: Grammar) -> Iterator[Edit]:
    if node.type in grammar.statements and not _text(node).startswith(("'", '"', "`")):
        yield _edit("dropped statement", node, grammar.block)


OPERATORS: tuple[Callable[[Node, Grammar], Iterator[Edit]], ...] = (
    *(_sign, _condition, _guard, _arguments),
    *(_not, _constant, _statement),
)
