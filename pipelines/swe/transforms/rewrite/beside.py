"""Two versions of a file in one: where a function differs it has both bodies, and only one of them gives the answer.

Whoever looks for the text, the constants or the names of right or of wrong code finds those of both. The other body is
never executed; or, in Python, it is executed too, and its answer dropped: then who follows what is executed sees both.
Or its answer is given wherever it equals the other: then only what both answer otherwise tells which of them acts.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from typing import Literal

from tree_sitter import Node

from crucible.domains.code.definitions import parse_python
from crucible.domains.code.languages import Syntax, syntax_of
from crucible.domains.code.syntax_trees import node_text, parse_tree
from crucible.domains.code.voiding import find_name
from crucible.record import digest

Function = ast.FunctionDef | ast.AsyncFunctionDef
Run = Literal["one", "both", "apart"]
"""What is executed: one version; both, of which one gives the answer; both, of which the other gives it where they
answer alike."""
NEVER = "not __name__"
"""What is never so in Python."""


def write_beside(path: str, text: str, other: str, own_acts: bool = True, run: Run = "one") -> str | None:
    """The file `text` with both bodies wherever a function of `other` differs: its own answer, else the other's. None
    where no function that both have differs in its body."""
    if path.endswith(".py"):
        written = _python_text(text, other, own_acts, run)
    else:
        written = _syntax_text(path, text, other, own_acts)
    return written if written != text else None


def _python_text(text: str, other: str, own_acts: bool, run: Run) -> str | None:
    try:
        tree, second_tree = parse_python(text), parse_python(other)
    except (SyntaxError, ValueError, RecursionError):
        return None
    others = dict(_python_functions(second_tree, ""))
    changed = False
    for name, function in _python_functions(tree, ""):
        second = others.get(name)
        if second is None or _is_generator(second) != _is_generator(function):
            continue
        if ast.dump(second) != ast.dump(function):
            head, own = _split_docstring(function)
            idle, acting = (_split_docstring(second)[1], own) if own_acts else (own, _split_docstring(second)[1])
            idle, acting = copy.deepcopy(idle), copy.deepcopy(acting)
            run_both = run != "one" and isinstance(function, ast.FunctionDef) and not _is_generator(function)
            body = _run_both(function.args, idle, acting, run) if run_both else [_choose(idle, acting)]
            function.body = [*head, *body]
            changed = True
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n" if changed else None


def _python_functions(tree: ast.AST, owner: str) -> Iterator[tuple[str, Function]]:
    """The outermost functions by their dotted names: of the module, and of its classes."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Function):
            yield f"{owner}{node.name}", node
        elif isinstance(node, ast.ClassDef):
            yield from _python_functions(node, f"{owner}{node.name}.")


def _is_generator(function: Function) -> bool:
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(function))


def _split_docstring(function: Function) -> tuple[list[ast.stmt], list[ast.stmt]]:
    place = int(ast.get_docstring(function, clean=False) is not None)
    return function.body[:place], function.body[place:] or [ast.Pass()]


def _choose(idle: list[ast.stmt], acting: list[ast.stmt]) -> ast.stmt:
    """The statement of which one half is executed, and the other never."""
    never = ast.parse(NEVER, mode="eval").body
    if _is_second("".join(map(ast.dump, idle))):
        return ast.If(test=ast.UnaryOp(op=ast.Not(), operand=never), body=acting, orelse=idle)
    return ast.If(test=never, body=idle, orelse=acting)


RUN_BOTH = """
def _one(): pass
def _other(): pass
try:
    {idle}
except Exception:
    pass
return {acting}
"""
RUN_APART = """
def _one(): pass
def _other(): pass
try:
    _first = {idle}
except Exception:
    return {acting}
_second = {acting}
try:
    return _first if _first == _second else _second
except Exception:
    return _second
"""


def _run_both(arguments: ast.arguments, idle: list[ast.stmt], acting: list[ast.stmt], run: Run) -> list[ast.stmt]:
    """Both as functions within the function, of which one gives the answer; which of them stands first is chance."""
    names = [node.arg for node in ast.walk(arguments) if isinstance(node, ast.arg)]
    is_second = _is_second("".join(map(ast.dump, idle)))
    calls = [f"{name}({', '.join(names)})" for name in ("_one", "_other")]
    template = RUN_APART if run == "apart" else RUN_BOTH
    body = ast.parse(template.format(idle=calls[is_second], acting=calls[not is_second])).body
    for inner, statements in zip(body, (acting, idle) if is_second else (idle, acting), strict=False):
        assert isinstance(inner, ast.FunctionDef)
        inner.args.args = [ast.arg(arg=name) for name in names]
        inner.body = statements
    return body


def _is_second(idle: str) -> bool:
    """Whether what is never executed stands behind the rest: so it is for every other text."""
    return int(digest(idle)[:4], 16) % 2 == 1


def _syntax_text(path: str, text: str, other: str, own_acts: bool) -> str | None:
    syntax, root, second = syntax_of(path), parse_tree(path, text), parse_tree(path, other)
    if syntax is None or root is None or second is None or not syntax.never:
        return None
    others = dict(_syntax_functions(second, syntax, ""))
    data = text.encode()
    for name, body in reversed(list(_syntax_functions(root, syntax, ""))):
        twin = others.get(name)
        if twin is not None and node_text(twin) != node_text(body):
            idle, acting = (twin, body) if own_acts else (body, twin)
            both = _join_bodies(node_text(idle), node_text(acting), syntax)
            data = data[: body.start_byte] + both.encode() + data[body.end_byte :]
    written = data.decode()
    return written if parse_tree(path, written) is not None else None


def _syntax_functions(node: Node, syntax: Syntax, owner: str) -> Iterator[tuple[str, Node]]:
    """The bodies of the outermost functions, by the names of what they are in; of several with one name all but the
    first are told apart by their parameters."""
    for child in node.children:
        name = f"{owner}.{find_name(child)}" if find_name(child) else owner
        body = child.child_by_field_name("body")
        if child.type not in syntax.functions:
            yield from _syntax_functions(child, syntax, name)
        elif body is not None and (node_text(body).startswith("{") or child.type in ("method", "singleton_method")):
            parameters = child.child_by_field_name("parameters")
            yield f"{name} {node_text(parameters) if parameters else ''}", body


def _join_bodies(idle: str, acting: str, syntax: Syntax) -> str:
    condition, first, second = syntax.never, idle, acting
    if _is_second(idle):
        condition, first, second = syntax.negated.format(syntax.never), acting, idle
    if idle.startswith("{"):
        return f"{{ if ({condition}) {first} else {second} }}"
    return f"if {condition} then begin\n{first}\nend else begin\n{second}\nend end"
