"""Four tiers for drafts, on testability, completeness and clarity: by rules always, by a judge where one is set.

The two best drafts of a thread are kept. One that the judge holds to be of the lowest tier in anything is dropped: it
could not be solved as it is told, or its checks are about something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pydantic import Field

from crucible.asking import Judge, ask, fence, fill_prompt
from crucible.domains.terminal.comparing import ScriptParams
from crucible.errors import NoAnswer, Rejected
from crucible.mining import MiningContext
from crucible.record import Record
from pipelines.terminal.drafting.environment import WORKDIR
from pipelines.terminal.model import Draft, Grade
from pipelines.terminal.statements.instruction import write_instruction

PROMPT = Path(__file__).with_name("grading.md")
KEPT_DRAFTS = 2
SHOWN_LEVEL = 3
"""The level of hints that the judge is shown: the goal with its paths."""


class Tier(Record):
    """One grade, and what it rests on."""

    tier: int = Field(ge=1, le=4)
    evidence: str = Field(max_length=1000)


class Tiers(Record):
    """What the judge is asked for."""

    testability: Tier
    completeness: Tier
    clarity: Tier


async def keep_best(drafts: Sequence[Draft], context: MiningContext) -> list[Draft]:
    """The two best drafts, the best first; Rejected when a judge holds none of them to be usable."""
    judge: Judge | None = await context.services.get_if_configured("judge")
    graded: list[Draft] = []
    faults: list[Rejected] = []
    for draft in drafts:
        try:
            graded.append(await grade_by_judge(draft, judge) if judge else draft)
        except Rejected as fault:
            faults.append(fault)
    if not graded:
        raise faults[0]
    return sorted(graded, key=_rank)[:KEPT_DRAFTS]


def _rank(draft: Draft) -> int:
    """Less is better: both grades count alike; without a word of the judge the rules' grade counts twice."""
    return -(draft.grade.total + (draft.judged or draft.grade).total)


async def grade_by_judge(draft: Draft, judge: Judge) -> Draft:
    """The draft with the judge's grade; without one where the answer cannot be read."""
    params = ScriptParams(demands=draft.demands, cases=draft.cases)
    instruction = write_instruction(draft, params, SHOWN_LEVEL, WORKDIR, False)
    solution = fence("solution", draft.suggestion.text)
    try:
        tiers = await ask(judge, fill_prompt(PROMPT, task=fence("task", instruction), solution=solution), (), Tiers)
    except NoAnswer:
        return draft
    for name, given in tiers:
        if given.tier == 1:
            raise Rejected("graded_unusable", f"{name}: {given.evidence[:300]}")
    grade = Grade(testability=tiers.testability.tier, completeness=tiers.completeness.tier, clarity=tiers.clarity.tier)
    return draft.model_copy(update={"judged": grade})
