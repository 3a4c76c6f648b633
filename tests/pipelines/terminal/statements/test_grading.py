"""Drafts are graded in four tiers, by rules and by a judge; the two best are kept, and an unusable one is not."""

from __future__ import annotations

import json

import pytest

from crucible.errors import Rejected, TeacherError
from crucible.sandbox import World
from crucible.store.blobs import Blobs
from pipelines.terminal.model import Draft
from pipelines.terminal.statements.grading import keep_best
from tests.agents.endpoint import refusing, saying
from tests.pipelines.terminal.authoring.test_rewording import make_draft
from tests.pipelines.terminal.written import writing


def tiers(testability: int = 4, completeness: int = 4, clarity: int = 4) -> str:
    grades = {"testability": testability, "completeness": completeness, "clarity": clarity}
    return json.dumps({name: {"tier": tier, "evidence": "Print the lines"} for name, tier in grades.items()})


def drafts(*rounds: int) -> list[Draft]:
    """Drafts that the rules hold to be the better, the fewer repairs they needed."""
    return [make_draft().model_copy(update={"repair_rounds": n}) for n in rounds]


async def test_by_the_rules_alone_the_two_best_are_kept(world: World, blobs: Blobs) -> None:
    async with writing(world, blobs, saying("")) as (context, _):
        best = await keep_best(drafts(3, 0, 1), context)
    assert [draft.repair_rounds for draft in best] == [0, 1]
    assert best[0].judged is None


async def test_a_judges_grade_counts_beside_the_rules(world: World, blobs: Blobs) -> None:
    judge = saying(tiers(2, 2, 2)), saying(tiers())
    async with writing(world, blobs, saying(""), judge=judge) as (context, _):
        best = await keep_best(drafts(0, 2), context)
    assert [draft.repair_rounds for draft in best] == [2, 0]
    assert best[0].judged is not None
    assert best[0].judged.total == 12


async def test_the_lowest_tier_drops_a_draft_with_the_judges_evidence(world: World, blobs: Blobs) -> None:
    async with writing(world, blobs, saying(""), judge=(saying(tiers(completeness=1)),)) as (context, _):
        with pytest.raises(Rejected, match="graded_unusable: completeness: Print the lines"):
            await keep_best(drafts(0), context)


@pytest.mark.parametrize("answer", ["A fine task!", tiers(clarity=5)])
async def test_a_grade_that_cannot_be_read_is_none(world: World, blobs: Blobs, answer: str) -> None:
    async with writing(world, blobs, saying(""), judge=(saying(answer),)) as (context, _):
        [draft] = await keep_best(drafts(0), context)
    assert draft.judged is None


async def test_a_judge_that_is_down_drops_nothing(world: World, blobs: Blobs) -> None:
    async with writing(world, blobs, saying(""), judge=(refusing(503),)) as (context, _):
        with pytest.raises(TeacherError):
            await keep_best(drafts(0), context)
