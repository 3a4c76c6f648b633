"""Turns the syntax tree of an expression into a function, checking every piece on the way. Nothing is evaluated."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any

from crucible.errors import SettingsError
from crucible.filters.kinds import ANYTHING, NOTHING, NUMBER, TEXT, TRUTH, Kind

Values = Mapping[str, Any]
Meaning = Callable[[Values], Any]
Compiled = tuple[Kind, Meaning]

COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda left, right: left in right,
    ast.NotIn: lambda left, right: left not in right,
}
METHODS: dict[str, tuple[int, Kind, Callable[..., Any]]] = {
    "startswith": (1, TRUTH, str.startswith),
    "endswith": (1, TRUTH, str.endswith),
    "lower": (0, TEXT, str.lower),
}
FUNCTIONS = ("len", "any", "all")


class Compiler:
    """One expression, with the names that may stand in it."""

    def __init__(self, names: Mapping[str, Kind]) -> None:
        self.names = dict(names)

    def compile(self, node: ast.expr) -> Compiled:
        """A piece of the expression: its kind and its meaning."""
        visit = getattr(self, f"_{type(node).__name__.lower()}", None)
        if visit is None:
            raise SettingsError(f"--where: '{ast.unparse(node)}' is not allowed here")
        compiled: Compiled = visit(node)
        return compiled

    def _constant(self, node: ast.Constant) -> Compiled:
        kinds = {str: TEXT, int: NUMBER, float: NUMBER, bool: TRUTH, type(None): NOTHING}
        if type(node.value) not in kinds:
            raise SettingsError(f"--where: '{ast.unparse(node)}' is neither text, number nor truth")
        return kinds[type(node.value)], lambda values: node.value

    def _name(self, node: ast.Name) -> Compiled:
        if node.id not in self.names:
            raise SettingsError(f"--where: {_explain_unknown('name', node.id, list(self.names))}")
        return self.names[node.id], lambda values: values[node.id]

    def _attribute(self, node: ast.Attribute) -> Compiled:
        kind, inner = self.compile(node.value)
        fields = kind.fields()
        if not fields:
            raise SettingsError(
                f"--where: {ast.unparse(node.value)} is {_with_article(kind)} and has no field '{node.attr}'"
            )
        if node.attr not in fields:
            explanation = _explain_unknown("field", node.attr, list(fields))
            raise SettingsError(f"--where: {ast.unparse(node.value)}: {explanation}")
        return fields[node.attr], lambda values: getattr(inner(values), node.attr, None)

    def _subscript(self, node: ast.Subscript) -> Compiled:
        """By key or by place; what is not there is None."""
        kind, inner = self.compile(node.value)
        at, key = self.compile(node.slice)
        key_kind = {"mapping": TEXT, "list": NUMBER, "anything": at}.get(kind.name)
        if key_kind is None or not _are_alike(at, key_kind):
            raise SettingsError(f"--where: '{ast.unparse(node)}': {_with_article(kind)} has no such key")
        return kind.of or ANYTHING, lambda values: _get_entry(inner(values), key(values))

    def _boolop(self, node: ast.BoolOp) -> Compiled:
        parts = [self.compile(operand)[1] for operand in node.values]
        if isinstance(node.op, ast.And):
            return TRUTH, lambda values: all(part(values) for part in parts)
        return TRUTH, lambda values: any(part(values) for part in parts)

    def _unaryop(self, node: ast.UnaryOp) -> Compiled:
        kind, inner = self.compile(node.operand)
        if isinstance(node.op, ast.Not):
            return TRUTH, lambda values: not inner(values)
        if isinstance(node.op, ast.USub) and kind == NUMBER:
            return NUMBER, lambda values: -inner(values)
        raise SettingsError(f"--where: '{ast.unparse(node)}' is not allowed here")

    def _compare(self, node: ast.Compare) -> Compiled:
        sides = [self.compile(side) for side in (node.left, *node.comparators)]
        links = []
        for (left, a), sign, (right, b) in zip(sides, node.ops, sides[1:], strict=False):
            if type(sign) not in COMPARE:
                raise SettingsError(f"--where: '{ast.unparse(node)}': compare with ==, not `is`")
            _check_comparable(node, left, sign, right)
            links.append((a, COMPARE[type(sign)], b))
        return TRUTH, lambda values: all(_compare_safely(compare, a(values), b(values)) for a, compare, b in links)

    def _list(self, node: ast.List | ast.Tuple | ast.Set) -> Compiled:
        compiled = [self.compile(element) for element in node.elts]
        choices = tuple(
            element.value
            for element in node.elts
            if isinstance(element, ast.Constant) and isinstance(element.value, str)
        )
        of = Kind(compiled[0][0].name, choices=choices) if compiled else ANYTHING
        return Kind("list", of=of), lambda values: [meaning(values) for _, meaning in compiled]

    _tuple = _set = _list

    def _call(self, node: ast.Call) -> Compiled:
        if node.keywords:
            raise SettingsError(f"--where: '{ast.unparse(node)}' is not allowed here")
        if isinstance(node.func, ast.Attribute):
            return self._method(node, node.func)
        name = node.func.id if isinstance(node.func, ast.Name) else ast.unparse(node.func)
        if name not in FUNCTIONS or len(node.args) != 1:
            raise SettingsError(
                f"--where: '{ast.unparse(node)}': the functions are {', '.join(FUNCTIONS)}, of one value"
            )
        if name == "len":
            return self._len(node.args[0])
        if not isinstance(node.args[0], ast.GeneratorExp):
            raise SettingsError(f"--where: '{ast.unparse(node)}': write {name}(... for one in LIST)")
        return TRUTH, self._fold_over(node.args[0], any if name == "any" else all)

    def _method(self, node: ast.Call, at: ast.Attribute) -> Compiled:
        kind, inner = self.compile(at.value)
        count, result, method = METHODS.get(at.attr, (-1, ANYTHING, str))
        arguments = [self.compile(argument) for argument in node.args]
        if (
            len(arguments) != count
            or not all(_are_alike(argument, TEXT) for argument, _ in arguments)
            or not _are_alike(kind, TEXT)
        ):
            raise SettingsError(f"--where: '{ast.unparse(node)}': texts have {', '.join(METHODS)}, and nothing else")

        def apply(values: Values) -> Any:
            text = inner(values)
            return isinstance(text, str) and method(text, *(argument(values) for _, argument in arguments))

        return result, apply

    def _len(self, node: ast.expr) -> Compiled:
        kind, inner = self.compile(node)
        if kind.name in ("number", "truth", "record"):
            raise SettingsError(f"--where: {ast.unparse(node)} is {_with_article(kind)} and has no length")
        return NUMBER, lambda values: _get_length(inner(values))

    def _fold_over(self, node: ast.GeneratorExp, fold: Callable[[Any], bool]) -> Meaning:
        """`any` or `all` of a test over lists, one within the other."""
        if len(node.generators) > 3:
            raise SettingsError("--where: at most three lists within each other")
        loop, *rest = node.generators
        if not isinstance(loop.target, ast.Name) or loop.is_async:
            raise SettingsError(f"--where: '{ast.unparse(node)}': one plain name for each element")
        kind, inner = self.compile(loop.iter)
        if kind.name not in ("list", "anything"):
            raise SettingsError(f"--where: {ast.unparse(loop.iter)} is {_with_article(kind)}, not a list")
        name, within = loop.target.id, Compiler({**self.names, loop.target.id: kind.of or ANYTHING})
        tests = [within.compile(condition)[1] for condition in loop.ifs]
        deeper = ast.GeneratorExp(elt=node.elt, generators=rest)
        test = within._fold_over(deeper, fold) if rest else within.compile(node.elt)[1]

        def run(values: Values) -> bool:
            elements = inner(values)
            each = ({**values, name: element} for element in (elements if isinstance(elements, list | tuple) else ()))
            return fold(test(each_values) for each_values in each if all(check(each_values) for check in tests))

        return run


def _check_comparable(node: ast.Compare, left: Kind, sign: ast.cmpop, right: Kind) -> None:
    """Both sides are of one kind, and a text that can only say so much is compared with what it can say."""
    inside = isinstance(sign, ast.In | ast.NotIn)
    if inside and right.name not in ("list", "mapping", "text", "anything"):
        raise SettingsError(f"--where: '{ast.unparse(node)}': {_with_article(right)} holds nothing")
    other = (
        (right.of or ANYTHING if right.name == "list" else TEXT if right.name == "mapping" else right)
        if inside
        else right
    )
    if not _are_alike(left, other):
        raise SettingsError(
            f"--where: '{ast.unparse(node)}': {_with_article(left)} is compared with {_with_article(other)}"
        )
    texts = [
        constant.value
        for constant in ast.walk(node)
        if isinstance(constant, ast.Constant) and isinstance(constant.value, str)
    ]
    for wrong in (text for text in texts if left.choices and text not in left.choices):
        raise SettingsError(f"--where: '{ast.unparse(node)}': {_explain_unknown('value', wrong, list(left.choices))}")


def _are_alike(left: Kind, right: Kind) -> bool:
    loose = ("anything", "nothing")
    numbers = ("number", "truth")
    both = left.name in numbers and right.name in numbers
    return left.name == right.name or both or left.name in loose or right.name in loose


def _compare_safely(compare: Callable[[Any, Any], bool], left: Any, right: Any) -> bool:
    """What cannot be compared (a missing option, another type) does not hold."""
    try:
        return bool(compare(left, right))
    except TypeError:
        return False


def _get_entry(values: Any, key: Any) -> Any:
    try:
        return values[key]
    except (KeyError, IndexError, TypeError):
        return None


def _get_length(value: Any) -> int:
    return len(value) if isinstance(value, str | list | tuple | dict) else 0


def _with_article(kind: Kind) -> str:
    return {"anything": "a value", "nothing": "None", "text": "text"}.get(kind.name, f"a {kind.name}")


def _explain_unknown(what: str, name: str, known: list[str]) -> str:
    near = get_close_matches(name, known, n=1)
    hint = f"did you mean '{near[0]}'? " if near else ""
    return f"there is no {what} '{name}'; {hint}there are: {', '.join(known)}"
