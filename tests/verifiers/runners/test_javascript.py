"""Reports of JavaScript's frameworks are held against their own counts and their own end."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from crucible.domains.code.suite import Report, Suite
from crucible.sandbox import Done
from tests.verifiers.runners.recorded import get_runner
from verifiers.runners import framework

END = '{"end": true}'


def jest(*tests: dict[str, Any], code: int = 0, **whole: Any) -> Report:
    file = {"name": "/workspace/a.test.js", "status": "passed", "assertionResults": list(tests)}
    body = json.dumps({"numTotalTests": len(tests), "testResults": [file], **whole})
    return get_runner("jest").reader.parse(f"/workspace\n{body}".encode(), Done(code=code))


def lines(name: str, *events: str, code: int = 0) -> Report:
    return get_runner(name).reader.parse("\n".join(["/workspace", *events]).encode(), Done(code=code))


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


@pytest.mark.parametrize("name", ["mocha", "jasmine", "node", "minitest", "test-unit"])
def test_a_reporter_that_did_not_come_to_its_end_is_no_grade(name: str) -> None:
    assert lines(name, line("passed"), END).complete
    assert not lines(name, line("passed")).complete
    assert not lines(name, line("passed"), END, line("passed")).complete
    assert not lines(name, line("great"), END).complete
    assert not lines(name, END).complete


@pytest.mark.parametrize("name", ["mocha", "jasmine", "node", "minitest", "test-unit"])
def test_a_file_that_fails_as_a_whole_is_named_by_its_path(name: str) -> None:
    whole = line("failed", name="/workspace/a.js")
    assert lines(name, whole, END, code=1).outcomes == {"a.js": "failed"}


def test_a_file_elsewhere_keeps_its_whole_path() -> None:
    assert list(lines("node", line("passed", file="/elsewhere/a.js"), END).outcomes) == ["/elsewhere/a.js::adds"]


def test_jest_keeps_tests_out_of_its_own_process_unless_it_is_told_where_they_run() -> None:
    assert "npx jest $workers $limit --ci" in get_runner("jest").command(Suite(command="npx jest"), "/r", ())
    assert "$workers" not in get_runner("jest").command(Suite(command="npx jest --maxWorkers=4"), "/r", ())
    assert "$workers" not in get_runner("jest").command(Suite(command="npx jest -i"), "/r", ())


def test_node_does_not_wait_for_ever_unless_it_is_told_how_long() -> None:
    assert "node $options $limit --test" in get_runner("node").command(Suite(command="node --test"), "/r", ())
    assert "$limit" not in get_runner("node").command(Suite(command="node --test --test-timeout=9"), "/r", ())


LONGER = {
    "jest": ("--testTimeout=20000", "29.7.0", "24.1.0"),
    "vitest": ("--testTimeout=20000 --hookTimeout=20000", "3.0.5", "0.34.6"),
    "ava": ("--timeout=60s", "6.0.0", ""),
}


def asked(name: str, command: str, folder: Path) -> str:
    """The words that a framework is started with in this folder."""
    (folder / "report.d").mkdir(exist_ok=True)
    script = get_runner(name).command(Suite(command=command), str(folder / "report"), ())
    script = f'npx() {{ echo "$@" > {folder}/words; }}\n{script}'
    subprocess.run(["sh", "-c", script], cwd=folder, check=False, capture_output=True)
    return (folder / "words").read_text()


@pytest.mark.parametrize("name", LONGER)
def test_a_test_has_longer_than_the_framework_gives_it_unless_the_project_says_how_long(
    name: str, tmp_path: Path
) -> None:
    limit, knowing, ignorant = LONGER[name]
    brought = tmp_path / "node_modules" / name / "package.json"
    brought.parent.mkdir(parents=True)
    brought.write_text(f'{{\n  "version": "{knowing}"\n}}')
    assert limit in asked(name, f"npx {name}", tmp_path)
    own = limit.split()[0].replace("0000", "5").replace("60s", "5s")
    assert limit not in asked(name, f"npx {name} {own}", tmp_path)
    if ignorant:
        brought.write_text(f'{{\n  "version": "{ignorant}"\n}}')
        assert "imeout" not in asked(name, f"npx {name}", tmp_path)
        brought.write_text(f'{{\n  "version": "{knowing}"\n}}')
    (tmp_path / "package.json").write_text('{"x": {"testTimeout": 9, "timeout": 9}}')
    assert "imeout" not in asked(name, f"npx {name}", tmp_path)


MOCHA = """
const runner = new (require('events'))();
const one = (limit) => ({ timeout: (told) => (told === undefined ? limit : (limit = told)) });
const held = [one(2000), one(0), one(60000), one(2000)];
const inner = Object.assign(one(2000), { tests: held.slice(0, 3), suites: [], _beforeAll: [held[3]] });
runner.suite = Object.assign(one(2000), { tests: [], suites: [inner] });
require(process.argv[1])(runner);
runner.emit('start');
console.log(held.map((each) => each.timeout()).join(' '));
"""


def test_mocha_gives_tests_and_hooks_longer_but_no_limit_to_what_has_none() -> None:
    reporter = Path(framework.__file__).parent / "reporters" / "mocha.cjs"
    ran = subprocess.run(["node", "-e", MOCHA, str(reporter)], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["20000", "0", "60000", "20000"]
