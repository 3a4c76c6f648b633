"""Faults in Python, by `ast` with source positions. Inside functions: at module level they break everything, but for
another number in what a name is given there."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from crucible.domains.code.definitions import parse_python
from crucible.domains.code.mutate.edit import Edit

OTHER_COMPARISON: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
}
OTHER_ARITHMETIC: dict[type[ast.operator], tuple[str, str]] = {
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
        """Where a node begins and ends, in bytes of the text."""
        begin = self.starts[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined]
        end = self.starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]
        return begin, end

    def text(self, node: ast.AST) -> str:
        """A node as it is written."""
        start, end = self.span(node)
        return self.data[start:end].decode()

    def edit(self, operator: str, node: ast.AST, text: str) -> Edit:
        """The edit that writes something else in the place of a node."""
        start, end = self.span(node)
        return Edit(operator=operator, start=start, end=end, text=text)

    def replace_between(self, operator: str, left: ast.AST, right: ast.AST, swap: tuple[str, str]) -> Iterator[Edit]:
        """The edit that replaces the sign between two nodes; none where more than that sign stands there."""
        start, end = self.span(left)[1], self.span(right)[0]
        gap = self.data[start:end].decode()
        if gap.count(swap[0]) == 1 and gap.strip(" ()\n\t\\") == swap[0]:
            yield Edit(operator=operator, start=start, end=end, text=gap.replace(*swap))


def find_edits(text: str) -> Iterator[Edit]:
    """Every edit in every function of a text that is Python, and of the numbers beside them; none in one that cannot be
    parsed."""
    try:
        tree = parse_python(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    data = text.encode()
    starts = [0]
    for line in data.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    source = Source(data, tuple(starts))
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _swap_variables(source, function)
            for statement in function.body:
                for node in ast.walk(statement):
                    for operator in OPERATORS:
                        yield from operator(source, node)
    for value in _values_at_the_top(tree):
        for node in ast.walk(value):
            yield from _change_constant(source, node)


def _values_at_the_top(tree: ast.Module) -> Iterator[ast.expr]:
    """What names are given outside of functions, in modules and classes."""
    classes = [node.body for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    for statement in (statement for body in (tree.body, *classes) for statement in body):
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
            yield statement.value


def _replace_comparison(source: Source, node: ast.AST) -> Iterator[Edit]:
    """Another sign of comparison: `<=` for `<`."""
    if isinstance(node, ast.Compare):
        left = node.left
        for sign, right in zip(node.ops, node.comparators, strict=True):
            if type(sign) in OTHER_COMPARISON:
                yield from source.replace_between("comparison", left, right, OTHER_COMPARISON[type(sign)])
            left = right


def _negate_condition(source: Source, node: ast.AST) -> Iterator[Edit]:
    """The condition of a choice or a loop turned round."""
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        yield source.edit("negated condition", node.test, f"(not ({source.text(node.test)}))")


def _swap_arguments(source: Source, node: ast.AST) -> Iterator[Edit]:
    """The first two arguments of a call in the wrong order."""
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


def _drop_guard(source: Source, node: ast.AST) -> Iterator[Edit]:
    """An `if` that does nothing but leave, taken away."""
    if isinstance(node, ast.If) and not node.orelse and len(node.body) == 1 and isinstance(node.body[0], LEAVES):
        yield source.edit("dropped guard", node, "pass")


def _drop_statement(source: Source, node: ast.AST) -> Iterator[Edit]:
    """A call or an assignment such as `n += 1`, taken away."""
    is_call = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    if is_call or isinstance(node, ast.AugAssign):
        yield source.edit("dropped statement", node, "pass")


def _change_constant(source: Source, node: ast.AST) -> Iterator[Edit]:
    """A number that is one too large, or `True` for `False`."""
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield source.edit("wrong constant", node, str(not node.value))
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float) and math.isfinite(node.value):
        yield source.edit("wrong constant", node, str(node.value + 1))


def _remove_not(source: Source, node: ast.AST) -> Iterator[Edit]:
    """What a `not` negates, without it."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield source.edit("removed not", node, f"({source.text(node.operand)})")


def _replace_arithmetic(source: Source, node: ast.AST) -> Iterator[Edit]:
    """Another sign of arithmetic: `-` for `+`."""
    if isinstance(node, ast.BinOp) and type(node.op) in OTHER_ARITHMETIC:
        yield from source.replace_between("arithmetic", node.left, node.right, OTHER_ARITHMETIC[type(node.op)])


def _replace_boolean(source: Source, node: ast.AST) -> Iterator[Edit]:
    """`or` for `and`, and the other way round."""
    if isinstance(node, ast.BoolOp) and len(node.values) == 2:
        swap = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        yield from source.replace_between("and for or", node.values[0], node.values[1], swap)


def _swap_variables(source: Source, function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Edit]:
    """One parameter of the function where another is meant."""
    positional = (*function.args.posonlyargs, *function.args.args)
    parameters = [parameter.arg for parameter in positional if parameter.arg not in ("self", "cls")]
    for node in (node for statement in function.body for node in ast.walk(statement)):
        if (
            isinstance(node, ast.Name)
            and isinstance(node.ctx, ast.Load)
            and node.id in parameters
            and len(parameters) > 1
        ):
            yield source.edit("wrong variable", node, parameters[(parameters.index(node.id) + 1) % len(parameters)])


OPERATORS: tuple[Callable[[Source, ast.AST], Iterator[Edit]], ...] = (
    *(_replace_comparison, _negate_condition, _swap_arguments, _drop_guard, _drop_statement),
    *(_change_constant, _remove_not, _replace_arithmetic, _replace_boolean),
)
