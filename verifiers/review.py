"""The verifier `review`: the findings an attempt wrote down, compared with the defects that are known.

what an attempt may try                   what stops it
list every line                           a list longer than the task allows has found nothing
add a few guesses to a list               a share of the findings must be right
point at a line and say nothing           a finding must speak, in more than names of the code
name a wrong defect at the right line     its input must print what is right over right code, else over the defect
print all that the code does              what is printed must be what the finding says it should be
read the code instead of running it       it must be so with the code in other words too, with the text of both
                                            right code and the defect in it, one of them never executed
print something by chance or the time     each is run twice, in an order by chance
see that the code does something else     over the right code with other faults it must not always be so
write something unreadable                strict JSON, small, with the fields asked for

A finding is right when it is at the defect's place and its input shows the defect; where a judge is configured, a model
must also take what it says for this very defect. A judge that gives no answer leaves the question open.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from crucible import parts
from crucible.asking import Judge, ask
from crucible.domains.code.check_params import Defect, ReviewParams
from crucible.domains.code.failing_input import explain_failure
from crucible.errors import NoAnswer, Undecided
from crucible.judging.fresh_boxes import FreshBoxes
from crucible.model import Criterion, Task, Trajectory
from crucible.record import Record
from crucible.sandbox import Sandbox
from verifiers.criteria import gate_criterion

LARGEST_REVIEW_BYTES = 1 << 18
"""A longer file is not read."""
LEAST_LETTERS = 15
"""A finding with fewer letters in words that are no names of the code says nothing."""
WORD = re.compile(r"\w+")
# matches: limit  _total2
QUESTION = Path(__file__).with_name("review.md")


class Finding(Record):
    """One row of the attempt's review. Nobody reads what it says beside that."""

    model_config = ConfigDict(extra="ignore")

    path: str
    line: int = Field(strict=True)
    problem: str
    input: str
    """A shell script that runs the code and prints what comes of it."""
    expected: str = Field(min_length=1)
    """What the script prints once the defect is gone."""


class Comparison(Record):
    """A judge's answer."""

    same: bool = Field(strict=True)
    evidence: str


FINDINGS = TypeAdapter(Annotated[list[Finding], Field(max_length=10_000)])


@parts.verifier("review", layer="function", version=6, cost="minutes", gate=True, needs=("boxes",), wants=("judge",))
async def review(
    task: Task,
    trajectory: Trajectory,
    box: Sandbox,
    *,
    params: ReviewParams,
    boxes: FreshBoxes,
    judge: Judge | None = None,
) -> AsyncIterator[Criterion]:
    """The findings name the known defects and show them, and little else."""
    try:
        findings = FINDINGS.validate_json(await box.read(params.file, limit=LARGEST_REVIEW_BYTES))
    except (OSError, ValueError, ValidationError) as unreadable:
        why = " ".join(str(unreadable).split())[:300]
        yield gate_criterion("there is a review", False, f"{params.file}: {why}")
        return
    yield gate_criterion("there is a review", bool(findings), f"{len(findings)} findings")
    few = len(findings) <= params.most
    yield gate_criterion("the list is short", few, f"{len(findings)} findings, at most {params.most} are read")
    faults = {number: await _match_defects(finding, params, boxes, judge) for number, finding in enumerate(findings)}
    for criterion in judge_findings(findings, params, faults):
        yield criterion


async def _match_defects(
    finding: Finding, params: ReviewParams, boxes: FreshBoxes, judge: Judge | None
) -> dict[Defect, str]:
    """For each defect why the finding does not count for it; empty where it does."""
    reasons: dict[Defect, str] = {}
    for defect in params.defects:
        if not is_near(finding, defect, params.slack):
            reasons[defect] = "it is at another place"
        elif not says_something(finding.problem, params.names):
            reasons[defect] = "it says nothing, or only names of the code"
        else:
            reasons[defect] = await explain_failure(boxes.open_base, params.trees, finding.input, finding.expected)
            if judge and not reasons[defect] and not await is_same(finding, defect, judge):
                reasons[defect] = "the judge takes it for another defect"
    return reasons


def judge_findings(
    findings: Sequence[Finding], params: ReviewParams, reasons: Mapping[int, Mapping[Defect, str]]
) -> list[Criterion]:
    """What the findings are worth, given why each of them does not count for which defect."""
    right = [number for number, by_defect in reasons.items() if not all(by_defect.values())]
    why = "; ".join(sorted({reason for by_defect in reasons.values() for reason in by_defect.values() if reason}))
    evidence = f"{len(right)} of {len(findings)} name a defect and show it; {why}"
    criteria = [gate_criterion("the findings are right", len(right) >= params.precision * len(findings), evidence)]
    for defect in params.defects:
        match = next((findings[number] for number in right if not reasons[number][defect]), None)
        evidence = f"{match.path}:{match.line}: {match.problem[:200]}" if match else "no finding shows it"
        criteria.append(gate_criterion("the defect is found", match is not None, evidence))
    return criteria


def is_near(finding: Finding, defect: Defect, slack: int) -> bool:
    """Whether the finding points at the place of the defect."""
    near = defect.first - slack <= finding.line <= defect.last + slack
    return near and finding.path.removeprefix("./") == defect.path


def says_something(problem: str, names: Collection[str]) -> bool:
    """Whether the text has enough words that are no names of the code."""
    words = {word for word in WORD.findall(problem) if word not in names and not word.isdigit()}
    return sum(map(len, words)) >= LEAST_LETTERS


async def is_same(finding: Finding, defect: Defect, judge: Judge) -> bool:
    """Whether a model takes the finding and the defect for one thing. Undecided when its answer cannot be read."""
    said = f"{finding.problem[:2000]}\n\nIts input:\n{finding.input[:2000]}\n\nshould print: {finding.expected[:500]}"
    prompt = QUESTION.read_text().replace("{defect}", defect.what, 1).replace("{finding}", said, 1)
    try:
        return (await ask(judge, prompt, (), Comparison, system="You compare findings.")).same
    except NoAnswer as silent:
        raise Undecided(f"the judge gave no answer that can be used: {' '.join(str(silent).split())[:200]}") from silent
