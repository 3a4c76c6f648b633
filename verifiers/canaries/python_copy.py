"""Canaries for pytest: copies of the task's own tests that must fail.

A forger who turns every failure into a pass is caught by any failing test. One who looks at which file a test is in,
or at what it calls, is caught only by a test that cannot be told apart: so the canary is one of the task's own tests
under another name, in the same file, with one more assertion at its end. Where no test can be copied safely it is a
plain failing one.
"""

from __future__ import annotations

import ast
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from crucible.domains.code.definitions import parse_python
from crucible.domains.code.suite import Canary

UNSAFE = re.compile(r"\b(?:return|yield|skip|skipif|xfail|importorskip|hypothesis|given)\b")
# matches: @pytest.mark.skipif  @given(st.text())
"""A test with one of these may end before its last line, or fail without being reported as failed."""
INDENT = re.compile(r"^([ \t]+)\S", re.MULTILINE)
# matches: the four spaces of "    assert x"


def make_canary(tests: Sequence[str], files: Mapping[str, str]) -> Canary:
    """A canary for these tests; `files` are the task's test files by path."""
    for path, name in _module_functions(tests):
        source = _copy_function(files.get(path, ""), name)
        if source:
            return _append_failing(path, files[path], name, source)
    path, _, name = tests[0].partition("::")
    beside = PurePosixPath(path).with_name(f"{PurePosixPath(path).stem}_{secrets.token_hex(3)}.py")
    name = name.rpartition("::")[2].partition("[")[0] or "test_it"
    return _append_failing(str(beside), "", name, "def NAME():\n    pass")


def _module_functions(tests: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Path and name of the tests that are functions of their module, not methods of a class."""
    for test in tests:
        path, *names = test.partition("[")[0].split("::")
        if len(names) == 1:
            yield path, names[0]


def _copy_function(content: str, name: str) -> str:
    """The source of a test function, called NAME; empty when it cannot be copied safely."""
    try:
        nodes = parse_python(content).body
    except (SyntaxError, ValueError):
        return ""
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef) and node.name == name]
    if len(functions) != 1 or functions[0].body[0].lineno == functions[0].lineno:
        return ""
    function = functions[0]
    first = min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])
    source = "\n".join(content.split("\n")[first - 1 : function.end_lineno])
    return "" if UNSAFE.search(source) else re.sub(rf"\bdef\s+{name}\b", "def NAME", source, count=1)


def _append_failing(path: str, content: str, name: str, source: str) -> Canary:
    """The file with the test NAME at its end under a fresh name; its last assertion compares two different numbers."""
    fresh, value = f"{name}_{secrets.token_hex(2)}", secrets.randbelow(900) + 100
    indent = INDENT.findall(source[source.index("def NAME") :])[0]
    ending = f"{indent}value = {value}\n{indent}assert value == {value + 1}\n"
    test = f"{source.replace('def NAME', f'def {fresh}', 1)}\n{ending}"
    start = f"{content.rstrip()}\n\n\n" if content else ""
    return Canary(path=path, content=f"{start}{test}", test=f"{path}::{fresh}")
