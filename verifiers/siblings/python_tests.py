"""Makes siblings of tests in Python, by its own syntax tree.

What a test asserts of an answer becomes a note of that answer: `assert f(2) == 4` becomes a note of `f(2)`. What is
left of it then are inputs alone, and these are altered. Of a test with rows of parameters one row is taken.
"""

from __future__ import annotations

import ast
import copy
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from random import Random

from crucible.domains.code.definitions import parse_python
from crucible.domains.code.siblings import RAISED, Kind, Sibling
from crucible.domains.code.suite import SuiteParams
from crucible.record import digest
from verifiers.siblings.inputs import alter_lines
from verifiers.siblings.plan import MOST_TESTS, SAME, list_plan, name_sibling
from verifiers.twins.places.python_expressions import has_call, is_written_out, list_handed
from verifiers.twins.places.python_functions import FAULTS, Function, Test, find_tests
from verifiers.twins.places.python_tests import NAMES

TRUTHS = {"assertTrue", "assertFalse", "assert_", "assertIsNone", "assertIsNotNone"}

HOLDERS = (ast.List, ast.Tuple, ast.Dict)


def draft_python(params: SuiteParams) -> list[Sibling]:
    """Siblings of the tests that must start to pass, among them a few of each with the inputs as they are."""
    made: list[Sibling] = []
    for path, names in _list_wanted(params.fail_to_pass).items():
        if not path.endswith(".py") or path not in params.tests:
            continue
        try:
            tree = parse_python(params.tests[path])
        except FAULTS:
            continue
        known = _read_constants(tree)
        tests = [test for test in find_tests(tree.body, "") if test.name in names]
        for test in tests[: max(0, MOST_TESTS - len({(each.path, each.test) for each in made}))]:
            made += _make_siblings(path, test, known, Random(digest(path, test.name, params.tests[path])))
    return made


def _list_wanted(tests: Sequence[str]) -> dict[str, set[str]]:
    """The names of these tests by their files."""
    wanted: dict[str, set[str]] = {}
    for test in tests:
        path, _, name = test.partition("::")
        wanted.setdefault(path, set()).add(name.partition("[")[0])
    return wanted


def _read_constants(tree: ast.Module) -> dict[str, ast.stmt]:
    """What a file's own names are given where that is written out, or made of what is."""
    return {
        target.id: node
        for node in tree.body
        if isinstance(node, ast.Assign) and _is_made_of_constants(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def _is_made_of_constants(value: ast.expr) -> bool:
    """`date(2024, 6, 1)`, too: whatever is named in it is called."""
    if isinstance(value, ast.Call):
        return all(map(_is_made_of_constants, list_handed(value)))
    inner = [child for child in ast.iter_child_nodes(value) if isinstance(child, ast.expr)]
    return is_written_out(value) or (isinstance(value, HOLDERS) and all(map(_is_made_of_constants, inner)))


def _make_siblings(path: str, test: Test, known: Mapping[str, ast.stmt], random: Random) -> Iterator[Sibling]:
    """A few with the inputs as they are, and others; none of a test whose answers cannot be seen."""
    seen: set[str] = set()
    has_rows = any(_word(getattr(each, "func", each)) == "parametrize" for each in test.node.decorator_list)
    for kind, is_alone in list_plan(has_rows):
        name = name_sibling(path, test.name, len(seen))
        made = _SiblingMaker(kind, is_alone, known, random).make(test.node, name)
        if made is None or (source := ast.unparse(made).replace(name, "")) in seen:
            continue
        seen.add(source)
        text = textwrap.indent(ast.unparse(made), " " * test.node.col_offset)
        yield Sibling(path=path, test=test.name, name=name, kind=kind, text=text, alters_one=is_alone)


class _SiblingMaker:
    """Makes one sibling of a test."""

    def __init__(self, kind: Kind, is_alone: bool, known: Mapping[str, ast.stmt], random: Random) -> None:
        self._kind = kind
        self._is_alone = is_alone
        self._known = known
        self._random = random

    def make(self, test: Function, name: str) -> Function | None:
        """The test under this name, noting what it is answered; None where it asserts nothing of an answer."""
        node = copy.deepcopy(test)
        given = {**self._take_constants(node), **self._take_rows(node)}
        noting = _ClaimNoter(name, given)
        own = node.body[1:] if ast.get_docstring(node) is not None else node.body
        body = [line for each in own if (line := noting.visit(each)) is not None]
        if not noting.places:
            return None
        body = [*dict.fromkeys(given.values()), *body]
        if self._kind != SAME:
            body = alter_lines(body, self._kind, self._random, self._is_alone)
        handler = ast.ExceptHandler(
            type=ast.Name("Exception", ast.Load()),
            name="_problem",
            body=[_note(name, RAISED, _name_type(ast.Name("_problem", ast.Load())))],
        )
        node.name, node.body = name, [ast.Try(body=body, handlers=[handler], orelse=[], finalbody=[])]
        return ast.fix_missing_locations(node)

    def _take_constants(self, test: Function) -> dict[str, ast.stmt]:
        """The file's own names that the test uses, and sets nowhere."""
        names = [node for node in ast.walk(test) if isinstance(node, ast.Name)]
        own = {name.id for name in names if not isinstance(name.ctx, ast.Load)}
        used = {name.id for name in names} - own - {argument.arg for argument in test.args.args}
        return {name: copy.deepcopy(self._known[name]) for name in sorted(used & {*self._known})}

    def _take_rows(self, test: Function) -> dict[str, ast.stmt]:
        """One row of each table of parameters, as assignments by name; the tables leave the test."""
        given: dict[str, ast.stmt] = {}
        for decorator in list(test.decorator_list):
            if row := self._pick_row(decorator):
                test.decorator_list.remove(decorator)
                given |= {name: ast.Assign([ast.Name(name, ast.Store())], value) for name, value in row.items()}
        test.args.args = [argument for argument in test.args.args if argument.arg not in given]
        return given

    def _pick_row(self, decorator: ast.expr) -> dict[str, ast.expr]:
        """The parameters of one row, where they are all written out."""
        match decorator:
            case ast.Call(
                func=ast.Attribute(attr="parametrize"), args=[named, ast.List(elts=rows) | ast.Tuple(elts=rows), *_]
            ) if rows:
                names = _read_names(named)
            case _:
                return {}
        row = self._random.choice(rows)
        cells = row.args if isinstance(row, ast.Call) else row.elts if isinstance(row, ast.List | ast.Tuple) else [row]
        cells = [row] if len(names) == 1 and not isinstance(row, ast.Call) else cells
        fits = names and len(cells) == len(names) and all(map(is_written_out, cells))
        return dict(zip(names, cells, strict=True)) if fits else {}


def _read_names(named: ast.expr) -> list[str]:
    """The names of parameters: `"text, wanted"` or `("text", "wanted")`."""
    if isinstance(named, ast.Constant) and isinstance(named.value, str):
        return [name.strip() for name in named.value.split(",") if name.strip()]
    words = [each.value for each in getattr(named, "elts", ()) if isinstance(each, ast.Constant)]
    return [word for word in words if isinstance(word, str)]


class _ClaimNoter(ast.NodeTransformer):
    """Notes answers where a test asserts something of them."""

    def __init__(self, name: str, given: dict[str, ast.stmt]) -> None:
        self._name = name
        self._given = given
        self.places = 0

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:
        """`assert f(2) == 4` notes `f(2)`; of any other condition, whether it holds."""
        match node.test:
            case ast.Compare(left=left, ops=[ast.Eq() | ast.Is()], comparators=[right]):
                return self._note(self._pick_answer(left, right))
            case ast.UnaryOp(op=ast.Not(), operand=answer):
                return self._note(_ask_truth(answer))
        return self._note(_ask_truth(node.test))

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        """The same for the methods of `unittest`."""
        match node.value:
            case ast.Call(func=ast.Attribute(attr=name), args=[first, second, *_]) if name in NAMES.equalities:
                return self._note(self._pick_answer(first, second))
            case ast.Call(func=ast.Attribute(attr=name), args=[first, *_]) if name in TRUTHS:
                is_none = ast.Compare(first, [ast.Is()], [ast.Constant(None)])
                return self._note(is_none if "None" in name else _ask_truth(first))
            case ast.Call(func=ast.Attribute(attr=name), args=[_, called, *handed]) if name in NAMES.raising:
                call = ast.Call(called, handed, node.value.keywords)
                return self._try([ast.Expr(call)], None)
        return node

    def visit_With(self, node: ast.With) -> ast.stmt:
        """What must raise: which exception it is."""
        match node.items:
            case [ast.withitem(context_expr=ast.Call(func=func), optional_vars=kept)] if _word(func) in NAMES.raising:
                body = [line for each in node.body if (line := self.visit(each)) is not None]
                return self._try(body, kept)
        return self.generic_visit(node)  # type: ignore[return-value]

    def _try(self, body: list[ast.stmt], kept: ast.expr | None) -> ast.stmt:
        problem = ast.Name("_raised", ast.Load())
        keep = ast.Call(ast.Name("_keep_raised", ast.Load()), [problem], [])
        caught: list[ast.stmt] = [ast.Assign([kept], keep)] if kept else []
        caught = [*caught, self._note(_name_type(problem))]
        handler = ast.ExceptHandler(type=ast.Name("Exception", ast.Load()), name="_raised", body=caught)
        nothing = _note(self._name, self.places - 1, ast.Constant(None))
        return ast.Try(body=body, handlers=[handler], orelse=[nothing], finalbody=[])

    def _note(self, answer: ast.expr) -> ast.stmt:
        self.places += 1
        return _note(self._name, self.places - 1, answer)

    def _pick_answer(self, left: ast.expr, right: ast.expr) -> ast.expr:
        """The side of a comparison that is no expected value."""
        if is_written_out(left) or self._is_expected(left) or (has_call(right) and not has_call(left)):
            return right if not is_written_out(right) and not self._is_expected(right) else left
        return left

    def _is_expected(self, side: ast.expr) -> bool:
        return isinstance(side, ast.Name) and side.id in self._given and bool(re.fullmatch(NAMES.expected, side.id))


def _word(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _ask_truth(answer: ast.expr) -> ast.expr:
    return ast.Call(ast.Name("bool", ast.Load()), [answer], [])


def _name_type(value: ast.expr) -> ast.expr:
    return ast.Attribute(ast.Call(ast.Name("type", ast.Load()), [value], []), "__name__", ast.Load())


def _note(test: str, place: int, answer: ast.expr) -> ast.stmt:
    kept = [ast.Constant(test), ast.Constant(place)]
    for each in kept:
        each.is_kept = True  # type: ignore[attr-defined]
    return ast.Expr(ast.Call(ast.Name("_note_answer", ast.Load()), [*kept, answer], []))
