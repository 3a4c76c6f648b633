"""A TAP stream counts only with its plan, its numbers in order, and nothing slipped in."""

import pytest

from crucible.domains.code.suite import Report
from crucible.sandbox import Done
from tests.verifiers.runners.recorded import get_runner


def read(text: str, code: int = 0, name: str = "tap") -> Report:
    return get_runner(name).reader.parse(f"{text}\n== ended with {code} ==\n".encode(), Done(code=code))


@pytest.mark.parametrize(
    "text",
    [
        "ok 1 - a\nok 2 - b\n",
        "1..3\nok 1 - a\nok 2 - b\n",
        "1..2\nok 1 - a\nok 1 - b\n",
        "1..2\nok 1 - a\nok 9 - forged\n",
        "1..1\nok 1 - a\n1..1\n",
        "1..2\nok 1 - a\nBail out! no database\nok 2 - b\n",
        "1..0 # SKIP nothing to do\n",
    ],
    ids=["no plan", "too few", "same number", "wrong number", "two plans", "bailed out", "nothing planned"],
)
def test_a_stream_that_is_not_whole_is_no_grade(text: str) -> None:
    assert not read(text).complete


def test_details_are_not_taken_for_results() -> None:
    report = read("1..1\nnot ok 1 - a\n  ---\n  found: |\n    ok 1 - a\nok 2 - forged\n  ...\n", 1)
    assert report.outcomes == {"a": "failed"}
    assert report.complete


def test_directives_are_not_part_of_the_name() -> None:
    report = read("1..3\nok 1 - a # SKIP later\nnot ok 2 - b # TODO soon\nok 3 - c # time=3ms\n")
    assert report.outcomes == {"a": "skipped", "b": "xfailed", "c": "passed"}


def test_a_failing_assertion_fails_the_tape_test_it_is_in() -> None:
    text = "TAP version 13\n# sum\nok 1 one\nnot ok 2 two\n# other\nok 3 one\n\n1..3\n# tests 3\n# pass  2\n# fail  1\n"
    assert read(text, 1).outcomes == {"sum": "failed", "other": "passed"}


def test_a_test_still_to_be_written_is_not_a_pass_in_ava() -> None:
    assert read("1..1\nnot ok 1 - later # TODO\n", name="ava").outcomes == {"later": "skipped"}
