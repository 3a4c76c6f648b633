"""Is a query worth a task? Ten criteria, each met by its rule, and by a model's word where a judge is configured."""

from __future__ import annotations

import asyncio
from pathlib import Path

from crucible.asking import Judge, ask
from crucible.datafile import read_rows
from crucible.errors import BudgetSpent, NoAnswer, Rejected
from crucible.record import Record
from pipelines.queries.library import Library
from pipelines.queries.model import Query
from pipelines.queries.rules import RULES, TABLE, Case, Told

QUESTION = Path(__file__).with_name("question.md")
REASONS = {"stack": "stack_irrational", "feasibility": "infeasible", "clarity": "unclear"}
"""The reason code of a drop, by the group of the first criterion that is not met."""


class QueryCriterion(Record):
    """One of the things that a query is judged on."""

    name: str
    group: str
    rule: str
    question: str
    must: bool = False


class Finding(Record):
    """What was found about one criterion."""

    name: str
    group: str
    met: bool
    evidence: str


class Threshold(Record):
    """What a query must reach."""

    least: float


class Answer(Record):
    """What a model answers."""

    met: bool
    evidence: str


async def judge_query(query: Query, library: Library, judge: Judge | None, least: float) -> tuple[Finding, ...]:
    """What was found about each criterion; Rejected, with the evidence, where that is not enough."""
    criteria = read_rows(TABLE, "criteria", QueryCriterion)
    case = Case(query, library)
    findings = tuple(await asyncio.gather(*(_find(criterion, case, judge) for criterion in criteria)))
    unmet = [finding for finding in findings if not finding.met]
    lost = {criterion.name for criterion in criteria if criterion.must} & {finding.name for finding in unmet}
    if lost or len(unmet) > (1 - least) * len(findings) + 1e-9:
        first = next(finding for finding in unmet if not lost or finding.name in lost)
        told = "; ".join(f"not met: {finding.name} ({finding.evidence})" for finding in unmet)
        raise Rejected(REASONS[first.group], told)
    return findings


async def _find(criterion: QueryCriterion, case: Case, judge: Judge | None) -> Finding:
    told = RULES[criterion.rule](case)
    if told.met and judge is not None:
        told = await _ask_judge(criterion, case.query, judge)
    return Finding(name=criterion.name, group=criterion.group, met=told.met, evidence=told.evidence)


async def _ask_judge(criterion: QueryCriterion, query: Query, judge: Judge) -> Told:
    """A model's word; one that gives no answer which can be read has not said yes."""
    question = QUESTION.read_text("utf-8").replace("{question}", criterion.question).replace("{query}", query.text)
    try:
        answer = await ask(judge, question, (), Answer)
    except BudgetSpent:
        raise
    except NoAnswer as none:
        return Told(met=False, evidence=none.line())
    return Told(met=answer.met and bool(answer.evidence.strip()), evidence=answer.evidence or "no evidence was given")
