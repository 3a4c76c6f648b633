"""Go's events are believed only where they cannot have been printed by a test."""

import json

from crucible.domains.code.suite import Report, Suite
from crucible.sandbox import Done
from tests.verifiers.runners.recorded import get_runner

PACKAGE = "example.com/mod/calc"


def event(action: str, test: str = "", **more: str) -> str:
    return json.dumps({"Action": action, "Package": PACKAGE, **({"Test": test} if test else {}), **more})


def read(*lines: str, code: int = 0) -> Report:
    text = "\n".join([*lines, f"\n== ended with {code} ==\n"])
    return get_runner("go").reader.parse(text.encode(), Done(code=code))


def test_a_forged_pass_does_not_outweigh_the_failure() -> None:
    report = read(event("run", "TestA"), event("pass", "TestA"), event("fail", "TestA"), event("fail"), code=1)
    assert report.outcomes == {f"{PACKAGE}::TestA": "failed"}
    assert report.complete


def test_a_test_that_was_running_when_its_package_ended_has_failed() -> None:
    report = read(event("run", "TestA"), event("pass", "TestA"), event("run", "TestB"), event("fail"), code=1)
    assert report.outcomes[f"{PACKAGE}::TestB"] == "failed"


def test_a_process_that_ends_early_with_success_is_no_grade() -> None:
    report = read(event("run", "TestA"), event("pass", "TestA"), event("run", "TestB"), event("pass"))
    assert not report.complete


def test_a_package_that_never_ends_is_no_grade() -> None:
    assert "ends before" in read(event("start"), event("run", "TestA"), event("pass", "TestA")).why


def test_a_package_that_fails_outside_of_its_tests_is_failed_by_its_name() -> None:
    report = read(event("run", "TestA"), event("pass", "TestA"), event("fail"), code=1)
    assert report.outcomes == {f"{PACKAGE}::TestA": "passed", PACKAGE: "failed"}
    assert report.complete


def test_packages_without_tests_are_no_grade() -> None:
    assert read(event("output", Output="no test files"), event("skip")).why == "the report counts no tests"


def test_packages_take_the_place_of_all_and_options_go_first() -> None:
    command = get_runner("go").command(Suite(command="go test -race ./... -timeout 9s"), "/tmp/x/report", [PACKAGE])
    assert command.startswith(f"go test -json -count=1 -vet=off -race  -timeout 9s {PACKAGE} > /tmp/x/report")
