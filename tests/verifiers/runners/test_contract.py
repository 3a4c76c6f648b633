"""What every test framework must hold to, whichever it is."""

import shlex
import subprocess

import pytest

from crucible import parts
from crucible.domains.code.suite import Suite
from crucible.sandbox import Done
from tests.verifiers.runners.recorded import Recorded, all_recorded, get_runner

NAMES = [part.name for part in parts.every("runner")]
WHOLE = [run for run in all_recorded() if run.expected["complete"]]
BOMB = (
    b"/workspace\n"
    + b'<!DOCTYPE x [<!ENTITY a "b"><!ENTITY c "&a;&a;&a;">]><testsuites><testcase name="&c;"/></testsuites>'
)
GARBAGE = {
    "empty": b"",
    "nothing but space": b" \n\n",
    "noise": b"\x00\xff\xfe\x1b[31mhello",
    "an empty object": b"{}",
    "a list": b"/workspace\n[1, 2]",
    "an entity bomb": BOMB,
    "deep": b"/workspace\n" + b"[" * 100_000,
    "no tests": b"<testsuites/>",
    "too large": b"ok 1 - a\n" * (2 << 20),
    "an archive of nothing": b"\x1f\x8b" + b"\x00" * 40,
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("garbage", GARBAGE)
def test_what_is_no_report_is_no_grade(name: str, garbage: str) -> None:
    report = get_runner(name).reader.parse(GARBAGE[garbage], Done(code=0))
    assert not report.complete
    assert report.why


@pytest.mark.parametrize("run", WHOLE, ids=lambda run: f"{run.runner}-{run.case}")
@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
def test_a_report_that_was_cut_off_is_no_grade(run: Recorded, share: float) -> None:
    data = run.report
    assert not run.read(data[: int(len(data) * share)]).complete


@pytest.mark.parametrize("name", NAMES)
def test_paths_with_spaces_and_quotes_arrive_whole(name: str) -> None:
    runner = get_runner(name)
    paths = runner.paths(["a dir/it's.test::x"])
    command = runner.command(Suite(command="true"), "/tmp/0123/report", paths)
    assert all(path in shlex.split(command.replace("\n", " ")) or "," in command for path in paths)
    assert subprocess.run(["bash", "-n", "-c", command], check=False).returncode == 0
    assert subprocess.run(["sh", "-n", "-c", command], check=False).returncode == 0


@pytest.mark.parametrize("name", NAMES)
def test_the_report_goes_where_it_is_told(name: str) -> None:
    assert "/tmp/0123/report" in get_runner(name).command(
        Suite(command="go test node --test cargo test"), "/tmp/0123/report", []
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_killed_process_is_no_grade(name: str) -> None:
    for run in WHOLE:
        if run.runner == name:
            report = run.read(code=137, stopped="killed")
            assert not report.complete
