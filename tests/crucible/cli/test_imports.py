"""`crucible import` as a user meets it: counts, reasons, and one line for what is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crucible.cli.app import invoke


@pytest.fixture
def rows(here: Path) -> Path:
    (here / "rows.jsonl").write_text('{broken\n{"instance_id": "a__b-1"}\n')
    return here / "rows.jsonl"


def test_every_row_is_counted_and_every_drop_has_a_reason(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["--json", "import", "swe-bench", str(rows)]) == 0
    done = json.loads(capsys.readouterr().out)
    assert (done["read"], done["new"]) == (2, 2)
    assert (done["stages"][0]["stage"], done["stages"][0]["dropped"]) == ("swe-bench.read", 2)
    assert invoke(["--json", "funnel"]) == 0
    assert json.loads(capsys.readouterr().out)["stages"][0]["reasons"] == {"malformed_row": 2}


def test_the_same_file_twice_is_nothing_new_but_looked_at_again(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["import", "swe-bench", str(rows)]) == 0
    capsys.readouterr()
    assert invoke(["--json", "import", "swe-bench", str(rows), "--limit", "1"]) == 0
    done = json.loads(capsys.readouterr().out)
    assert (done["read"], done["new"], done["stages"][0]["dropped"]) == (1, 0, 1)


WRONG: dict[str, tuple[list[str], int, str]] = {
    "an unknown format": (["nosuch", "rows.jsonl"], 2, "it has: application-attempts, applications, harbor"),
    "a file that is not there": (["swe-bench", "nosuch.jsonl"], 2, "there is nothing at 'nosuch.jsonl'"),
    "a clone that is not there": (["swe-bench", "rows.jsonl", "--repo", "nosuch"], 2, "there is nothing at 'nosuch'"),
    "a folder without a task": (["harbor", "."], 1, "no task.toml in '.'"),
    "a file that is no zip file": (["harbor", "rows.jsonl"], 1, "is no folder and no zip file"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_one_line_and_an_exit_code(what: str, rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line, code, said = WRONG[what]
    assert invoke(["import", *line]) == code
    [told] = capsys.readouterr().err.splitlines()
    assert said in told
