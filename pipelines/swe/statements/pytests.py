"""Assertions of Python's test functions, each with the assignments and definitions that say what its names stand for.
Pure."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from crucible.domains.code.definitions import parsed
from pipelines.swe.statements.languages import language_of

LONGEST, MOST_ROWS, MOST_STEPS, DEEPEST = 600, 6, 12, 3

Function = ast.FunctionDef | ast.AsyncFunctionDef
Defined = Function | ast.ClassDef
Known = dict[str, tuple[ast.stmt, ...]]
"""What gives each name its value: where it is bound, and what is done to it after that."""


def shown(source: str, wanted: Collection[str], fresh: Collection[str]) -> Iterator[str]:
    """What the functions of these names (`Class::function`) expect. `fresh` are the lines that a change adds, without
    indentation: where a function has some, only they are told. A file that does not parse shows nothing."""
    try:
        tree = parsed(source)
    except (SyntaxError, ValueError, RecursionError):
        return
    lines = source.splitlines()
    helpers = _helpers(tree)
    for name, function in _functions(tree.body, ""):
        if name in wanted:
            asserted = list(_asserted(function, helpers))
            rows = list(islice(_rows(function, fresh, lines), MOST_ROWS))
            new = [one for one in asserted if _is_new(one, fresh, lines)]
            given = [one for one in asserted if rows and _uses(one[-1], _parameters(function))]
            yield from _told(new or given or asserted)
            yield from rows


def _functions(body: Sequence[ast.stmt], above: str) -> Iterator[tuple[str, Function]]:
    for node in body:
        if isinstance(node, Function):
            yield f"{above}{node.name}", node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node.body, f"{above}{node.name}::")


def _helpers(tree: ast.Module) -> dict[str, Function]:
    """The functions that assert for tests, by name: to call one is an assertion."""
    found = [node for node in ast.walk(tree) if isinstance(node, Function) and not node.name.startswith("test")]
    return {node.name: node for node in found if any(map(_is_assertion, _statements(node.body)))}


def _asserted(function: Function, helpers: dict[str, Function]) -> Iterator[list[ast.stmt]]:
    """Assertions in their order, each after what it rests on, and what is done to what the test is given."""
    known: Known = dict.fromkeys(_parameters(function), ()) | {name: (helper,) for name, helper in helpers.items()}
    for statement in _statements(function.body):
        if _is_assertion(statement) or _called(statement) in helpers:
            yield [*dict.fromkeys(_behind(statement, known, DEEPEST)), statement]
            continue
        for name in _changed(statement):
            steps = known.get(name, ())
            known |= {name: (*steps, statement)} if name in known and len(steps) < MOST_STEPS else {}
        known |= {name: (told,) for name, told in _bound(statement)}


def _bound(statement: ast.stmt) -> Iterator[tuple[str, ast.stmt]]:
    """The names that a statement gives a value, each with what tells it."""
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        yield from ((name, statement) for name in _stored(statement))
    elif isinstance(statement, Defined):
        yield statement.name, statement
    elif isinstance(statement, ast.For):
        head = _head(statement)
        yield from ((name, head) for name in _stored(head))
    elif isinstance(statement, ast.With):
        named = (item.optional_vars for item in statement.items if item.optional_vars)
        yield from ((name, statement) for one in named for name in _stored(one))


def _changed(statement: ast.stmt) -> Iterator[str]:
    """The names whose values a statement may change: it sets or deletes a part of them, or calls a method of theirs."""
    targets = statement.targets if isinstance(statement, ast.Assign | ast.Delete) else []
    targets = [*targets, statement.target] if isinstance(statement, ast.AugAssign) else targets
    value = statement.value if isinstance(statement, ast.Expr | ast.Assign) else None
    call = value.value if isinstance(value, ast.Await) else value
    methods = [call.func] if isinstance(call, ast.Call) else []
    for node in (*targets, *methods):
        if isinstance(node, ast.Attribute | ast.Subscript) and (name := _root(node)):
            yield name


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def _told(asserted: Sequence[Sequence[ast.stmt]]) -> Iterator[str]:
    """Each assertion in one piece with what it rests on and was not shown before."""
    before: set[ast.stmt] = set()
    for group in asserted:
        yield "\n".join(ast.unparse(one) for one in group if one not in before)
        before |= set(group)


def _is_new(group: Sequence[ast.stmt], fresh: Collection[str], lines: Sequence[str]) -> bool:
    """Whether an assertion or a value that it rests on is new. What a test defines may serve old assertions too."""
    return any(_is_fresh(one, fresh, lines) for one in group if not isinstance(one, Defined))


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


def _stored(target: ast.AST) -> Iterator[str]:
    for node in ast.walk(target):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def _is_assertion(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.Assert | ast.Expr | ast.With):
        return False
    text, language = ast.unparse(statement), language_of("a.py")
    first = text.splitlines()[0] if text.count("\n") <= 3 else ""
    return bool(language and language.is_assertion(first)) and len(text) <= LONGEST


def _called(statement: ast.stmt) -> str:
    """The function, or the method of the test's own class, that a statement calls and does no more."""
    value = statement.value if isinstance(statement, ast.Expr) else None
    call = value.value if isinstance(value, ast.Await) else value
    if not isinstance(call, ast.Call):
        return ""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr if ast.unparse(call.func.value) == "self" else ""
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _behind(statement: ast.stmt, known: Known, deep: int) -> Iterator[ast.stmt]:
    """What a statement rests on, the first of it first."""
    for node in ast.walk(statement) if deep else ():
        given = known.get(node.id, ()) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) else ()
        for one in given:
            if one is not statement and statement not in ast.walk(one) and len(ast.unparse(one)) <= LONGEST:
                yield from () if isinstance(one, Defined) else _behind(one, _before(known, one), deep - 1)
                yield one


def _before(known: Known, step: ast.stmt) -> Known:
    """What was known when a step was taken: a name does not rest on what is done to it later."""
    return {name: steps[: steps.index(step)] if step in steps else steps for name, steps in known.items()}


def _parameters(function: Function) -> set[str]:
    return {one.arg for one in function.args.args} - {"self"}


def _uses(statement: ast.stmt, names: set[str]) -> bool:
    return any(isinstance(node, ast.Name) and node.id in names for node in ast.walk(statement))


def _rows(function: Function, fresh: Collection[str], lines: Sequence[str]) -> Iterator[str]:
    """What the change adds to a table of parameters: without it, an assertion compares two names. Of a long row, the
    lines that are new."""
    for call in function.decorator_list:
        if not (isinstance(call, ast.Call) and len(call.args) > 1 and ast.unparse(call.func).endswith("parametrize")):
            continue
        names = ast.unparse(call.args[0]).strip("'\"")
        for row in call.args[1].elts if isinstance(call.args[1], ast.List | ast.Tuple) else ():
            text = ast.unparse(row)
            own = [line.strip() for line in lines[row.lineno - 1 : row.end_lineno]]
            new = [line for line in own if line in fresh and re.search(r"\w", line)]
            text = text if len(text) <= LONGEST else "\n".join(["...", *new, "..."])
            if new and len(text) <= LONGEST:
                yield f"{names}: {text}"
