"""The criteria that most verifiers yield."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from crucible.model import Criterion

SHOWN = 5
"""How many faults are told."""


def fault_criterion(
    name: str, faults: Iterable[str], *, gate: bool = False, attachments: Mapping[str, str] | None = None
) -> Criterion:
    """A criterion that is met when no faults were found; the first of them are its evidence."""
    found = list(faults)
    more = f"; and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    evidence = "; ".join(found[:SHOWN]) + more or "nothing found"
    return Criterion(name=name, passed=not found, evidence=evidence, gate=gate, attachments=dict(attachments or {}))


def gate_criterion(
    name: str, passed: bool, evidence: str, *, attachments: Mapping[str, str] | None = None
) -> Criterion:
    """A criterion whose failure alone rejects the attempt. Its layer is the verifier's, which the cascade fills in."""
    return Criterion(name=name, passed=passed, evidence=evidence, gate=True, attachments=dict(attachments or {}))


def warning_criterion(name: str, passed: bool, evidence: str) -> Criterion:
    """A criterion that is shown and decides nothing: a sign of something, not its effect."""
    return Criterion(name=name, passed=passed, evidence=evidence, weight=0)
