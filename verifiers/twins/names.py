"""Which tests of a report an altered place belongs to.

A twin knows its test as the file names it (`TestShelf::test_adds`, `shelf > adds`), a report as its framework does:
`tests/test_a.py::TestShelf::test_adds[1]`, `acme.ShelfTest::adds`, `test/a.js::shelf > adds`, `shelf/TestAdds/empty`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from crucible.domains.code.suite import SuiteParams
from crucible.domains.code.twins import Twin

BETWEEN = re.compile(r"::| > ")
# matches: what stands between a test's name and what it is in, in "TestShelf::test_adds" or "shelf > adds"
FARTHEST_LINE = 8
"""An alteration so many lines away from where a test fails has nothing to do with it."""


def name_failures(draw: Sequence[Twin], failing: Iterable[str]) -> dict[Twin, tuple[str, ...]]:
    """The failing tests of each altered place. A test that no place names goes to the one place that none is named by,
    if there is only one: a framework may report a file, or a whole program, as one test."""
    left = list(failing)
    named: dict[Twin, tuple[str, ...]] = dict.fromkeys(draw, ())
    # A test that a class inherits is named after that class; a program of several tests is often reported as one.
    for is_match in (is_in_test, _has_last_word, _is_program):
        for test in left:
            owners = [twin for twin in draw if is_match(twin, test)]
            longest = max((len(last_word(twin.test)) for twin in owners if twin.test in test), default=0)
            for twin in owners:  # "reads more" is no case of "reads" where there is such a test
                named[twin] += (test,) if len(last_word(twin.test)) >= longest else ()
        left = [test for test in left if not any(test in tests for tests in named.values())]
    alone = [twin for twin, tests in named.items() if not tests]
    return {**named, alone[0]: tuple(left)} if len(alone) == 1 else named


def hidden_first(params: SuiteParams, twins: Sequence[Twin], base: Mapping[str, str | None]) -> Sequence[Twin]:
    """Those in tests that an attempt cannot know, the ones that must start to pass, and there in lines that the base
    (its test files by path) lacks. Only where there are none, the others: an attempt that knows how a test was can see
    that it was altered."""
    twins = [twin for twin in twins if any(is_in_test(twin, test) for test in params.fail_to_pass)] or twins
    known = {path: {line.strip() for line in (text or "").splitlines()} for path, text in base.items()}
    files = {**params.tests, **params.inline}
    return [twin for twin in twins if not _lines_of(twin, files[twin.path]) & known.get(twin.path, set())] or twins


def failing_first(twins: Sequence[Twin], log: str) -> Sequence[Twin]:
    """Altered values before conditions, and of either those first that are nearest to a line where the tests fail over
    the base, by this log: code that pleases one assertion alone fails an alteration of any other."""
    lines = {path: named_lines(path, log) for path in {twin.path for twin in twins}}

    def rank(twin: Twin) -> tuple[bool, int]:
        distances = [abs(twin.line - line) for line in lines[twin.path]]
        return not twin.is_value, min([FARTHEST_LINE, *distances])

    return sorted(twins, key=rank)


def named_lines(path: str, log: str) -> set[int]:
    """The lines of a file that a log names."""
    name = re.escape(PurePosixPath(path).name)
    return {int(line) for line in re.findall(rf"{name}\W{{1,3}}(\d+)\b", log)}
    # matches: shelf_test.go:12   ShelfTest.java:[12,9]   ShelfTest.cs(12,9)


def _lines_of(twin: Twin, text: str) -> set[str]:
    """The lines that an alteration changes; none where it only adds one."""
    if twin.start == twin.end:
        return set()
    start, end = text.rfind("\n", 0, twin.start) + 1, text.find("\n", twin.end)
    return {line.strip() for line in text[start : end if end >= 0 else None].splitlines()}


def is_in_test(twin: Twin, test: str) -> bool:
    """Whether a test, as a report calls it, is the one that holds the altered place."""
    *above, _ = BETWEEN.split(twin.test)
    return _has_last_word(twin, test) and all(word in test for word in above)


def _has_last_word(twin: Twin, test: str) -> bool:
    """The same by the last part of the test's name alone; where the place has no name, by its file."""
    file, _, name = test.partition("::")
    if file != twin.path and PurePosixPath(file).suffix == PurePosixPath(twin.path).suffix:
        return False  # the report names files, and this one is another
    if not twin.test:
        return file == twin.path or PurePosixPath(twin.path).stem in file
    return _ends_with_word(name or file, last_word(twin.test))


def last_word(test: str) -> str:
    """A test's own name, without what it is in."""
    return BETWEEN.split(test)[-1]


def _is_program(twin: Twin, test: str) -> bool:
    """Whether a test is the program that the altered file is or becomes: `adds`, of `adds.c` or `adds.case.sh`."""
    return "::" not in test and PurePosixPath(test).stem == PurePosixPath(twin.path).name.partition(".")[0]


def _ends_with_word(text: str, word: str) -> bool:
    """Whether the last part of a test's name is this one, or a case of it."""
    return bool(re.search(rf"(?:^|::| > | › |[\s/#.]){re.escape(word)}(?:$|\(\)|[\[(/ ].*)", text, re.DOTALL))
    # matches for "adds": "shelf > adds", "tests::adds", "adds[1-2]", "TestShelf/adds/empty", "adds()"
