"""What the failing tests show, for a statement too short to work from: their names in words, their assertions. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from textwrap import dedent

from pipelines.swe.statements import go_tests, indented_tests, python_tests
from pipelines.swe.statements.data_rows import changed_data, new_table_rows
from pipelines.swe.statements.patch_files import ChangedTests

MOST_NAMES = 8
"""So many names of failing tests are told."""
MOST_ASSERTIONS = 16
"""So many assertions are shown."""
ASSERTIONS_CHARS = 2500
"""All assertions together are no longer."""
MOST_PIECES = 2
"""So many pieces of added code are shown where assertions say nothing."""
PIECE_LINES = 30
"""A longer piece of added code is not shown; where all of them together are no longer, all are."""
COMMON_PART = 3
"""What parts of so many tests are called (`ToE`, `Pointer`) tells nothing of any of them."""
GROUP_SIGN = re.compile(r"\s[>›]\s")
# matches: parse > keeps empty keys
FILE_NAME = re.compile(r"[\w./-]+\.\w{1,4}")
# matches: test/a.js
PARAMETERS = re.compile(r"^([^\s\[(]+)[\[(].*[\])]$", re.DOTALL)
# matches: tests/a.py::test_halves[4-2]
NAME_SIGN = re.compile(r"::|\s[>›]\s|#")
# matches: ::
SPEC_NUMBER = re.compile(r"^test_\d{4}_")
# matches the number that minitest gives a spec: test_0012_
PATH_SIGN = re.compile(r"::|#|\s>\s|\s›\s|/|\.(?=\w+$)")
# matches the signs in: TestTrim/AsTypeE  a.JarTest
CAMEL_BORDER = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
# matches between the words of: keepsOrder
TEST_WORD = re.compile(r"(?i)^(?:test|it|should)\b\s*")
# matches the first word of: test keeps order
VALUE = re.compile(r"[\"'`\d]|\b(?:true|false|null|none|nil|undefined)\b", re.IGNORECASE)
# matches: 2
LAST_PARAMETERS = re.compile(r"\[.*\]$", re.DOTALL)
# matches in test_halves[4-2]: [4-2]
LETTER = re.compile(r"\w")
# matches: a
THREE_LETTERS = re.compile(r"\w{3}")
# matches: end


def write_expected_section(tests: ChangedTests, *, enough: int) -> str:
    """A section of the statement: what the failing tests are called, and examples where these names have fewer than
    `enough` characters. Empty when the tests show nothing."""
    parts = Counter(title_in_words(test) for test in tests.failing if "/" in test.rpartition("::")[2])
    titles = dict.fromkeys(map(title_in_words, tests.failing))
    names = [title for title in titles if len(title.split()) > 2 and parts[title] < COMMON_PART]
    points = [f"- {name}" for name in names[:MOST_NAMES]]
    text = "\n".join(points)
    examples = [] if len(text) >= enough else find_examples(tests)
    if examples:
        text = "\n".join([*points, "", "For example:", "", "```", *examples, "```"])
    return f"## Expected behaviour\n\n{text.strip()}" if text.strip() else ""


def find_examples(tests: ChangedTests) -> list[str]:
    """Assertions; where they compare names with names, the lines around them that say what these stand for. And the
    data that the tests read. Where none of it is code that asserts, code that was added to the tests."""
    examples = _take_assertions(find_assertions(tests))
    if 2 * sum(bool(VALUE.search(example)) for example in examples) < len(examples) or not examples:
        examples = _added_examples(tests) or examples
    data = changed_data(tests.files, with_rows=not examples)
    return [*examples, *data] or _small_pieces(lines for _, lines in _added_pieces(tests))


def title_in_words(name: str) -> str:
    """A test's name as people would say it: `tests/a.py::test_empty_input_is_bad[0]` is `empty input is bad`. A title
    says nothing without those of its groups."""
    bare = PARAMETERS.sub(r"\1", name.strip())
    titles = [title for title in GROUP_SIGN.split(bare.rpartition("::")[2]) if not FILE_NAME.fullmatch(title)]
    if len(titles) > 1:
        return " › ".join(" ".join(title.split()) for title in titles)
    last = SPEC_NUMBER.sub("", NAME_SIGN.split(bare)[-1])
    if " " not in last.strip():
        last = PATH_SIGN.split(last)[-1]
        last = CAMEL_BORDER.sub(" ", last).replace("_", " ")
        last = TEST_WORD.sub("", last.strip())
    return " ".join(last.lower().split() if last.isupper() or " " not in name else last.split())


def find_assertions(tests: ChangedTests) -> Iterator[str]:
    """Lines that say what is expected: of the failing tests where they can be found, else those that were added."""
    is_found = False
    for path, source in sorted(tests.sources.items()):
        for assertion in _find_in_file(path, source, tests):
            is_found = True
            yield assertion
    if is_found:
        return
    for file in tests.files:
        # Go's messages say nothing without the condition over them.
        if file.language and not file.path.lower().endswith(".go"):
            yield from indented_tests.find_in_lines(file.added, file.language)


def _find_in_file(path: str, source: str, tests: ChangedTests) -> Iterator[str]:
    """What the failing tests of one file assert, each language in its own way."""
    if path.endswith(".py"):
        functions = {LAST_PARAMETERS.sub("", name.partition(f"{path}::")[2]) for name in tests.failing if path in name}
        return python_tests.find_assertions(source, functions, {line.strip() for line in tests.added})
    if path.endswith(".go"):
        failing = {name.rpartition("::")[2] for name in tests.failing}
        return go_tests.find_expectations(
            source, failing, {line.strip() for line in tests.added if LETTER.search(line)}
        )
    fresh = {line.strip() for line in tests.added if THREE_LETTERS.search(line)}
    return indented_tests.find_assertions(path, source, tests.failing, fresh)


def _take_assertions(assertions: Iterator[str]) -> list[str]:
    """The first assertions, each once, as many as there is room for."""
    taken: dict[str, None] = {}
    for assertion in assertions:
        if len(taken) == MOST_ASSERTIONS or sum(map(len, taken)) + len(assertion) > ASSERTIONS_CHARS:
            break
        taken[assertion] = None
    return list(taken)


def _added_examples(tests: ChangedTests) -> list[str]:
    """Rows that are added to tables; else lines that are added as one piece: all of them where they are few, else small
    pieces that hold an assertion."""
    if rows := new_table_rows(tests):
        return [rows]
    pieces = list(_added_pieces(tests))
    if sum(len(lines) for _, lines in pieces) <= PIECE_LINES:
        return [dedent("\n".join(lines)).strip() for _, lines in pieces]
    return _small_pieces(lines for has_assertion, lines in pieces if has_assertion)


def _small_pieces(pieces: Iterable[list[str]]) -> list[str]:
    """The first few pieces that are not long."""
    small = (lines for lines in pieces if len(lines) <= PIECE_LINES)
    return [dedent("\n".join(lines)).strip() for lines in islice(small, MOST_PIECES)]


def _added_pieces(tests: ChangedTests) -> Iterator[tuple[bool, list[str]]]:
    """Code that is added without a gap, and whether an assertion is in it."""
    for file in tests.files:
        for is_added, group in groupby(file.lines, key=lambda line: line.startswith("+")):
            lines = [line[1:] for line in group]
            if file.language and is_added and any(LETTER.search(line) for line in lines):
                has_assertion = any(map(file.language.is_assertion, lines))
                yield has_assertion, [line.expandtabs(4) for line in lines]
