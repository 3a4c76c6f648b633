"""Rust's text is believed only as far as it agrees with itself."""

import pytest

from crucible.domains.code.suite import Report, Suite
from crucible.sandbox import Done
from tests.verifiers.runners.recorded import Recorded, get_runner

HEAD = "     Running unittests src/lib.rs (target/debug/deps/calc-c6626fb655a8d231)\n\n"


def summary(passed: int, failed: int) -> str:
    state = "FAILED" if failed else "ok"
    return f"\ntest result: {state}. {passed} passed; {failed} failed; 0 ignored; 0 measured; 0 filtered out\n"


def read(text: str, code: int = 0) -> Report:
    return get_runner("cargo").reader.parse(f"{HEAD}{text}\n== ended with {code} ==\n".encode(), Done(code=code))


def test_binaries_of_one_name_in_a_workspace_are_told_apart_by_their_crates() -> None:
    other = HEAD.replace("calc-c6626fb655a8d231", "other-0123456789abcdef")
    report = read(
        f"running 1 test\ntest a ... ok\n{summary(1, 0)}{other}running 1 test\ntest a ... ok\n{summary(1, 0)}"
    )
    assert set(report.outcomes) == {"calc::src/lib.rs::a", "other::src/lib.rs::a"}
    assert report.complete


@pytest.mark.parametrize(
    "text",
    [
        f"running 2 tests\ntest a ... ok\ntest a ... ok\n{summary(2, 0)}",
        f"running 2 tests\ntest a ... ok\ntest b ... ok\ntest b ... FAILED\n{summary(1, 1)}",
        f"running 2 tests\ntest a ... ok\n{summary(2, 0)}",
        f"running 1 test\ntest a ... ok\n{summary(1, 0)}{summary(1, 0)}",
        "running 2 tests\ntest a ... ok\ntest b ... ok\n",
        f"test a ... ok\n{summary(1, 0)}",
    ],
    ids=["named twice", "contradicted", "one is missing", "ends twice", "does not end", "never counted"],
)
def test_forged_lines_are_no_grade(text: str) -> None:
    for code in (0, 101):
        report = read(text, code)
        assert not report.complete
        assert report.why


def test_what_a_failing_test_printed_is_not_taken_for_a_result() -> None:
    printed = "failures:\n\n---- a stdout ----\ntest b ... FAILED\ntest c ... ok\n\nfailures:\n    a\n"
    report = read(f"running 2 tests\ntest b ... ok\ntest a ... FAILED\n\n{printed}{summary(1, 1)}", 101)
    assert report.outcomes == {"calc::src/lib.rs::b": "passed", "calc::src/lib.rs::a": "failed"}
    assert report.complete


def test_colours_do_not_hide_a_failure() -> None:
    report = read(f"running 1 test\ntest a ... \x1b[31mFAILED\x1b[0m\n{summary(0, 1)}", 101)
    assert report.outcomes == {"calc::src/lib.rs::a": "failed"}


def test_a_crash_is_the_binarys_failure_and_leaves_the_others() -> None:
    assert Recorded("cargo", "crashed").read().outcomes["crash::tests/crash.rs"] == "failed"


def test_options_go_before_those_of_the_tests() -> None:
    command = get_runner("cargo").command(Suite(command="cargo test -p x -- --skip slow"), "/tmp/x/report", [])
    assert "cargo test -p x --no-fail-fast -- --skip slow > /tmp/x/report" in command
    assert "--tool-config-file" in get_runner("cargo").command(Suite(command="cargo nextest run"), "/tmp/x/report", [])
