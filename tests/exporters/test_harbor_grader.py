"""A Harbor folder's grader reads every report as the product's own runner does, by Python's library alone."""

from __future__ import annotations

import ast
import base64
import json
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from crucible import parts
from crucible.domains.code.outcomes import Status
from crucible.domains.code.suite import Report
from crucible.errors import Rejected
from crucible.sandbox import Done
from exporters.harbor import grader
from tests.verifiers.runners.recorded import all_recorded, get_runner

NAMES = [part.name for part in parts.every("runner")]
CASES = """<testsuites><testsuite>
<testcase classname="tests.test_a.TestIt" name="test_x[1]" file="tests/test_a.py"/>
<testcase classname="tests.test_b.TestChild" name="test_inherited" file="tests/base.py"><failure/></testcase>
<testcase classname="tests.test_a" name="test_y" file="tests/test_a.py"><skipped type="pytest.xfail"/></testcase>
<testcase classname="tests.test_a" name="test_z" file="tests/test_a.py"><skipped/></testcase>
<testcase classname="" name="tests.test_broken" file=""><error/></testcase>
</testsuite></testsuites>"""
READ = """import base64, json, runpy, sys
sys.path.insert(0, sys.argv[1])
graded = runpy.run_path(sys.argv[1] + "/__main__.py", run_name="grade")
for line in sys.stdin:
    told = json.loads(line)
    done = graded["EndedCommand"](**told["done"])
    found = graded["read_report"](told["wanted"], base64.b64decode(told["report"]), done)
    reward = graded["compute_reward"](told["wanted"], found)
    print(json.dumps([found.outcomes, found.complete, found.why, found.broken, reward]))
"""


def shipped(runner: str, folder: Path, inline: bool = False) -> Path:
    for file in grader.grader_files(runner, inline):
        (folder / file.path).parent.mkdir(parents=True, exist_ok=True)
        (folder / file.path).write_bytes(file.data)
    return folder


def runs(runner: str) -> list[tuple[bytes, Done]]:
    """What was recorded of a framework, whole, cut off, and with an exit code that says something else."""
    recorded = [(run.report, run.done) for run in all_recorded() if run.runner == runner]
    whole = recorded or [(CASES.encode(), Done(code=1))]
    cut = [(report[: len(report) * 2 // 3], done) for report, done in whole]
    other = [(report, Done(code=code)) for report, _ in whole for code in (0, 1, 2, 137)]
    return [*whole, *cut, *other, (b"", Done(code=0)), (b"\xff\x00{}", Done(code=1))]


def wanted(runner: str, report: Report) -> dict[str, Any]:
    """All that passed must pass, the last of it as what passed before."""
    must = [test for test in report.outcomes if report.passed(test)]
    return {
        "runner": runner,
        "module": grader.reader_module(runner),
        "fail_to_pass": must[:-1],
        "pass_to_pass": must[-1:],
        "inline": {},
    }


def lines(runner: str) -> list[tuple[Report, str]]:
    """What our runner makes of each run, and the run as one line of JSON."""
    found = [(get_runner(runner).reader.parse(report, done), report, done) for report, done in runs(runner)]
    return [
        (
            ours,
            json.dumps(
                {
                    "wanted": wanted(runner, ours),
                    "report": base64.b64encode(report).decode(),
                    "done": {"code": done.code, "out": done.out, "err": done.err},
                }
            ),
        )
        for ours, report, done in found
    ]


@pytest.mark.parametrize("runner", NAMES)
def test_every_recorded_report_is_read_as_our_runner_reads_it(runner: str, tmp_path: Path) -> None:
    asked = lines(runner)
    command = [sys.executable, "-I", "-S", "-c", READ, str(shipped(runner, tmp_path))]
    done = subprocess.run(
        command, input="\n".join(line for _, line in asked), capture_output=True, text=True, check=True
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer[:4] for answer in answers] == [
        [ours.outcomes, ours.complete, ours.why, ours.broken] for ours, _ in asked
    ]
    assert [answer[4] for answer in answers] == [int(rewarded(ours)) for ours, _ in asked]
    assert len({answer[4] for answer in answers}) == 2 or not any(ours.complete for ours, _ in asked)


@pytest.mark.parametrize("spared", ["skipped", "xfailed"])
def test_a_test_that_the_attempt_skips_or_expects_to_fail_is_lost(spared: Status) -> None:
    told = {"fail_to_pass": ["a"], "pass_to_pass": ["b"]}
    whole = Report(outcomes={"a": "passed", "b": "passed", "c": "skipped"}, complete=True)
    lost = Report(outcomes={"a": "passed", "b": spared}, complete=True)
    graded = runpy.run_path(str(grader.PROGRAM), run_name="grade")
    assert [graded["compute_reward"](told, report) for report in (whole, lost)] == [1, 0]
    assert "not ok 2 b\n" in list(graded["list_outcomes"](told, lost))


def rewarded(ours: Report) -> bool:
    failing = bool(ours.broken) or "failed" in ours.outcomes.values()
    return ours.complete and (ours.code == 0) == (not failing)


@pytest.mark.parametrize("runner", NAMES)
def test_what_is_shipped_needs_no_newer_python_than_the_images_have(runner: str) -> None:
    for file in grader.grader_files(runner, True):
        if file.path.endswith(".py"):
            ast.parse(file.data, feature_version=(3, 10))


def test_a_framework_whose_reader_needs_more_than_python_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grader, "reader_module", lambda runner: "crucible.model")
    with pytest.raises(Rejected, match="pydantic"):
        grader.grader_files.__wrapped__("other", False)


def test_a_framework_that_nobody_knows_is_refused() -> None:
    with pytest.raises(Rejected) as refused:
        grader.reader_module("nobody's")
    assert refused.value.reason == "no_harbor_runner"


def test_tests_within_a_source_file_are_exchanged_and_links_are_not_followed(tmp_path: Path) -> None:
    here, outside = tmp_path / "here", tmp_path / "outside"
    (here / "src").mkdir(parents=True)
    outside.mkdir()
    text = "fn one() {}\n\n#[test]\nfn easy() {}\n"
    (here / "src" / "lib.rs").write_text(text)
    (outside / "far.rs").write_text(text)
    (here / "linked").symlink_to(outside)
    test = "#[test]\nfn hard() {}\n"
    told = tmp_path / "wanted.json"
    told.write_text(json.dumps({"inline": dict.fromkeys(("src/lib.rs", "linked/far.rs", "gone.rs"), test)}))
    folder = shipped("cargo", tmp_path / "grade", inline=True)
    subprocess.run([sys.executable, "-I", "-S", str(folder), "lay", str(told)], cwd=here, check=True)
    laid = (here / "src" / "lib.rs").read_text()
    assert ("hard" in laid, "easy" in laid, "one" in laid) == (True, False, True)
    assert (outside / "far.rs").read_text() == text
    assert (here / "linked" / "far.rs").read_text() == laid
    assert not (here / "gone.rs").exists()
