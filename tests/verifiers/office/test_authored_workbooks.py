"""Some of the authored attempts at a workbook, drawn by a seed, are judged as their author expects."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from crucible.documents import Office
from crucible.store.blobs import Blobs
from tests.verifiers.office import damaged_files
from tests.verifiers.office.authored_workbooks import find_fault, judge, read_attempts

ATTEMPTS = read_attempts()
LARGE = "a million filled rows"
"""Takes minutes: it is judged when all of them are."""
DRAWN = Random(17).sample([attempt for attempt in ATTEMPTS.attempt if attempt.name != LARGE], 4)


def test_there_are_attempts_of_every_kind_and_each_damage_is_known() -> None:
    assert len(ATTEMPTS.attempt) >= 20
    assert {attempt.verdict for attempt in ATTEMPTS.attempt} == {"pass", "fail"}
    assert all(hasattr(damaged_files, attempt.damage) for attempt in ATTEMPTS.attempt if attempt.damage)
    assert all(attempt.criterion for attempt in ATTEMPTS.attempt if attempt.verdict == "fail")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.* extension is not supported:UserWarning")  # of what the suite has written
async def test_attempts_are_judged_as_their_author_expects(office: Office, tmp_path: Path) -> None:
    blobs = Blobs(str(tmp_path / "blobs"))
    for attempt in (ATTEMPTS.attempt[0], *DRAWN):
        assert not find_fault(attempt, await judge(ATTEMPTS, attempt, office, blobs, tmp_path)), attempt.name
