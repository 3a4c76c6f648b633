"""Values that Python's own types make of written-out ones: `date(2024, 2, 29)`, `[Decimal("1.5")]`.

They are expected values like those that are written out. Only some of their alterations are values at all
(`date(2023, 2, 29)` is none), and not all of these are others (`Decimal("1.50")`).
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Mapping

MODULES = {
    **dict.fromkeys(("date", "datetime", "time", "timedelta"), "datetime"),
    **{"Decimal": "decimal", "Fraction": "fractions", "UUID": "uuid", "PurePath": "pathlib", "Path": "pathlib"},
    **dict.fromkeys(("set", "frozenset", "complex"), "builtins"),
}
"""Where each of these types is."""
PARTS = (
    ast.Constant | ast.List | ast.Tuple | ast.Set | ast.Dict | ast.UnaryOp | ast.USub | ast.expr_context | ast.keyword
)
FAULTS = (ValueError, TypeError, ArithmeticError)


def is_made(value: ast.expr, file: str) -> bool:
    """Whether an expression consists of constants and of calls of such types, which this test file imports."""
    calls = {id(call.func) for call in ast.walk(value) if isinstance(call, ast.Call) and _is_known(call, file)}
    inner = {id(node) for func in ast.walk(value) if id(func) in calls for node in ast.walk(func)}
    plain = (node for node in ast.walk(value) if id(node) not in inner)
    return bool(calls) and all(isinstance(node, PARTS) or id(getattr(node, "func", None)) in calls for node in plain)


def is_another(before: str, after: str) -> bool:
    """Whether the second of two such expressions has a value, and another one than the first."""
    try:
        old, new = (_make(ast.parse(text.strip(), mode="eval").body) for text in (before, after))
        return bool(old != new)
    except (SyntaxError, *FAULTS):
        return False


def _is_known(call: ast.Call, file: str) -> bool:
    module = MODULES.get(_name(call), "")
    return module == "builtins" or bool(module and re.search(rf"^\s*(?:from|import) {module}\b", file, re.MULTILINE))


def _name(call: ast.Call) -> str:
    """The name of what is called, without that of its module."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _make(node: ast.expr) -> object:
    """The value of such an expression. ValueError, TypeError or ArithmeticError where it has none."""
    match node:
        case ast.Call():
            kind = getattr(importlib.import_module(MODULES[_name(node)]), _name(node))
            words: Mapping[str, object] = {word.arg: _make(word.value) for word in node.keywords if word.arg}
            return kind(*map(_make, node.args), **words)
        case ast.List() | ast.Tuple() | ast.Set():
            return [type(node), *map(_make, node.elts)]
        case ast.Dict():
            return [(key and _make(key), _make(value)) for key, value in zip(node.keys, node.values, strict=True)]
    return ast.literal_eval(node)
