"""What is found about an attempt, criterion by criterion, and why an item goes no further."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from crucible.model.trajectory import Usage
from crucible.record import Record

Outcome = Literal["pass", "fail", "error"]
"""`error` means could not decide; it never counts as `fail`."""


class Criterion(Record):
    """One binary question with its evidence."""

    name: str
    passed: bool
    evidence: str
    layer: str = ""
    gate: bool = False
    """Failing it rejects at once."""
    share: float = Field(default=1.0, ge=0, le=1)
    """How far it is met, where that is a matter of degree: a met criterion may be worth less than the whole."""
    weight: float = Field(default=1.0, ge=0)
    """How much it counts beside the others."""
    attachments: dict[str, str] = Field(default_factory=dict)
    """Digests of blobs by name: a log, a screenshot."""


class Verdict(Record):
    """What one verifier found about one trajectory."""

    trajectory_id: str
    trajectory_digest: str
    verifier: str
    version: int
    params_hash: str
    services_hash: str = ""
    """The hash of `services`; empty when there were none."""
    services: dict[str, str] = Field(default_factory=dict)
    """The services that were at hand, by name: who they are, and their settings."""
    outcome: Outcome
    score: float = Field(ge=0, le=1)
    least: float = Field(default=1.0, ge=0, le=1)
    """The least score that passed."""
    criteria: tuple[Criterion, ...] = ()
    detail: str = ""
    """Why, in one line."""
    usage: Usage = Usage()
    """What the models cost that were asked."""
    seconds: float = 0.0


class Rejection(Record):
    """One drop of one item, with its reason. The funnel counts these."""

    item: str
    stage: str
    reason: str
    detail: str = ""
