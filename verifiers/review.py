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
from crucible.acting import Ask, Teacher
from crucible.domains.code.check_params import Defect, ReviewParams
from crucible.errors import TeacherError, Undecided
from crucible.model import Criterion, Task, Trajectory
from crucible.record import Record
from crucible.sandbox import Sandbox

LARGEST = 1 << 16
SHORTEST = 15
"""Characters of what is said."""
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
    task: Task, trajectory: Trajectory, box: Sandbox, *, params: ReviewParams, judge: Teacher | None = None
) -> AsyncIterator[Criterion]:
    """The findings name the known defects, and little else."""
    try:
        findings = FINDINGS.validate_json(await box.read(params.file, limit=LARGEST))
    except (OSError, ValueError, ValidationError) as unreadable:
        why = " ".join(str(unreadable).split())[:300]
        yield _criterion("there is a review", False, f"{params.file}: {why}")
        return
    yield _criterion("there is a review", bool(findings), f"{len(findings)} findings")
    if findings:
        for criterion in judged(findings, params, await _right(findings, params, judge)):
            yield criterion


async def _right(findings: Sequence[Finding], params: ReviewParams, judge: Teacher | None) -> dict[int, list[Defect]]:
    """Which defects each finding names, by the finding's number. A list that is too long is not read."""
    found: dict[int, list[Defect]] = {}
    for number, one in enumerate(findings[: params.most]):
        near = [defect for defect in params.defects if is_near(one, defect, params.slack)]
        said = [await is_same(one, defect, judge) if judge else names(one, defect) for defect in near]
        found[number] = [defect for defect, same in zip(near, said, strict=True) if same]
    return found


def judged(findings: Sequence[Finding], params: ReviewParams, named: Mapping[int, list[Defect]]) -> list[Criterion]:
    """What the findings are worth, given which defects each of them names."""
    few = len(findings) <= params.most
    right = [number for number, defects in named.items() if defects]
    share = len(right) / len(findings)
    made = [
        _criterion("the list is short", few, f"{len(findings)} findings, at most {params.most} are read"),
        _criterion(
            "the findings are right", share >= params.precision, f"{len(right)} of {len(findings)} name a defect"
        ),
    ]
    for defect in params.defects:
        hit = next((findings[number] for number in right if defect in named[number]), None)
        said = f"{hit.path}:{hit.line}: {hit.what[:200]}" if hit else "no finding names it"
        made.append(_criterion("the defect is found", hit is not None, said))
    return made


def is_near(finding: Finding, defect: Defect, slack: int) -> bool:
    """Whether the finding points at the place of the defect."""
    near = defect.first - slack <= finding.line <= defect.last + slack
    return near and finding.path.removeprefix("./") == defect.path


def names(finding: Finding, defect: Defect) -> bool:
    """Whether the finding's words are about the defect."""
    said = set(re.findall(r"\w+", finding.what))
    return len(finding.what.strip()) >= SHORTEST and (not defect.words or bool(said & set(defect.words)))


async def is_same(finding: Finding, defect: Defect, judge: Teacher) -> bool:
    """Whether a model takes the finding and the defect for one thing. Undecided when its answer cannot be read."""
    prompt = QUESTION.read_text().replace("{defect}", defect.what, 1).replace("{finding}", finding.what[:2000], 1)
    asked = Task(domain="swe", kind="judge", instruction=prompt)
    try:
        reply = await judge.reply(asked, Ask(system="You compare findings.", prompt=prompt))
        return Comparison.model_validate_json(reply.text.strip().removeprefix("```json").strip("`\n ")).same
    except (TeacherError, ValidationError) as silent:
        raise Undecided(f"the judge gave no answer that can be read: {' '.join(str(silent).split())[:200]}") from silent


def _criterion(name: str, passed: bool, evidence: str) -> Criterion:
    return Criterion(name=name, passed=passed, evidence=evidence, layer="function", gate=True)
