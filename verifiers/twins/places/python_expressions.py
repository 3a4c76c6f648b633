"""What the expressions of a Python test are made of."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def is_written_out(value: ast.expr) -> bool:
    """Whether an expression consists of constants alone."""
    parts = ast.Constant | ast.List | ast.Tuple | ast.Set | ast.Dict | ast.UnaryOp | ast.operator | ast.unaryop
    return all(isinstance(node, parts | ast.expr_context) for node in ast.walk(value))


def list_handed(call: ast.Call) -> list[ast.expr]:
    """What a call hands over."""
    return [*call.args, *(word.value for word in call.keywords)]


def has_call(value: ast.expr) -> bool:
    """Whether something is called within an expression."""
    return any(isinstance(node, ast.Call) for node in ast.walk(value))


def is_empty(node: ast.expr) -> bool:
    """Whether it is a list, tuple or mapping of nothing."""
    return isinstance(node, ast.List | ast.Tuple | ast.Dict) and not (
        getattr(node, "elts", ()) or getattr(node, "keys", ())
    )


def list_keys(value: ast.expr) -> set[ast.expr]:
    """The keys of the mappings within an expression: a task's statement names them, and tests tell the values."""
    return {key for node in ast.walk(value) if isinstance(node, ast.Dict) for key in node.keys if key is not None}


def walk_values(value: ast.expr) -> Iterator[ast.expr]:
    """The expressions within one, but not those of strings with placeholders, nor the keys of a subscript."""
    if isinstance(value, ast.JoinedStr | ast.Lambda):
        return
    yield value
    children = [value.value] if isinstance(value, ast.Subscript) else ast.iter_child_nodes(value)
    for child in children:
        if isinstance(child, ast.keyword):
            child = child.value
        if isinstance(child, ast.expr):
            yield from walk_values(child)
