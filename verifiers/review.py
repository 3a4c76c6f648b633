"""The verifier `review`: the findings an attempt wrote down, compared with the defects that are known.

what an attempt may try              what stops it
list every line                      a list longer than the task allows has found nothing
add a few guesses to a list          a share of the findings must be right
point at a line and say nothing      a finding must speak of the code that is there
write something unreadable           strict JSON, small, with exactly the fields asked for

Where a finding is right is decided by its place and its words, without a model. A model that compares meanings would
replace `names`, and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Sequence
from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from crucible import parts
from crucible.model import Criterion, Task, Trajectory
from crucible.record import Record
from crucible.rewards import Defect, ReviewParams
from crucible.sandbox import Sandbox

LARGEST = 1 << 16
SHORTEST = 15
"""Characters of what is said."""


class Finding(Record):
    """One row of the attempt's review."""

    path: str
    line: int = Field(strict=True)
    what: str


FINDINGS = TypeAdapter(Annotated[list[Finding], Field(max_length=10_000)])


@parts.verifier("review", layer="function", version=1, cost="seconds", gate=True)
async def review(task: Task, trajectory: Trajectory, box: Sandbox, *, params: ReviewParams) -> AsyncIterator[Criterion]:
    """The findings name the known defects, and little else."""
    try:
        findings = FINDINGS.validate_json(await box.read(params.file, limit=LARGEST))
    except (OSError, ValueError, ValidationError) as unreadable:
        why = " ".join(str(unreadable).split())[:300]
        yield _criterion("there is a review", False, f"{params.file}: {why}")
        return
    yield _criterion("there is a review", bool(findings), f"{len(findings)} findings")
    for criterion in judged(findings, params) if findings else ():
        yield criterion


def judged(findings: Sequence[Finding], params: ReviewParams) -> list[Criterion]:
    """What the findings are worth."""
    few = len(findings) <= params.most
    right = [one for one in findings if any(names(one, defect, params.slack) for defect in params.defects)]
    share = len(right) / len(findings)
    made = [
        _criterion("the list is short", few, f"{len(findings)} findings, at most {params.most} are read"),
        _criterion(
            "the findings are right", share >= params.precision, f"{len(right)} of {len(findings)} name a defect"
        ),
    ]
    for defect in params.defects:
        hit = next((one for one in right if names(one, defect, params.slack)), None)
        said = f"{hit.path}:{hit.line}: {hit.what[:200]}" if hit else "no finding names it"
        made.append(_criterion("the defect is found", hit is not None, said))
    return made


def names(finding: Finding, defect: Defect, slack: int) -> bool:
    """Whether the finding is about this defect: the same place, and words about it."""
    near = defect.first - slack <= finding.line <= defect.last + slack
    said = set(re.findall(r"\w+", finding.what))
    spoken = len(finding.what.strip()) >= SHORTEST and (not defect.words or bool(said & set(defect.words)))
    return finding.path.removeprefix("./") == defect.path and near and spoken


def _criterion(name: str, passed: bool, evidence: str) -> Criterion:
    return Criterion(name=name, passed=passed, evidence=evidence, layer="function", gate=True)
