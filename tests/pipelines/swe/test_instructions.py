"""Every kind of task has an instruction, also a kind that a router of one's own has brought."""

from __future__ import annotations

from crucible.mining import Route
from pipelines.swe.instructions import write_instruction
from pipelines.swe.model import Candidate, PullRequest

PULL = PullRequest(repo="x", number=1, title="x", base_commit="a", merge_commit="b", origin="x", files=(), patch="")


def instruction(kind: str) -> str:
    return write_instruction(Candidate(pull=PULL, route=Route(kind=kind, confidence=1, why="")), "It {breaks}.")


def test_a_kind_that_a_new_router_brings_is_told_as_any_other_change() -> None:
    assert instruction("docs_only") == instruction("other")


def test_a_kind_with_a_text_of_its_own_is_told_by_it() -> None:
    assert instruction("bugfix") != instruction("other")


def test_braces_of_the_statement_stay_as_they_are() -> None:
    assert "It {breaks}." in instruction("bugfix")
