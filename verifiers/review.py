"""The verifier `review`: the findings an attempt wrote down, compared with the defects that are known.

what an attempt may try              what stops it
list every line                      a list longer than the task allows has found nothing
add a few guesses to a list          a share of the findings must be right
point at a line and say nothing      a finding must speak of the code that is there
write something unreadable           strict JSON, small, with exactly the fields asked for

A finding is right when it is at the defect's place and speaks of it: by its words, or, where a judge is configured, by
what a model says of the two. A judge that gives no answer leaves the question open.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from crucible import parts
from crucible.asking import Judge, ask
from crucible.domains.code.check_params import Defect, ReviewParams
from crucible.errors import NoAnswer, Undecided
from crucible.model import Criterion, Task, Trajectory
from crucible.record import Record
from crucible.sandbox import Sandbox
from verifiers.criteria import gate_criterion

LARGEST_REVIEW_BYTES = 1 << 16
"""A longer file is not read."""
SHORTEST_FINDING_CHARS = 15
"""A shorter finding says nothing."""
QUESTION = Path(__file__).with_name("review.md")


class Finding(Record):
    """One row of the attempt's review."""

    path: str
    line: int = Field(strict=True)
    what: str


class Comparison(Record):
    """A judge's answer."""

    same: bool = Field(strict=True)
    evidence: str


FINDINGS = TypeAdapter(Annotated[list[Finding], Field(max_length=10_000)])


@parts.verifier("review", layer="function", version=1, cost="seconds", gate=True, wants=("judge",))
async def review(
    task: Task, trajectory: Trajectory, box: Sandbox, *, params: ReviewParams, judge: Judge | None = None
) -> AsyncIterator[Criterion]:
    """The findings name the known defects, and little else."""
    try:
        findings = FINDINGS.validate_json(await box.read(params.file, limit=LARGEST_REVIEW_BYTES))
    except (OSError, ValueError, ValidationError) as unreadable:
        why = " ".join(str(unreadable).split())[:300]
        yield gate_criterion("there is a review", False, f"{params.file}: {why}")
        return
    yield gate_criterion("there is a review", bool(findings), f"{len(findings)} findings")
    if findings:
        for criterion in judge_findings(findings, params, await _match_defects(findings, params, judge)):
            yield criterion


async def _match_defects(
    findings: Sequence[Finding], params: ReviewParams, judge: Judge | None
) -> dict[int, list[Defect]]:
    """Which defects each finding names, by the finding's number. A list that is too long is not read."""
    matches: dict[int, list[Defect]] = {}
    for number, finding in enumerate(findings[: params.most]):
        near = [defect for defect in params.defects if is_near(finding, defect, params.slack)]
        same = [await is_same(finding, defect, judge) if judge else mentions(finding, defect) for defect in near]
        matches[number] = [defect for defect, is_match in zip(near, same, strict=True) if is_match]
    return matches


def judge_findings(
    findings: Sequence[Finding], params: ReviewParams, matches: Mapping[int, list[Defect]]
) -> list[Criterion]:
    """What the findings are worth, given which defects each of them names."""
    few = len(findings) <= params.most
    right = [number for number, defects in matches.items() if defects]
    share = len(right) / len(findings)
    criteria = [
        gate_criterion("the list is short", few, f"{len(findings)} findings, at most {params.most} are read"),
        gate_criterion(
            "the findings are right", share >= params.precision, f"{len(right)} of {len(findings)} name a defect"
        ),
    ]
    for defect in params.defects:
        match = next((findings[number] for number in right if defect in matches[number]), None)
        evidence = f"{match.path}:{match.line}: {match.what[:200]}" if match else "no finding names it"
        criteria.append(gate_criterion("the defect is found", match is not None, evidence))
    return criteria


def is_near(finding: Finding, defect: Defect, slack: int) -> bool:
    """Whether the finding points at the place of the defect."""
    near = defect.first - slack <= finding.line <= defect.last + slack
    return near and finding.path.removeprefix("./") == defect.path


def mentions(finding: Finding, defect: Defect) -> bool:
    """Whether the finding's words are about the defect."""
    words = set(re.findall(r"\w+", finding.what))
    is_long = len(finding.what.strip()) >= SHORTEST_FINDING_CHARS
    return is_long and (not defect.words or bool(words & set(defect.words)))


async def is_same(finding: Finding, defect: Defect, judge: Judge) -> bool:
    """Whether a model takes the finding and the defect for one thing. Undecided when its answer cannot be read."""
    prompt = QUESTION.read_text().replace("{defect}", defect.what, 1).replace("{finding}", finding.what[:2000], 1)
    try:
        return (await ask(judge, prompt, (), Comparison, system="You compare findings.")).same
    except NoAnswer as silent:
        raise Undecided(f"the judge gave no answer that can be used: {' '.join(str(silent).split())[:200]}") from silent
