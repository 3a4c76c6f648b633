"""What a source file defines: names in any language by their lines; in Python also how long and branched it is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from threading import Lock

from crucible.domains.code.languages import definition_patterns
from crucible.record import Record

_PARSING = Lock()

BRANCHES = (ast.If, ast.For, ast.While, ast.Try, ast.IfExp, ast.BoolOp, ast.comprehension, ast.ExceptHandler, ast.Match)
TEST_NAME = re.compile(r"[Tt]est(_|[A-Z]|$)")
# matches the beginning of: test_fetch  TestFetch
GROUP = re.compile(r"(type|const|var) \($")
# matches: type (


class Definition(Record):
    """One defined name."""

    name: str
    lines: int = 0
    """How long it is; 0 where only its name can be read."""
    branches: int = 0


def defined_names(path: str, lines: Iterable[str]) -> set[str]:
    """The names that these lines of the file define."""
    patterns = definition_patterns(path)
    matches = (re.match(pattern, line) for line in lines for pattern in patterns)
    return {match[1] for match in matches if match}


def is_public(name: str) -> bool:
    """Whether others are meant to use the name: it is not private, and no test."""
    return not name.startswith("_") and not TEST_NAME.match(name)


def parse_python(text: str) -> ast.Module:
    """The syntax tree of Python. One thread at a time: up to Python 3.12 they count the depth of all trees together."""
    with _PARSING:
        return ast.parse(text)


def outline_file(path: str, text: str) -> dict[str, Definition]:
    """Everything the file defines, by name. Methods of Python classes are `Class.method` too."""
    if path.endswith(".py"):
        try:
            return _outline_python(parse_python(text))
        except (SyntaxError, ValueError, RecursionError):
            return {}
    return {name: Definition(name=name) for name in defined_names(path, _open_groups(text.splitlines()))}


def _open_groups(lines: Iterable[str]) -> Iterator[str]:
    """The lines, each definition of one of Go's groups as if it stood alone."""
    word = ""
    for line in lines:
        if opened := GROUP.match(line):
            word = opened[1]
        elif not line.startswith(("\t", " ", "/")) and line:
            word = ""
        yield f"{word} {line[1:]}" if word and re.match(r"\t\w", line) else line


def _outline_python(tree: ast.Module) -> dict[str, Definition]:
    """Variables, functions and classes at the top of a module, and the methods of its classes."""
    outline: dict[str, Definition] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            variables = [target.id for target in targets if isinstance(target, ast.Name)]
            outline |= {name: Definition(name=name) for name in variables}
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            outline[node.name] = _measure(node, node.name)
        if isinstance(node, ast.ClassDef):
            methods = [member for member in node.body if isinstance(member, ast.FunctionDef | ast.AsyncFunctionDef)]
            for method in methods:
                name = f"{node.name}.{method.name}"
                outline[name] = _measure(method, name)
    return outline


def _measure(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, name: str) -> Definition:
    """A definition with its length in lines and the number of its branches."""
    length = (node.end_lineno or node.lineno) - node.lineno + 1
    return Definition(name=name, lines=length, branches=sum(isinstance(inner, BRANCHES) for inner in ast.walk(node)))
