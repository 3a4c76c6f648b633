"""Judges a trajectory by its task's checks: layer by layer, the cheap first; a failed gate stops the rest, and every
check leaves a verdict.

Verdicts are cached by what was judged and by whom: the trajectory's content, and the verifier's name, version,
parameters and services. `error` is never cached as an answer: it is asked again.
"""

from __future__ import annotations

import inspect
import time
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, get_type_hints

from pydantic import ValidationError

from crucible import parts
from crucible.asking import count_usage
from crucible.errors import BoxExhausted, Undecided
from crucible.judging.box_sharing import GradingBox, can_share_box
from crucible.judging.fresh_boxes import FreshBoxes
from crucible.judging.grading import find_missing_remains
from crucible.judging.judges import order_checks, params_hash, services_hash, used_services
from crucible.mining import BlobStore
from crucible.model import Check, Criterion, Outcome, Task, Trajectory, Usage, Verdict
from crucible.part_kinds import Part
from crucible.record import Record
from crucible.reward import is_enough, score_criteria
from crucible.sandbox import World
from crucible.serving import GivenServices, Services
from crucible.store.threads import in_thread

Known = Callable[[str, str, int, str, str], Verdict | None]
"""Looks up a verdict: trajectory digest, verifier, version, parameter hash, services hash."""


@dataclass(frozen=True)
class Judging:
    """What judging takes: a world to open fresh boxes in, the blobs, the run's services, and the cache."""

    world: World
    blobs: BlobStore
    services: Services = field(default_factory=GivenServices)
    known: Known = lambda *_: None


@dataclass(frozen=True)
class Case:
    """One check of one attempt: who judges it, with which services at hand, and in which box."""

    task: Task
    trajectory: Trajectory
    check: Check
    part: Part
    services: Mapping[str, str]
    box: GradingBox
    keeps_box: bool = False
    """The box is needed after this check."""
    followed_by: str = ""
    """The verifier that judges the same attempt in the same box next."""
    decides: Callable[[Criterion], bool] = lambda criterion: criterion.gate and not criterion.passed
    """Whether a criterion decides the check, so that the rest need not be asked."""


@dataclass
class Hearing:
    """What a verifier has said so far, and what asking it took."""

    criteria: list[Criterion] = field(default_factory=list)
    doubt: str = ""
    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0


async def judge(
    task: Task, trajectory: Trajectory, judging: Judging, kept: GradingBox | None = None
) -> AsyncGenerator[Verdict]:
    """The verdicts, in the order they were reached. A broken box, or a verifier with a bug, leaves the verdict
    `error` and is raised: neither says anything of the trajectory. A box that is given may stay open."""
    box = kept or GradingBox(judging.world, task, trajectory, judging.blobs)
    try:
        for case in _list_cases(task, trajectory, judging, box):
            verdict = await in_thread(_known_verdict, case, judging)
            if verdict is None:
                try:
                    verdict = await judge_case(case, judging)
                except Exception as fault:  # leave a verdict that says so, then let the fault take its course
                    yield _make_verdict(case, Hearing(doubt=f"{type(fault).__name__}: {fault}"))
                    raise
            yield verdict
            if verdict.outcome != "pass" and case.part.gate:
                return
    finally:
        if kept is None:
            await box.aclose()


def _list_cases(task: Task, trajectory: Trajectory, judging: Judging, box: GradingBox) -> Iterable[Case]:
    checks = [(check, parts.find("verifier", check.verifier)) for check in order_checks(task)]
    for place, (check, part) in enumerate(checks):
        following = checks[place + 1][1] if place + 1 < len(checks) else None
        services = used_services(part, judging.services.identity)
        next_in_box = following.name if following and can_share_box(part, following) else ""
        keeps_box = bool(next_in_box) or (following is None and part.tidies)
        yield Case(task, trajectory, check, part, services, box, keeps_box, next_in_box)


def _known_verdict(case: Case, judging: Judging) -> Verdict | None:
    """The verdict that was reached before, if it decided anything."""
    who = (case.part.name, case.part.version, params_hash(case.check), services_hash(case.services))
    verdict = judging.known(case.trajectory.digest, *who)
    return None if verdict is None or verdict.outcome == "error" else verdict


def overall_outcome(verdicts: Iterable[Verdict]) -> Outcome:
    """The outcome of an attempt by all of its verdicts (`combine_outcomes`)."""
    return combine_outcomes(verdict.outcome for verdict in verdicts)


def combine_outcomes(outcomes: Iterable[Outcome]) -> Outcome:
    """One failure fails, otherwise one doubt leaves it open. No verdict, no pass."""
    distinct = set(outcomes)
    if "fail" in distinct:
        return "fail"
    return "pass" if distinct == {"pass"} else "error"


async def judge_case(case: Case, judging: Judging) -> Verdict:
    """One verifier's verdict. Undecided is one; what the verifier cannot help is not."""
    started = time.monotonic()
    heard = Hearing()
    with count_usage() as meter:
        try:
            await _hear_verifier(case, judging, heard)
        except BoxExhausted as spent:
            name = "the work stays within its box"
            heard.criteria.append(Criterion(name=name, passed=False, evidence=str(spent), gate=True))
        except Undecided as unknown:
            heard.doubt = unknown.line()
    heard.usage, heard.seconds = meter.usage, time.monotonic() - started
    return _make_verdict(case, heard)


async def _hear_verifier(case: Case, judging: Judging, heard: Hearing) -> None:
    """All that the verifier asks, up to what decides it. Its box is closed unless the next check goes on in it."""
    keeps_box = False
    try:
        async with aclosing(_ask_verifier(case, judging)) as criteria:
            async for criterion in criteria:
                heard.criteria.append(criterion)
                if case.decides(criterion):
                    break
        keeps_box = case.keeps_box
    finally:
        if not keeps_box:
            await case.box.aclose()


async def _ask_verifier(case: Case, judging: Judging) -> AsyncGenerator[Criterion]:
    trajectory, part = case.trajectory, case.part
    if missing := find_missing_remains(trajectory):
        yield missing
        return
    arguments = await _verifier_arguments(case, judging)
    async with aclosing(part.make(case.task, trajectory, await case.box.open(part), **arguments)) as criteria:
        async for criterion in criteria:
            yield criterion if criterion.layer else criterion.model_copy(update={"layer": part.layer})


async def _verifier_arguments(case: Case, judging: Judging) -> dict[str, Any]:
    """The verifier's parameters as its own record, and the services it needs. ServiceMissing when one is missing."""
    check, part = case.check, case.part
    boxes = FreshBoxes(judging.world, case.task, case.trajectory, judging.blobs)
    given: dict[str, Any] = {"blobs": judging.blobs, "boxes": boxes}
    if "applications" in part.needs:
        given["applications"] = applications = await case.box.open_applications(part)
        applications.followed_by = case.followed_by
    arguments: dict[str, Any] = {
        need: given[need] if need in given else await judging.services.get(need) for need in part.needs
    }
    arguments |= {want: await judging.services.get_if_configured(want) for want in part.wants}
    if "params" in inspect.signature(part.make).parameters:
        arguments["params"] = parse_params(check, part)
    return arguments


def parse_params(check: Check, part: Part) -> Record:
    """A check's parameters as the record that its verifier takes; Undecided where they do not fit."""
    kind: type[Record] = get_type_hints(part.make)["params"]
    try:
        return kind.model_validate(check.params)
    except ValidationError as wrong:
        first = wrong.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise Undecided(f"the task's parameters for '{part.name}' do not fit: {where}: {first['msg']}") from wrong


def _make_verdict(case: Case, heard: Hearing) -> Verdict:
    criteria, doubt = heard.criteria, heard.doubt
    if not doubt and not any(criterion.gate or criterion.weight for criterion in criteria):
        doubt = "the verifier asked nothing"
    outcome: Outcome = "error" if doubt else "pass" if is_enough(criteria, case.check.least) else "fail"
    return Verdict(
        trajectory_id=case.trajectory.id,
        trajectory_digest=case.trajectory.digest,
        verifier=case.part.name,
        version=case.part.version,
        params_hash=params_hash(case.check),
        services_hash=services_hash(case.services),
        services=dict(case.services),
        outcome=outcome,
        score=0.0 if doubt else score_criteria(criteria),
        least=case.check.least,
        criteria=tuple(criteria),
        detail=doubt or _describe_unmet(criteria, outcome),
        usage=heard.usage,
        seconds=round(heard.seconds, 3),
    )


def _describe_unmet(criteria: list[Criterion], outcome: Outcome) -> str:
    """Why the work is not accepted, by what is first in its way."""
    unmet = sorted((criterion for criterion in criteria if not criterion.passed), key=lambda each: not each.gate)
    return f"not met: {unmet[0].name}: {unmet[0].evidence[:300]}" if unmet and outcome == "fail" else ""
