"""Ten criteria: rules always speak, and a model's word is needed where there is one."""

from __future__ import annotations

import json

import pytest

from crucible.acting import Ask, Reply
from crucible.errors import Rejected
from pipelines.queries.expanding import compose_query
from pipelines.queries.judging import judge_query
from pipelines.queries.library import Library
from pipelines.queries.model import Choice, Query


def _query(library: Library, stack: str = "Loom", style: str = "plain", **changes: object) -> Query:
    choice = Choice(entries={"who": "mill", "stack": stack, "style": style}, features=("list", "search"))
    query = compose_query(library.metas["list-page"], library, 0, choice)
    return query.model_copy(update=changes)


async def test_a_good_query_meets_all_ten_with_evidence(library: Library) -> None:
    findings = await judge_query(_query(library), library, None, 0.9)
    assert len(findings) == 10
    assert all(finding.met and finding.evidence for finding in findings)
    assert {finding.group for finding in findings} == {"stack", "feasibility", "clarity"}


@pytest.mark.parametrize(
    ("changes", "reason", "evidence"),
    [
        ({"stack": "Slate", "style": "Warp"}, "stack_irrational", "Warp needs a build step"),
        ({"opening": "A list with Slate, woven by Loom."}, "stack_irrational", "static files have no build step"),
        ({"opening": "Sign in with Google and pay by Stripe."}, "infeasible", "Sign in with, Stripe"),
        ({"asks": ("A button adds a line.",) * 2}, "unclear", "asked for twice"),
        ({"opening": "An intuitive list made with Quern, etc."}, "stack_irrational", "retired: Quern"),
        ({"asks": ("Do it.",), "closing": ()}, "infeasible", "1 demands"),
    ],
)
async def test_a_bad_query_is_dropped_for_what_is_bad_about_it(
    library: Library, changes: dict[str, str], reason: str, evidence: str
) -> None:
    with pytest.raises(Rejected) as dropped:
        await judge_query(_query(library, **changes), library, None, 0.9)
    assert dropped.value.reason == reason
    assert evidence in dropped.value.detail


async def test_one_lesser_fault_is_forgiven(library: Library) -> None:
    findings = await judge_query(_query(library, opening="An intuitive list."), library, None, 0.9)
    assert [finding.name for finding in findings if not finding.met] == ["demands are concrete"]


class Opinion:
    """A judge that says no where a word is in the question."""

    votes = 1

    def __init__(self, word: str, answer: dict[str, object]) -> None:
        self.word, self.answer, self.asked = word, answer, 0

    async def reply(self, ask: Ask) -> Reply:
        self.asked += 1
        yes = {"met": True, "evidence": "it says so"}
        return Reply(text=json.dumps(self.answer if self.word in ask.prompt.partition("<request>")[0] else yes))


async def test_a_judge_is_asked_one_question_for_each_criterion(library: Library) -> None:
    judge = Opinion("no such word", {})
    assert all(finding.met for finding in await judge_query(_query(library), library, judge, 0.9))
    assert judge.asked == 10


async def test_a_judge_that_says_no_or_gives_no_evidence_drops_a_query(library: Library) -> None:
    for answer in ({"met": False, "evidence": "they quarrel"}, {"met": True, "evidence": ""}):
        with pytest.raises(Rejected, match="stack_irrational"):
            await judge_query(_query(library), library, Opinion("work together", answer), 0.9)


async def test_a_judge_is_not_asked_about_what_a_rule_has_refused(library: Library) -> None:
    judge = Opinion("no such word", {})
    with pytest.raises(Rejected):
        await judge_query(_query(library, stack="Slate", style="Warp"), library, judge, 0.9)
    assert judge.asked == 9
