"""Faults in Python, by `ast` with source positions. Only inside functions: at module level they break everything."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from crucible.domains.code.definitions import parsed
from pipelines.swe.transforms.mutate.edit import Edit

COMPARED: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
}
REPLACED: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "+"),
}
LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)


@dataclass(frozen=True)
class Source:
    """A text and where its nodes are, in bytes."""

    data: bytes
    starts: tuple[int, ...]

    def span(self, node: ast.AST) -> tuple[int, int]:
        begin = self.starts[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined]
        end = self.starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]
        return begin, end

    def text(self, node: ast.AST) -> str:
        start, end = self.span(node)
        return self.data[start:end].decode()

    def edit(self, operator: str, node: ast.AST, text: str) -> Edit:
        start, end = self.span(node)
        return Edit(operator=operator, start=start, end=end, text=text)

    def between(self, operator: str, left: ast.AST, right: ast.AST, swap: tuple[str, str]) -> Iterator[Edit]:
        """Replace the sign that stands between two nodes, where it stands there alone."""
        start, end = self.span(left)[1], self.span(right)[0]
        gap = self.data[start:end].decode()
        if gap.count(swap[0]) == 1 and gap.strip(" ()\n\t\\") == swap[0]:
            yield Edit(operator=operator, start=start, end=end, text=gap.replace(*swap))


def edits(text: str) -> Iterator[Edit]:
    """Every edit in every function."""
    try:
        tree = parsed(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    data = text.encode()
    starts = [0]
    for line in data.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    source = Source(data, tuple(starts))
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _wrong_variables(source, function)
            for statement in function.body:
                for node in ast.walk(statement):
                    for operator in OPERATORS:
                        yield from operator(source, node)


def _comparison(source: Source, node: ast.AST) -> Iterator[Edit]:
    if isinstance(node, ast.Compare):
        left = node.left
        for sign, right in zip(node.ops, node.comparators, strict=True):
            if type(sign) in COMPARED:
                yield from source.between("comparison", left, right, COMPARED[type(sign)])
            left = right


def _condition(source: Source, node: ast.AST) -> Iterator[Edit]:
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        yield source.edit("negated condition", node.test, f"(not ({source.text(node.test)}))")


def _arguments(source: Source, node: ast.AST) -> Iterator[Edit]:
    if isinstance(node, ast.Call) and len(node.args) >= 2:
        first, second = node.args[:2]
        if not isinstance(first, ast.Starred) and not isinstance(second, ast.Starred):
            (start, end), (begin, stop) = source.span(first), source.span(second)
            gap = source.data[end:begin].decode()
            yield Edit(
                operator="swapped arguments",
                start=start,
                end=stop,
                text=source.text(second) + gap + source.text(first),
            )


def _guard(source: Source, node: ast.AST) -> Iterator[Edit]:
    if isinstance(node, ast.If) and not node.orelse and len(node.body) == 1 and isinstance(node.body[0], LEAVES):
        yield source.edit("dropped guard", node, "pass")


def _statement(source: Source, node: ast.AST) -> Iterator[Edit]:
    is_call = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    if is_call or isinstance(node, ast.AugAssign):
        yield source.edit("dropped statement", node, "pass")


def _constant(source: Source, node: ast.AST) -> Iterator[Edit]:
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield source.edit("wrong constant", node, str(not node.value))
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield source.edit("wrong constant", node, str(node.value + 1))


def _not(source: Source, node: ast.AST) -> Iterator[Edit]:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield source.edit("removed not", node, f"({source.text(node.operand)})")


def _arithmetic(source: Source, node: ast.AST) -> Iterator[Edit]:
    if isinstance(node, ast.BinOp) and type(node.op) in REPLACED:
        yield from source.between("arithmetic", node.left, node.right, REPLACED[type(node.op)])


def _boolean(source: Source, node: ast.AST) -> Iterator[Edit]:
    if isinstance(node, ast.BoolOp) and len(node.values) == 2:
        swap = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        yield from source.between("and for or", node.values[0], node.values[1], swap)


def _wrong_variables(source: Source, function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Edit]:
    """One parameter where another is meant."""
    named = [one.arg for one in (*function.args.posonlyargs, *function.args.args) if one.arg not in ("self", "cls")]
    for node in (node for statement in function.body for node in ast.walk(statement)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in named and len(named) > 1:
            yield source.edit("wrong variable", node, named[(named.index(node.id) + 1) % len(named)])


OPERATORS: tuple[Callable[[Source, ast.AST], Iterator[Edit]], ...] = (
    *(_comparison, _condition, _arguments, _guard, _statement),
    *(_constant, _not, _arithmetic, _boolean),
)
