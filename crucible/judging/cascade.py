"""Judges a trajectory by its task's checks: cheap first, a failed gate stops the rest, every layer leaves a verdict.

Verdicts are cached by what was judged and by whom: the trajectory's content, and the verifier's name,
version and parameters. `error` is never cached as an answer: it is asked again.
"""

from __future__ import annotations

import inspect
import time
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, get_type_hints

from pydantic import ValidationError

from crucible import parts
from crucible.errors import BoxExhausted, Undecided
from crucible.judging.grading import open_grading_box
from crucible.mining import BlobStore
from crucible.model import Check, Criterion, Outcome, Task, Trajectory, Verdict
from crucible.parts import Part
from crucible.record import Record, digest
from crucible.sandbox import World
from crucible.serving import GivenServices, Services

COSTS = ("milliseconds", "seconds", "minutes", "money")
Known = Callable[[str, str, int, str], Verdict | None]
"""Looks up a verdict: trajectory digest, verifier, version, parameter hash."""


@dataclass(frozen=True)
class Judging:
    """What judging takes: a world to open fresh boxes in, the blobs, the run's services, and the cache."""

    world: World
    blobs: BlobStore
    services: Services = field(default_factory=GivenServices)
    known: Known = lambda *_: None


async def judge(task: Task, trajectory: Trajectory, judging: Judging) -> AsyncIterator[Verdict]:
    """The verdicts, in the order they were reached. A broken box, or a verifier with a bug, leaves the verdict
    `error` and is raised: neither says anything of the trajectory."""
    for check in order_checks(task):
        part = parts.find("verifier", check.verifier)
        verdict = judging.known(trajectory.digest, part.name, part.version, params_hash(check))
        if verdict is None or verdict.outcome == "error":
            try:
                verdict = await _judge_check(task, trajectory, check, part, judging)
            except Exception as fault:  # leave a verdict that says so, then let the fault take its course
                yield _make_verdict(trajectory, part, params_hash(check), [], f"{type(fault).__name__}: {fault}", 0.0)
                raise
        yield verdict
        if verdict.outcome != "pass" and part.gate:
            return


def order_checks(task: Task) -> list[Check]:
    """The checks in the order they are asked: the cheap first."""
    return sorted(task.checks, key=lambda check: COSTS.index(parts.find("verifier", check.verifier).cost))


def params_hash(check: Check) -> str:
    """The hash of a check's parameters."""
    return digest(dict(check.params))[:16]


def overall_outcome(verdicts: Iterable[Verdict]) -> Outcome:
    """The outcome of an attempt by all of its verdicts (`combine_outcomes`)."""
    return combine_outcomes(verdict.outcome for verdict in verdicts)


def combine_outcomes(outcomes: Iterable[Outcome]) -> Outcome:
    """One failure fails, otherwise one doubt leaves it open. No verdict, no pass."""
    distinct = set(outcomes)
    if "fail" in distinct:
        return "fail"
    return "pass" if distinct == {"pass"} else "error"


async def _judge_check(task: Task, trajectory: Trajectory, check: Check, part: Part, judging: Judging) -> Verdict:
    """One verifier's verdict. Undecided is one; what the verifier cannot help is not."""
    started = time.monotonic()
    criteria: list[Criterion] = []
    doubt = ""
    try:
        async for criterion in _ask_verifier(task, trajectory, check, part, judging):
            criteria.append(criterion)
            if criterion.gate and not criterion.passed:
                break
    except BoxExhausted as spent:
        criteria.append(Criterion(name="the work stays within its box", passed=False, evidence=str(spent)))
    except Undecided as unknown:
        doubt = unknown.line()
    return _make_verdict(trajectory, part, params_hash(check), criteria, doubt, time.monotonic() - started)


async def _ask_verifier(
    task: Task, trajectory: Trajectory, check: Check, part: Part, judging: Judging
) -> AsyncIterator[Criterion]:
    if trajectory.ended == "exhausted":
        yield Criterion(name="the attempt stays within its box", passed=False, evidence=trajectory.detail, gate=True)
        return
    arguments = await _verifier_arguments(check, part, judging)
    async with open_grading_box(judging.world, task, trajectory, judging.blobs) as box:
        async for criterion in part.make(task, trajectory, box, **arguments):
            yield criterion if criterion.layer else criterion.model_copy(update={"layer": part.layer})


async def _verifier_arguments(check: Check, part: Part, judging: Judging) -> dict[str, Any]:
    """The verifier's parameters as its own record, and the services it needs. ServiceMissing when one is missing."""
    arguments: dict[str, Any] = {
        need: judging.blobs if need == "blobs" else await judging.services.get(need) for need in part.needs
    }
    arguments |= {want: await judging.services.get_if_configured(want) for want in part.wants}
    if "params" in inspect.signature(part.make).parameters:
        arguments["params"] = _parse_params(check, part)
    return arguments


def _parse_params(check: Check, part: Part) -> Record:
    kind: type[Record] = get_type_hints(part.make)["params"]
    try:
        return kind.model_validate(check.params)
    except ValidationError as wrong:
        first = wrong.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise Undecided(f"the task's parameters for '{part.name}' do not fit: {where}: {first['msg']}") from wrong


def _make_verdict(
    trajectory: Trajectory, part: Part, params: str, criteria: list[Criterion], doubt: str, seconds: float
) -> Verdict:
    unmet = [criterion for criterion in criteria if not criterion.passed]
    if not criteria and not doubt:
        doubt = "the verifier asked nothing"
    outcome: Outcome = "error" if doubt else "fail" if unmet else "pass"
    return Verdict(
        trajectory_id=trajectory.id,
        trajectory_digest=trajectory.digest,
        verifier=part.name,
        version=part.version,
        params_hash=params,
        outcome=outcome,
        score=0.0 if doubt else _score_criteria(criteria),
        criteria=tuple(criteria),
        detail=doubt or (f"not met: {unmet[0].name}: {unmet[0].evidence[:300]}" if unmet else ""),
        seconds=round(seconds, 3),
    )


def _score_criteria(criteria: list[Criterion]) -> float:
    """The share of criteria met, times how far the least met of them is; nothing once a gate is failed."""
    if any(criterion.gate and not criterion.passed for criterion in criteria):
        return 0.0
    worth = min((criterion.share for criterion in criteria if criterion.passed), default=1.0)
    return worth * sum(criterion.passed for criterion in criteria) / len(criteria)
