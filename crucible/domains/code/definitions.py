"""What a source file defines: names in any language by their lines; in Python also how long and branched it is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path, PurePosixPath
from threading import Lock

from crucible.datafile import rows
from crucible.record import Record

HERE = Path(__file__).parent
_READING = Lock()

BRANCHES = (ast.If, ast.For, ast.While, ast.Try, ast.IfExp, ast.BoolOp, ast.comprehension, ast.ExceptHandler, ast.Match)


class Language(Record):
    """A row of `definitions.toml`."""

    suffixes: tuple[str, ...]
    definitions: tuple[str, ...]


class Definition(Record):
    """One defined name."""

    name: str
    lines: int = 0
    """How long it is; 0 where only its name can be read."""
    branches: int = 0


def names(path: str, lines: Iterable[str]) -> set[str]:
    """The names that these lines of the file define."""
    patterns = _patterns(PurePosixPath(path).suffix)
    found = (re.match(pattern, line) for line in lines for pattern in patterns)
    return {match[1] for match in found if match}


def is_public(name: str) -> bool:
    """Whether others are meant to use it: not private, and no test."""
    return not name.startswith("_") and not re.match(r"[Tt]est(_|[A-Z]|$)", name)


def parsed(text: str) -> ast.Module:
    """The syntax tree of Python. One thread at a time: up to Python 3.12 they count the depth of all trees together."""
    with _READING:
        return ast.parse(text)


def outline(path: str, text: str) -> dict[str, Definition]:
    """Everything the file defines, by name. Methods of Python classes are `Class.method` too."""
    if path.endswith(".py"):
        try:
            return _python(parsed(text))
        except (SyntaxError, ValueError, RecursionError):
            return {}
    return {name: Definition(name=name) for name in names(path, text.splitlines())}


@cache
def _patterns(suffix: str) -> tuple[str, ...]:
    languages = rows(HERE / "definitions.toml", "languages", Language)
    return next((language.definitions for language in languages if suffix in language.suffixes), ())


def _python(tree: ast.Module) -> dict[str, Definition]:
    found: dict[str, Definition] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if isinstance(target, ast.Name):
                    found[target.id] = Definition(name=target.id)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found[node.name] = _measured(node, node.name)
            if isinstance(node, ast.ClassDef):
                found |= _methods(node)
    return found


def _methods(node: ast.ClassDef) -> dict[str, Definition]:
    inner = [one for one in node.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]
    return {f"{node.name}.{one.name}": _measured(one, f"{node.name}.{one.name}") for one in inner}


def _measured(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, name: str) -> Definition:
    length = (node.end_lineno or node.lineno) - node.lineno + 1
    return Definition(name=name, lines=length, branches=sum(isinstance(one, BRANCHES) for one in ast.walk(node)))
