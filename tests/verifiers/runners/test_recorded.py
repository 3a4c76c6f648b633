"""What real test frameworks wrote is read as it was meant, test by test."""

import pytest

from crucible import parts
from tests.verifiers.runners.recorded import DATA, Recorded, all_recorded


@pytest.mark.parametrize("run", all_recorded(), ids=lambda run: f"{run.runner}-{run.case}")
def test_a_recorded_run_is_read_as_it_was(run: Recorded) -> None:
    report = run.read()
    assert report.outcomes == run.expected["outcomes"]
    assert (report.complete, report.why) == (run.expected["complete"], run.expected.get("why", ""))
    assert report.broken == run.expected.get("broken", "")


@pytest.mark.parametrize("run", [run for run in all_recorded() if run.expected["complete"]], ids=lambda run: run.runner)
def test_an_exit_code_that_contradicts_the_report_is_no_grade(run: Recorded) -> None:
    report = run.read(code=0 if run.expected["code"] else 1)
    assert not report.complete
    assert report.why


@pytest.mark.parametrize("run", all_recorded(), ids=lambda run: f"{run.runner}-{run.case}")
def test_a_run_that_was_stopped_is_neither_a_grade_nor_broken(run: Recorded) -> None:
    report = run.read(stopped="timeout", code=124)
    assert (report.complete, report.broken) == (False, "")
    assert "stopped" in report.why


def test_every_framework_was_recorded() -> None:
    recorded = {folder.name for folder in DATA.iterdir()}
    assert recorded == {part.name for part in parts.every("runner")} - {"pytest"}
