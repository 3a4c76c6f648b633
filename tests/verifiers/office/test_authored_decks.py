"""Some of the authored attempts at a deck, drawn by a seed, are judged as their author expects."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from crucible.documents import Office
from crucible.store.blobs import Blobs
from tests.verifiers.office import damaged_files
from tests.verifiers.office.authored_decks import judge as judge_attempt
from tests.verifiers.office.authored_decks import read_attempts
from tests.verifiers.office.authored_workbooks import find_fault

ATTEMPTS = read_attempts()
DRAWN = Random(17).sample(ATTEMPTS.attempt[1:], 4)


def test_there_are_attempts_of_every_kind_and_each_damage_is_known() -> None:
    assert len(ATTEMPTS.attempt) >= 12
    assert {attempt.verdict for attempt in ATTEMPTS.attempt} == {"pass", "fail"}
    assert all(hasattr(damaged_files, attempt.damage) for attempt in ATTEMPTS.attempt if attempt.damage)
    assert all(attempt.criterion for attempt in ATTEMPTS.attempt if attempt.verdict == "fail")


@pytest.mark.slow
async def test_attempts_are_judged_as_their_author_expects(office: Office, tmp_path: Path) -> None:
    blobs = Blobs(str(tmp_path / "blobs"))
    for attempt in (ATTEMPTS.attempt[0], *DRAWN):
        assert not find_fault(attempt, await judge_attempt(ATTEMPTS, attempt, office, blobs, tmp_path)), attempt.name
