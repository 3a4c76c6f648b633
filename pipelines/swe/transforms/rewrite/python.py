"""Python in other words, by its own syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from crucible.domains.code.definitions import parse_python

OPERATIONS: dict[type[ast.operator] | type[ast.cmpop], str] = {
    **{ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.FloorDiv: "floordiv", ast.Mod: "mod"},
    **{ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge", ast.Eq: "eq", ast.NotEq: "ne"},
}
"""Names of functions in the module `operator`."""
ALIAS = "_operator"
Function = ast.FunctionDef | ast.AsyncFunctionDef


def rewrite_text(text: str, deep: bool) -> str | None:
    """The module with other names for local variables, without comments and layout; `deep`: with functions for
    operators, and choices turned round as well. None where it is no Python."""
    try:
        tree = parse_python(text)
    except (SyntaxError, ValueError, RecursionError):
        return None
    for node in ast.walk(tree):
        if isinstance(node, Function):
            _rename_locals(node)
    if deep:
        for function in [node for node in ast.walk(tree) if isinstance(node, Function)]:
            function.body = [_OtherWords().visit(statement) for statement in function.body]
        tree.body.insert(_first_statement(tree.body), _import_operators())
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


class _OtherWords(ast.NodeTransformer):
    """Functions for operators, texts for numbers, and every choice the other way round. What is within another function
    is left to that function's turn."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return node

    def visit_Match(self, node: ast.Match) -> ast.AST:
        return node  # a pattern takes no calls

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return node  # older versions of Python cannot nest quotation marks there

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        name = OPERATIONS.get(type(node.op))
        return _call_operator(name, node.left, node.right) if name else node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        name = OPERATIONS.get(type(node.ops[0])) if len(node.ops) == 1 else None
        return _call_operator(name, node.left, node.comparators[0]) if name else node

    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        return ast.If(test=_negate(node.test), body=node.orelse or [ast.Pass()], orelse=node.body)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        return ast.IfExp(test=_negate(node.test), body=node.orelse, orelse=node.body)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if type(node.value) is not int:
            return node
        return ast.Call(
            func=ast.Name(id="int", ctx=ast.Load()), args=[ast.Constant(value=str(node.value))], keywords=[]
        )


def _call_operator(name: str, left: ast.expr, right: ast.expr) -> ast.Call:
    function = ast.Attribute(value=ast.Name(id=ALIAS, ctx=ast.Load()), attr=name, ctx=ast.Load())
    return ast.Call(func=function, args=[left, right], keywords=[])


def _negate(test: ast.expr) -> ast.expr:
    return ast.UnaryOp(op=ast.Not(), operand=test)


def _import_operators() -> ast.Import:
    return ast.Import(names=[ast.alias(name="operator", asname=ALIAS)])


def _first_statement(body: list[ast.stmt]) -> int:
    """Where the docstring and what comes from `__future__` end."""
    place = int(bool(body) and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant))
    while place < len(body) and isinstance(body[place], ast.ImportFrom) and body[place].module == "__future__":  # type: ignore[attr-defined]
        place += 1
    return place


def _rename_locals(function: Function) -> None:
    """Other names for the variables of a function that nothing but plain assignments binds."""
    inner = [node for statement in function.body for node in ast.walk(statement)]
    if any(isinstance(node, Function | ast.Lambda | ast.ClassDef | ast.Global | ast.Nonlocal) for node in inner):
        return
    names = [node for node in inner if isinstance(node, ast.Name)]
    if {name.id for name in names} & {"locals", "vars", "eval", "exec", "dir"}:
        return
    renamed = {name.id for name in names if isinstance(name.ctx, ast.Store)} - set(_otherwise_bound(function, inner))
    for name in names:
        if name.id in renamed and not name.id.startswith("__"):
            name.id = f"{name.id}_value"


def _otherwise_bound(function: Function, inner: Iterable[ast.AST]) -> Iterable[str]:
    """Names that parameters, imports, handlers and patterns bind."""
    yield from (node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg))
    for node in inner:
        if isinstance(node, ast.alias):
            yield (node.asname or node.name).partition(".")[0]
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar):
            yield node.name or ""
        elif isinstance(node, ast.MatchMapping):
            yield node.rest or ""
