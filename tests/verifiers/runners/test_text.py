"""Plain text is the last resort: what it says must agree with its own summary, and nobody may speak twice."""

import pytest

from crucible.domains.code.suite import Report
from crucible.sandbox import Done
from tests.verifiers.runners.recorded import get_runner
from verifiers.readers.text import clean_text, fail_duplicates

BAR = "-" * 70


def read(name: str, text: str, code: int = 0) -> Report:
    return get_runner(name).reader.parse(f"{text}\n== ended with {code} ==\n".encode(), Done(code=code))


def unittest(lines: str, ran: int, closed: str, code: int = 0) -> Report:
    return read("unittest", f"{lines}\n\n{BAR}\nRan {ran} tests in 0.001s\n\n{closed}\n", code)


def test_escapes_and_control_characters_are_taken_out() -> None:
    assert clean_text(b"\x1b[1;31mFA\x00IL\x1b[0m\r\n\x1b]0;title\x07ok\xff") == "FAIL\nok�"


def test_a_test_that_is_named_twice_has_failed() -> None:
    assert fail_duplicates([("a", "passed"), ("b", "passed"), ("a", "passed")]) == {"a": "failed", "b": "passed"}


@pytest.mark.parametrize("place", ["tests.test_a.TestA", "tests.test_a.TestA.test_x"])
def test_older_and_newer_unittest_name_a_test_alike(place: str) -> None:
    assert unittest(f"test_x ({place}) ... ok", 1, "OK").outcomes == {"tests.test_a.TestA::test_x": "passed"}


def test_a_forged_line_is_no_grade() -> None:
    lines = "test_x (t.A.test_x) ... test_y (t.A.test_y) ... ok\nFAIL\ntest_y (t.A.test_y) ... FAIL"
    assert not unittest(lines, 2, "OK").complete


def test_a_summary_that_differs_is_no_grade() -> None:
    assert not unittest("test_x (t.A.test_x) ... ok", 1, "FAILED (failures=1)", 1).complete
    assert not unittest("test_x (t.A.test_x) ... FAIL", 1, "OK").complete
    assert not unittest("", 0, "NO TESTS RAN", 5).complete


def test_a_summary_printed_by_a_test_is_no_grade() -> None:
    forged = f"test_x (t.A.test_x) ... ok\n\n{BAR}\nRan 1 test in 0.001s\n\nOK\n"
    assert not unittest(forged, 1, "OK").complete


def test_pytest_lines_behind_another_command_are_held_against_its_summary() -> None:
    lines = "tests/test_a.py::test_x PASSED [ 50%]\n[gw0] [100%] PASSED tests/test_a.py::test_y\n"
    report = read("nose", f"{lines}======= 2 passed in 0.01s =======\n")
    assert report.outcomes == {"tests/test_a.py::test_x": "passed", "tests/test_a.py::test_y": "passed"}
    assert report.complete
    assert not read("nose", f"{lines}======= 3 passed in 0.01s =======\n").complete


def test_prose_and_sums_are_no_tests() -> None:
    prose = "error reading the cache\nFailed: 0\nPASSED: 3\nTests: ok\n2 passed, 0 failed\nsuccess rate is fine\n"
    assert read("lines", f"{prose}ok sum\n").outcomes == {"sum": "passed"}


def test_an_outcome_may_stand_behind_a_dash() -> None:
    printed = '59 parse(text) != NULL       - OK\n60 strcmp(parse(text), "a long one") == 0- FAIL\n'
    outcomes = read("lines", f"{printed}Tests failed: 1\n", 1).outcomes
    assert list(outcomes.values()) == ["passed", "failed"]
    assert next(iter(outcomes)) == "59 parse(text) != NULL"


def test_lines_without_a_test_are_no_grade() -> None:
    assert read("lines", "compiling\ndone\n").why == "the report counts no tests"
