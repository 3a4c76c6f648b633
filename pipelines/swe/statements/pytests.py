"""Assertions of Python's test functions, each with the assignments that say what its names stand for. Pure."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from pipelines.swe.statements.languages import language_of

LONGEST, MOST_ROWS, DEEPEST = 600, 6, 3

Function = ast.FunctionDef | ast.AsyncFunctionDef


def shown(source: str, wanted: Collection[str], fresh: Collection[str]) -> Iterator[str]:
    """What the functions of these names expect. `fresh` are the lines that a change adds, without indentation: of a
    table of parameters only they are told. A file that does not parse shows nothing."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in ast.walk(tree):
        if isinstance(node, Function) and node.name in wanted:
            yield from _asserted(node)
            yield from islice(_rows(node, fresh, source.splitlines()), MOST_ROWS)


def _asserted(function: Function) -> Iterator[str]:
    """Assertions in their order, each in one piece with the assignments it rests on that were not shown before."""
    known: dict[str, ast.stmt] = {}
    before: list[ast.stmt] = []
    for statement in _statements(function.body):
        if isinstance(statement, ast.Assign | ast.AnnAssign):
            known |= dict.fromkeys(_stored(statement), statement)
        elif _is_assertion(statement):
            fresh = [one for one in dict.fromkeys(_behind(statement, known, DEEPEST)) if one not in before]
            before += fresh
            yield "\n".join(map(ast.unparse, (*fresh, statement)))


def _statements(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        yield statement
        if not isinstance(statement, ast.With) or not _is_assertion(statement):
            inner = (getattr(statement, name, []) for name in ("body", "orelse", "finalbody"))
            yield from _statements([one for block in inner for one in block if isinstance(one, ast.stmt)])


def _stored(statement: ast.stmt) -> Iterator[str]:
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def _is_assertion(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.Assert | ast.Expr | ast.With):
        return False
    text, language = ast.unparse(statement), language_of("a.py")
    first = text.splitlines()[0] if text.count("\n") <= 3 else ""
    return bool(language and language.is_assertion(first)) and len(text) <= LONGEST


def _behind(statement: ast.stmt, known: dict[str, ast.stmt], deep: int) -> Iterator[ast.stmt]:
    """The assignments that a statement rests on, the first of them first."""
    for node in ast.walk(statement) if deep else ():
        given = known.get(node.id) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) else None
        if given is not None and given is not statement and len(ast.unparse(given)) <= LONGEST:
            yield from _behind(given, known, deep - 1)
            yield given


def _rows(function: Function, fresh: Collection[str], lines: Sequence[str]) -> Iterator[str]:
    """What the change adds to a table of parameters: without it, an assertion compares two names."""
    for call in function.decorator_list:
        if not (isinstance(call, ast.Call) and len(call.args) > 1 and ast.unparse(call.func).endswith("parametrize")):
            continue
        names = ast.unparse(call.args[0]).strip("'\"")
        for row in call.args[1].elts if isinstance(call.args[1], ast.List | ast.Tuple) else ():
            text = f"{names}: {ast.unparse(row)}"
            if lines[row.lineno - 1].strip() in fresh and len(text) <= LONGEST:
                yield text
