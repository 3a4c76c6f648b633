"""What the failing tests show, for a statement too short to work from: their names in words, their assertions."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence

from pipelines.swe.statements.interface import added
from pipelines.swe.statements.languages import language_of

MOST_NAMES, MOST_LINES, LONGEST = 8, 8, 200
NAME = re.compile(r"::|#|\s>\s|\s›\s|/|\.(?=\w+$)")
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def told(fail_to_pass: Sequence[str], tests: Mapping[str, str], test_patch: str, *, enough: int) -> str:
    """A section of the statement; empty when the tests show nothing either."""
    names = [name for name in dict.fromkeys(map(in_words, fail_to_pass)) if len(name.split()) > 2]
    parts = [f"- {name}" for name in names[:MOST_NAMES]]
    text = "\n".join(parts)
    lines = [] if len(text) >= enough else list(dict.fromkeys(assertions(fail_to_pass, tests, test_patch)))[:MOST_LINES]
    if lines:
        text = "\n".join([*parts, "", "For example:", "", "```", *lines, "```"])
    return f"## Expected behaviour\n\n{text.strip()}" if text.strip() else ""


def in_words(name: str) -> str:
    """A test's name as people would say it: `tests/a.py::test_empty_input_is_bad[0]` is `empty input is bad`."""
    bare = re.sub(r"\[.*\]$|\(.*\)$", "", name.strip())
    last = re.split(r"::|\s>\s|\s›\s|#", bare)[-1]
    if " " not in last.strip():
        last = NAME.split(last)[-1]
        last = CAMEL.sub(" ", last).replace("_", " ")
        last = re.sub(r"(?i)^(?:test|it|should)\b\s*", "", last.strip())
    return " ".join(last.lower().split() if last.isupper() or " " not in name else last.split())


def assertions(fail_to_pass: Sequence[str], tests: Mapping[str, str], test_patch: str) -> Iterator[str]:
    """Lines that say what is expected: of the failing tests where they can be found, else those that were added."""
    found = False
    for path, source in sorted(tests.items()):
        wanted = {_bare(name) for name in fail_to_pass if path in name}
        if path.endswith(".py") and wanted:
            for line in _python(source, wanted):
                found = True
                yield line
    if found:
        return
    for path, line in added(test_patch):
        language = language_of(path)
        if language and language.is_assertion(line) and len(line.strip()) <= LONGEST:
            yield line.strip()


def _bare(name: str) -> str:
    return re.sub(r"\[.*\]$", "", name.rpartition("::")[2])


def _python(source: str, wanted: set[str]) -> Iterator[str]:
    """The assertions within these functions. A file that does not parse shows none."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return
    language = language_of("a.py")
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name in wanted:
            for inner in ast.walk(node):
                if isinstance(inner, ast.Assert | ast.Expr | ast.With):
                    shown = ast.Module([inner], []) if not isinstance(inner, ast.With) else inner
                    text = ast.unparse(shown)
                    first = text.splitlines()[0] if text.count("\n") <= 3 else ""
                    if language and language.is_assertion(first) and len(text) <= LONGEST:
                        yield text
