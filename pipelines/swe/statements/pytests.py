"""Assertions of Python's test functions, each with the assignments and definitions that say what its names stand for.
Pure."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from pipelines.swe.statements.languages import language_of

LONGEST, MOST_ROWS, DEEPEST = 600, 6, 3

Function = ast.FunctionDef | ast.AsyncFunctionDef


def shown(source: str, wanted: Collection[str], fresh: Collection[str]) -> Iterator[str]:
    """What the functions of these names (`Class::function`) expect. `fresh` are the lines that a change adds, without
    indentation: where a function has some, only they are told. A file that does not parse shows nothing."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return
    lines = source.splitlines()
    for name, function in _functions(tree.body, ""):
        if name in wanted:
            asserted = list(_asserted(function, fresh, lines))
            new = [text for is_new, text in asserted if is_new]
            yield from new or [text for _, text in asserted]
            yield from islice(_rows(function, fresh, lines), MOST_ROWS)


def _functions(body: Sequence[ast.stmt], above: str) -> Iterator[tuple[str, Function]]:
    for node in body:
        if isinstance(node, Function):
            yield f"{above}{node.name}", node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node.body, f"{above}{node.name}::")


def _asserted(function: Function, fresh: Collection[str], lines: Sequence[str]) -> Iterator[tuple[bool, str]]:
    """Assertions in their order, each in one piece with the assignments it rests on that were not shown before, and
    whether any of it is new."""
    known: dict[str, ast.stmt] = {}
    before: list[ast.stmt] = []
    for statement in _statements(function.body):
        if isinstance(statement, ast.Assign | ast.AnnAssign):
            known |= dict.fromkeys(_stored(statement), statement)
        elif isinstance(statement, ast.ClassDef | Function):
            known[statement.name] = statement
        elif isinstance(statement, ast.For):
            head = _head(statement)
            known |= dict.fromkeys(_stored(head), head)
        elif _is_assertion(statement):
            behind = list(dict.fromkeys(_behind(statement, known, DEEPEST)))
            told = [one for one in behind if one not in before]
            before += told
            is_new = any(_is_fresh(one, fresh, lines) for one in (*behind, statement))
            yield is_new, "\n".join(map(ast.unparse, (*told, statement)))


def _head(loop: ast.For) -> ast.For:
    """A loop without what is done in it: the values it goes through are what an assertion rests on."""
    body: list[ast.stmt] = [ast.Expr(ast.Constant(...))]
    head = ast.For(loop.target, loop.iter, body, [], None)
    return ast.copy_location(head, loop.iter)


def _is_fresh(statement: ast.stmt, fresh: Collection[str], lines: Sequence[str]) -> bool:
    own = lines[statement.lineno - 1 : statement.end_lineno]
    return any(line.strip() in fresh for line in own if line.strip())


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
