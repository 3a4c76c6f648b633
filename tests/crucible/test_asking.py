"""One question, one record: unreadable answers get one more chance, votes are counted by what they decide."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from pydantic import Field

from crucible.acting import Ask, Reply
from crucible.asking import ask, count_usage, fence, fill_prompt
from crucible.errors import BudgetSpent, NoAnswer, TeacherError
from crucible.model import Usage
from crucible.record import Record


class Comparison(Record):
    """An answer with a choice, a word and evidence."""

    same: bool = Field(strict=True)
    size: Literal["small", "large"] = "small"
    evidence: str = ""


class Scripted:
    """A judge that gives each vote its own answers, one after the other; a fault is raised."""

    def __init__(self, *votes: tuple[str | Exception, ...]) -> None:
        self.scripts = votes
        self.votes = len(votes)
        self.asks: list[Ask] = []

    async def reply(self, ask: Ask) -> Reply:
        self.asks.append(ask)
        said = self.scripts[ask.seed][len(ask.steps)]
        if isinstance(said, Exception):
            raise said
        return Reply(text=said, usage=Usage(prompt_tokens=10, cost_usd=0.5))


YES, NO = '{"same": true, "evidence": "a"}', '{"same": false, "evidence": "b"}'


async def test_an_answer_that_cannot_be_read_is_shown_to_the_model_once() -> None:
    judge = Scripted(("It is the same.", f"```json\n{YES}\n```"))
    assert (await ask(judge, "Same?", ("digest",), Comparison)).same
    first, second = judge.asks
    assert (first.images, second.images) == (("digest",), ("digest",))
    assert second.steps[0].text == "It is the same."
    assert '"same"' in second.steps[0].observations[0].content


@pytest.mark.parametrize("said", ["yes", '{"same": "true"}', '{"same": true, "more": 1}', "", f"Sure: {YES}", "[]"])
async def test_what_is_not_the_record_that_was_asked_for_is_no_answer(said: str) -> None:
    with pytest.raises(NoAnswer, match="no answer that can be read"):
        await ask(Scripted((said, said)), "Same?", (), Comparison)


async def test_the_majority_decides_whatever_evidence_it_gives() -> None:
    judge = Scripted((NO,), (YES,), ('{"same": true, "evidence": "c"}',))
    assert await ask(judge, "Same?", (), Comparison) == Comparison(same=True, evidence="a")


async def test_a_vote_that_cannot_be_had_does_not_count_for_anybody() -> None:
    assert (await ask(Scripted((TeacherError("gone"),), (YES,), (YES,)), "Same?", (), Comparison)).same
    with pytest.raises(NoAnswer, match="split: 1 of 3"):
        await ask(Scripted((TeacherError("gone"),), (YES,), (NO,)), "Same?", (), Comparison)
    with pytest.raises(TeacherError, match="gone"):
        await ask(Scripted((TeacherError("gone"),), (TeacherError("gone"),)), "Same?", (), Comparison)


async def test_a_fixed_word_is_a_choice_too() -> None:
    large = '{"same": true, "size": "large"}'
    assert (await ask(Scripted((YES,), (large,), (large,)), "Same?", (), Comparison)).size == "large"


async def test_spent_money_is_told_though_others_have_voted() -> None:
    with pytest.raises(BudgetSpent):
        await ask(Scripted((YES,), (YES,), (BudgetSpent("all of it"),)), "Same?", (), Comparison)


async def test_everything_that_was_asked_is_paid_for() -> None:
    with count_usage() as outer, count_usage() as inner:
        await ask(Scripted(("?", YES), (YES,), (NO,)), "Same?", (), Comparison)
    assert inner.usage == outer.usage == Usage(prompt_tokens=40, cost_usd=2.0)


def test_a_text_cannot_hold_the_marks_it_stands_between() -> None:
    once = fence("post", "x")
    begin, *_, end = fence("post", once).splitlines()
    assert begin not in once
    assert end not in once


def test_what_looks_like_a_hole_within_a_value_is_not_filled(tmp_path: Path) -> None:
    (tmp_path / "prompt.md").write_text('{"same": true} {first} {second} {third}')
    filled = fill_prompt(tmp_path / "prompt.md", first="{second}", second="{first}")
    assert filled == '{"same": true} {second} {first} {third}'
