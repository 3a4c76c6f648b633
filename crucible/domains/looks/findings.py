"""What a rule of looks measures: the share of things that are right, and where the others are."""

from __future__ import annotations

from dataclasses import dataclass

from crucible.domains.looks.geometry import Box


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong, and where."""

    box: Box
    what: str
    """In a few words; what it quotes is somebody's work."""


@dataclass(frozen=True)
class Measured:
    """What a rule says of one picture."""

    share: float
    """How much of what it looked at is right, from 0 to 1."""
    said: str
    """What was counted or measured, in one line."""
    findings: tuple[Finding, ...] = ()


NOTHING = "nothing to measure"


def measure_share(findings: list[Finding], looked_at: int, what: str) -> Measured:
    """The share of things without a finding; all is right where there is nothing to look at."""
    if not looked_at:
        return Measured(1.0, NOTHING)
    wrong = min(len(findings), looked_at)
    return Measured(1 - wrong / looked_at, f"{wrong} of {looked_at} {what}", tuple(findings))
