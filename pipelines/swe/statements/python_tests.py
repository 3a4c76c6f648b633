"""Assertions of Python's test functions, each with the assignments and definitions that say what its names stand for.
Pure."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from crucible.domains.code.definitions import parse_python
from crucible.domains.code.languages import line_patterns

EXAMPLE_CHARS = 600
"""A longer assertion, row or value that one rests on is not shown."""
ASSERTION_LINES = 4
"""What has more lines once it is unparsed is no assertion, but a block with assertions in it."""
MOST_ROWS = 6
"""So many rows of a test's parameters are shown."""
MOST_STEPS = 12
"""So many things that are done to one value are shown."""
DEEPEST = 3
"""So far is followed what a value rests on."""
LETTER = re.compile(r"\w")
# matches: a

Function = ast.FunctionDef | ast.AsyncFunctionDef
Defined = Function | ast.ClassDef
Bindings = dict[str, tuple[ast.stmt, ...]]
"""What gives each name its value: where it is bound, and what is done to it after that."""


def find_assertions(source: str, failing: Collection[str], fresh: Collection[str]) -> Iterator[str]:
    """What the functions of these names (`Class::function`) expect. `fresh` are the lines that a change adds, without
    indentation: where a function has some, only they are shown. A file that does not parse shows nothing."""
    try:
        tree = parse_python(source)
    except (SyntaxError, ValueError, RecursionError):
        return
    lines = source.splitlines()
    helpers = _asserting_helpers(tree)
    for name, function in _name_functions(tree.body, ""):
        if name in failing:
            groups = list(_group_assertions(function, helpers))
            rows = list(islice(_new_parameter_rows(function, fresh, lines), MOST_ROWS))
            new = [group for group in groups if _has_new_statement(group, fresh, lines)]
            of_rows = [group for group in groups if rows and _uses(group[-1], _parameters(function))]
            yield from _write_groups(new or of_rows or groups)
            yield from rows


def _name_functions(body: Sequence[ast.stmt], above: str) -> Iterator[tuple[str, Function]]:
    """Every function with its name after those of the classes it is in: `Class::function`."""
    for node in body:
        if isinstance(node, Function):
            yield f"{above}{node.name}", node
        elif isinstance(node, ast.ClassDef):
            yield from _name_functions(node.body, f"{above}{node.name}::")


def _asserting_helpers(tree: ast.Module) -> dict[str, Function]:
    """The functions that assert for tests, by name: to call one is an assertion."""
    functions = [node for node in ast.walk(tree) if isinstance(node, Function) and not node.name.startswith("test")]
    return {node.name: node for node in functions if any(map(_is_assertion, _walk_statements(node.body)))}


def _group_assertions(function: Function, helpers: dict[str, Function]) -> Iterator[list[ast.stmt]]:
    """Each assertion, in their order, as the last of a list: after the values it rests on and what is done to them, the
    test's parameters included."""
    bindings: Bindings = dict.fromkeys(_parameters(function), ()) | {
        name: (helper,) for name, helper in helpers.items()
    }
    for statement in _walk_statements(function.body):
        if _is_assertion(statement) or _called_function(statement) in helpers:
            yield [*dict.fromkeys(_find_origins(statement, bindings, DEEPEST)), statement]
            continue
        for name in _changed_names(statement):
            steps = bindings.get(name, ())
            bindings |= {name: (*steps, statement)} if name in bindings and len(steps) < MOST_STEPS else {}
        bindings |= {name: (binding,) for name, binding in _bound_names(statement)}


def _bound_names(statement: ast.stmt) -> Iterator[tuple[str, ast.stmt]]:
    """The names that a statement gives a value, each with the statement that shows the value."""
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        yield from ((name, statement) for name in _stored_names(statement))
    elif isinstance(statement, Defined):
        yield statement.name, statement
    elif isinstance(statement, ast.For):
        head = _loop_head(statement)
        yield from ((name, head) for name in _stored_names(head))
    elif isinstance(statement, ast.With):
        targets = (item.optional_vars for item in statement.items if item.optional_vars)
        yield from ((name, statement) for target in targets for name in _stored_names(target))


def _changed_names(statement: ast.stmt) -> Iterator[str]:
    """The names whose values a statement may change: it sets or deletes a part of them, or calls a method of theirs."""
    targets = statement.targets if isinstance(statement, ast.Assign | ast.Delete) else []
    targets = [*targets, statement.target] if isinstance(statement, ast.AugAssign) else targets
    value = statement.value if isinstance(statement, ast.Expr | ast.Assign) else None
    call = value.value if isinstance(value, ast.Await) else value
    methods = [call.func] if isinstance(call, ast.Call) else []
    for node in (*targets, *methods):
        if isinstance(node, ast.Attribute | ast.Subscript) and (name := _root_name(node)):
            yield name


def _root_name(node: ast.expr) -> str:
    """The name that an expression begins with, `cache` in `cache.keys()[0]`; empty where it begins with none."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def _write_groups(groups: Sequence[Sequence[ast.stmt]]) -> Iterator[str]:
    """Each assertion in one piece with what it rests on and was not shown before."""
    shown: set[ast.stmt] = set()
    for group in groups:
        yield "\n".join(ast.unparse(statement) for statement in group if statement not in shown)
        shown |= set(group)


def _has_new_statement(group: Sequence[ast.stmt], fresh: Collection[str], lines: Sequence[str]) -> bool:
    """Whether an assertion or a value that it rests on is new. What a test defines may serve old assertions too."""
    values = (statement for statement in group if not isinstance(statement, Defined))
    own = (line.strip() for value in values for line in lines[value.lineno - 1 : value.end_lineno])
    return any(line in fresh for line in own if line)


def _loop_head(loop: ast.For) -> ast.For:
    """A loop without what is done in it: the values it goes through are what an assertion rests on."""
    body: list[ast.stmt] = [ast.Expr(ast.Constant(...))]
    head = ast.For(loop.target, loop.iter, body, [], None)
    return ast.copy_location(head, loop.iter)


def _walk_statements(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """All statements, each before those within it. What is within an assertion (`with raises(...)`) is part of it."""
    for statement in body:
        yield statement
        if not isinstance(statement, ast.With) or not _is_assertion(statement):
            inner = (getattr(statement, name, []) for name in ("body", "orelse", "finalbody"))
            yield from _walk_statements([child for block in inner for child in block if isinstance(child, ast.stmt)])


def _stored_names(target: ast.AST) -> Iterator[str]:
    """The names that are bound somewhere in a node."""
    for node in ast.walk(target):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def _is_assertion(statement: ast.stmt) -> bool:
    """Whether a statement says what is expected, briefly: `assert ...`, `self.assertEqual(...)`, `with raises(...)`."""
    language = line_patterns("test.py")
    if not isinstance(statement, ast.Assert | ast.Expr | ast.With) or language is None:
        return False
    text = ast.unparse(statement)
    lines = text.splitlines()
    is_short = text.count("\n") < ASSERTION_LINES and len(text) <= EXAMPLE_CHARS
    return is_short and language.is_assertion(lines[0])


def _called_function(statement: ast.stmt) -> str:
    """The function, or the method of the test's own class, that a statement calls, if it does no more; else nothing."""
    value = statement.value if isinstance(statement, ast.Expr) else None
    call = value.value if isinstance(value, ast.Await) else value
    if not isinstance(call, ast.Call):
        return ""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr if ast.unparse(call.func.value) == "self" else ""
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _find_origins(statement: ast.stmt, bindings: Bindings, depth: int) -> Iterator[ast.stmt]:
    """What a statement rests on, the first of it first, followed so many steps back."""
    for node in ast.walk(statement) if depth else ():
        name = node.id if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) else ""
        for origin in bindings.get(name, ()):
            if origin is statement or statement in ast.walk(origin) or len(ast.unparse(origin)) > EXAMPLE_CHARS:
                continue
            if not isinstance(origin, Defined):
                yield from _find_origins(origin, _bindings_before(bindings, origin), depth - 1)
            yield origin


def _bindings_before(bindings: Bindings, step: ast.stmt) -> Bindings:
    """What was known when a step was taken: a name does not rest on what is done to it later."""
    return {name: steps[: steps.index(step)] if step in steps else steps for name, steps in bindings.items()}


def _parameters(function: Function) -> set[str]:
    return {parameter.arg for parameter in function.args.args} - {"self"}


def _uses(statement: ast.stmt, names: set[str]) -> bool:
    """Whether one of the names stands in the statement."""
    return any(isinstance(node, ast.Name) and node.id in names for node in ast.walk(statement))


def _new_parameter_rows(function: Function, fresh: Collection[str], lines: Sequence[str]) -> Iterator[str]:
    """The rows that a change adds to a table of parameters: without them, an assertion compares two names. Of a long
    row, the lines that are new."""
    for call in function.decorator_list:
        if not (isinstance(call, ast.Call) and len(call.args) > 1 and ast.unparse(call.func).endswith("parametrize")):
            continue
        names = ast.unparse(call.args[0]).strip("'\"")
        for row in call.args[1].elts if isinstance(call.args[1], ast.List | ast.Tuple) else ():
            text = ast.unparse(row)
            own = [line.strip() for line in lines[row.lineno - 1 : row.end_lineno]]
            new = [line for line in own if line in fresh and LETTER.search(line)]
            text = text if len(text) <= EXAMPLE_CHARS else "\n".join(["...", *new, "..."])
            if new and len(text) <= EXAMPLE_CHARS:
                yield f"{names}: {text}"
