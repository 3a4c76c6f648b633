"""Who has to judge attempts at a task: each verifier as it is now, its parameters, and the services it would use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from crucible import parts
from crucible.errors import UnknownPart
from crucible.model import Check, Task
from crucible.part_kinds import COSTS, LAYERS, Part
from crucible.record import digest
from crucible.reward import Finding, Weights
from crucible.settings import Settings

Identify = Callable[[str], str]
"""Says who a service is, settings included, without opening it; empty where it is not configured."""


GIVEN = ("blobs", "boxes", "applications")
"""What a verifier may need that is no service: the store, more boxes, and what serves applications in its own."""
JudgeKey = tuple[str, int, str, str]
"""Verifier, version, parameter hash, services hash."""

F = TypeVar("F", bound=Finding)


class Judge(NamedTuple):
    """All that could change a verdict on the same work, whether failing stops the rest, and what it looks at."""

    verifier: str
    version: int
    params_hash: str
    services_hash: str
    gate: bool = False
    layer: str = ""
    weight: float = 1.0


def weigh_judges(judges: Iterable[Judge], layers: Weights) -> dict[str, float]:
    """How much each verifier counts: as much as its layer, unless it only lets through."""
    return {judge.verifier: judge.weight * layers.get(judge.layer, 1.0) for judge in judges}


def identify_by(settings: Settings) -> Identify:
    """Who the services of a run with these settings are."""
    return lambda service: identify_service(service, settings)


def identify_service(name: str, settings: Settings) -> str:
    """A service's name, version and the hash of the settings that count; empty where it is not configured."""
    try:
        part = parts.find("service", name)
    except UnknownPart:
        return ""
    counting = part.identity(settings)
    return "" if counting is None else f"{part.name} v{part.version} {digest(counting)[:16]}"


def identify_nobody(service: str) -> str:
    """No service is configured."""
    return ""


def required_judges(task: Task, identify: Identify = identify_nobody) -> tuple[Judge, ...]:
    """The task's judges in the order they are asked; a verifier that is no longer there has judged nothing."""
    try:
        return tuple(judge_of(check, parts.find("verifier", check.verifier), identify) for check in order_checks(task))
    except UnknownPart:
        return tuple(Judge(check.verifier, 0, "", "") for check in task.checks)


def order_checks(task: Task) -> list[Check]:
    """The checks in the order they are asked: by layer, and the cheap of a layer first."""
    return sorted(task.checks, key=lambda check: _rank(parts.find("verifier", check.verifier)))


def judge_of(check: Check, part: Part, identify: Identify) -> Judge:
    services = used_services(part, identify)
    return Judge(
        part.name, part.version, params_hash(check), services_hash(services), part.gate, part.layer, part.weight
    )


def params_hash(check: Check) -> str:
    """The hash of a check's parameters and of the least score it accepts."""
    return digest(dict(check.params), check.least)[:16]


def findings_in_order(about: Mapping[JudgeKey, F], judges: Sequence[Judge]) -> tuple[list[F], bool]:
    """What these judges found, in the order they are asked, and whether all who are asked have spoken: nobody is once a
    gate has failed."""
    found: list[F] = []
    all_spoke = bool(judges)
    for judge in judges:
        finding = about.get(judge[:4])
        all_spoke = all_spoke and finding is not None and finding.outcome != "error"
        if finding is not None:
            found.append(finding)
            if judge.gate and finding.outcome == "fail":
                break
    return found, all_spoke


def used_services(part: Part, identify: Identify) -> dict[str, str]:
    """The services at a verifier's hand, by name: who they are. The store, the boxes and what is served in
    them are none that could change their mind."""
    names = [name for name in (*part.needs, *part.wants) if name not in GIVEN]
    return {name: who for name in names if (who := identify(name))}


def services_hash(services: Mapping[str, str]) -> str:
    """The hash of services and their settings; empty when there are none."""
    return digest(dict(services))[:16] if services else ""


def _rank(part: Part) -> tuple[int, int]:
    return LAYERS.index(part.layer), COSTS.index(part.cost)
