"""The test functions of a Python file."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

FAULTS = (SyntaxError, ValueError, RecursionError)
"""What parsing a file raises that is no Python."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Test(NamedTuple):
    """One test function, its name with those of its classes, and whether it is a method of one."""

    name: str
    node: Function
    is_method: bool


def find_tests(body: list[ast.stmt], above: str) -> Iterator[Test]:
    """The test functions in a module or class, those within classes and conditions included."""
    for node in body:
        if isinstance(node, Function) and node.name.lower().startswith("test"):
            yield Test(above + node.name, node, bool(above))
        elif isinstance(node, ast.ClassDef):
            yield from find_tests(node.body, f"{above}{node.name}::")
        elif isinstance(node, ast.If | ast.Try):
            yield from find_tests([*node.body, *node.orelse], above)
