"""Reports of JavaScript's frameworks are held against their own counts and their own end."""

import json
from typing import Any

import pytest

from crucible.sandbox import Done
from crucible.suites import Report, Suite
from tests.verifiers.runners.recorded import made

END = '{"end": true}'


def jest(*tests: dict[str, Any], code: int = 0, **whole: Any) -> Report:
    file = {"name": "/workspace/a.test.js", "status": "passed", "assertionResults": list(tests)}
    body = json.dumps({"numTotalTests": len(tests), "testResults": [file], **whole})
    return made("jest").parse(f"/workspace\n{body}".encode(), Done(code=code))


def lines(name: str, *events: str, code: int = 0) -> Report:
    return made(name).parse("\n".join(["/workspace", *events]).encode(), Done(code=code))


def line(status: str, file: str = "/workspace/a.js", name: str = "adds") -> str:
    return json.dumps({"file": file, "name": name, "status": status, "kind": "test"})


def test_jest_counts_what_it_holds() -> None:
    test = {"title": "adds", "ancestorTitles": ["sum"], "status": "passed"}
    assert jest(test).outcomes == {"a.test.js::sum > adds": "passed"}
    assert jest(test).complete
    assert "counts 2 tests and holds 1" in jest(test, numTotalTests=2).why


def test_an_interrupted_run_is_no_grade() -> None:
    test = {"title": "adds", "ancestorTitles": [], "status": "passed"}
    assert not jest(test, wasInterrupted=True).complete


def test_an_unknown_status_is_a_failure() -> None:
    assert (
        jest({"title": "adds", "ancestorTitles": [], "status": "great"}, code=1).outcomes["a.test.js::adds"] == "failed"
    )


def test_a_test_that_shares_its_name_counts_as_the_worse_of_the_two() -> None:
    twice: list[dict[str, Any]] = [
        {"title": "adds", "ancestorTitles": [], "status": status} for status in ("failed", "passed")
    ]
    assert jest(*twice, code=1).outcomes == {"a.test.js::adds": "failed"}


@pytest.mark.parametrize("name", ["mocha", "node", "minitest", "test-unit"])
def test_a_reporter_that_did_not_come_to_its_end_is_no_grade(name: str) -> None:
    assert lines(name, line("passed"), END).complete
    assert not lines(name, line("passed")).complete
    assert not lines(name, line("passed"), END, line("passed")).complete
    assert not lines(name, line("great"), END).complete
    assert not lines(name, END).complete


@pytest.mark.parametrize("name", ["mocha", "node", "minitest", "test-unit"])
def test_a_file_that_fails_as_a_whole_is_named_by_its_path(name: str) -> None:
    whole = line("failed", name="/workspace/a.js")
    assert lines(name, whole, END, code=1).outcomes == {"a.js": "failed"}


def test_a_file_elsewhere_keeps_its_whole_path() -> None:
    assert list(lines("node", line("passed", file="/elsewhere/a.js"), END).outcomes) == ["/elsewhere/a.js::adds"]


def test_jest_keeps_tests_out_of_its_own_process_unless_it_is_told_where_they_run() -> None:
    assert "npx jest $workers --ci" in made("jest").command(Suite(command="npx jest"), "/r", ())
    assert "$workers" not in made("jest").command(Suite(command="npx jest --maxWorkers=4"), "/r", ())
    assert "$workers" not in made("jest").command(Suite(command="npx jest -i"), "/r", ())
