"""Faults in other languages, by tree-sitter: the grammars' names for nodes are in the table of languages."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tree_sitter import Node

from crucible.domains.code.languages import Syntax, syntax_of
from crucible.domains.code.mutate.edit import Edit
from crucible.domains.code.syntax_trees import node_text as _text
from crucible.domains.code.syntax_trees import parse_tree

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


def find_edits(path: str, text: str) -> Iterator[Edit]:
    """Every edit in every function of a file that parses without an error, and of the numbers beside them."""
    syntax = syntax_of(path)
    root = parse_tree(path, text)
    if syntax is None or root is None:
        return
    for node, within in _nodes_by_place(root, syntax):
        for operator in OPERATORS if within else (_change_number,):
            yield from operator(node, syntax)


def _nodes_by_place(root: Node, syntax: Syntax) -> Iterator[tuple[Node, bool]]:
    """The nodes, each once, in the order of the text, and whether they are within a function."""
    waiting = [(root, False)]
    while waiting:
        node, within = waiting.pop()
        yield node, within
        within = within or node.type in syntax.functions
        waiting += [(child, within) for child in reversed(node.children)]


def _edit(operator: str, node: Node, text: str) -> Edit:
    return Edit(operator=operator, start=node.start_byte, end=node.end_byte, text=text)


def _replace_sign(node: Node, syntax: Syntax) -> Iterator[Edit]:
    """Another sign between two operands: `<=` for `<`, `-` for `+`, `||` for `&&`. Joining strings stays."""
    sign = node.child_by_field_name("operator")
    if node.type in BINARY and sign is not None and sign.type in SIGNS:
        name = "and for or" if sign.type in ("&&", "||") else "arithmetic" if sign.type in "+-*/%" else "comparison"
        if not (sign.type == "+" and any("string" in child.type for child in node.children)):
            yield _edit(name, sign, SIGNS[sign.type])


def _negate_condition(node: Node, syntax: Syntax) -> Iterator[Edit]:
    """The condition of a choice turned round."""
    condition = node.child_by_field_name("condition")
    if node.type in CHOICES and condition is not None and not condition.type.startswith("let_"):
        text = _text(condition)
        inner = text[1:-1] if condition.type in ("parenthesized_expression", "condition_clause") else ""
        negated = syntax.negated.format(inner or text)
        yield _edit("negated condition", condition, f"({negated})" if inner else negated)


def _drop_guard(node: Node, syntax: Syntax) -> Iterator[Edit]:
    """A choice that does nothing but leave, taken away."""
    body = node.child_by_field_name("consequence") or node.child_by_field_name("body")
    if node.type not in CHOICES or body is None or node.child_by_field_name("alternative") is not None:
        return
    inner = body.named_children if body.type not in LEAVES else [body]
    while len(inner) == 1 and inner[0].type in WRAPPERS:
        inner = inner[0].named_children
    if len(inner) == 1 and inner[0].type in LEAVES:
        yield _edit("dropped guard", node, syntax.block)


def _swap_arguments(node: Node, syntax: Syntax) -> Iterator[Edit]:
    """The first two arguments of a call in the wrong order."""
    arguments = node.child_by_field_name("arguments")
    if node.type in CALLS and arguments is not None and len(arguments.named_children) >= 2:
        first, second = arguments.named_children[:2]
        yield Edit(
            operator="swapped arguments",
            start=first.start_byte,
            end=second.end_byte,
            text=f"{_text(second)}, {_text(first)}",
        )


def _remove_not(node: Node, syntax: Syntax) -> Iterator[Edit]:
    """What a `!` negates, without it."""
    if node.type in UNARY and node.children[0].type == "!" and node.named_children:
        yield _edit("removed not", node, _text(node.named_children[-1]))


def _change_number(node: Node, syntax: Syntax) -> Iterator[Edit]:
    """A number that is one too large."""
    whole, dot, part = _text(node).partition(".")
    if node.type in syntax.numbers and whole.isdigit() and part.isdigit() == bool(dot):
        yield _edit("wrong constant", node, f"{int(whole) + 1}{dot}{part}")


def _change_constant(node: Node, syntax: Syntax) -> Iterator[Edit]:
    """A number that is one too large, or `true` for `false`."""
    text = _text(node)
    yield from _change_number(node, syntax)
    if node.type in TRUTHS and text in ("true", "false"):
        yield _edit("wrong constant", node, "false" if text == "true" else "true")


def _drop_statement(node: Node, syntax: Syntax) -> Iterator[Edit]:
    """A statement taken away. A text that stands alone is a directive (`"use strict"`) and stays."""
    if node.type in syntax.statements and not _text(node).startswith(("'", '"', "`")):
        yield _edit("dropped statement", node, syntax.block)


OPERATORS: tuple[Callable[[Node, Syntax], Iterator[Edit]], ...] = (
    *(_replace_sign, _negate_condition, _drop_guard, _swap_arguments),
    *(_remove_not, _change_constant, _drop_statement),
)
