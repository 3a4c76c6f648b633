"""The criteria that most verifiers yield."""

from __future__ import annotations

from collections.abc import Mapping

from crucible.model import Criterion


def gate_criterion(
    name: str, passed: bool, evidence: str, *, attachments: Mapping[str, str] | None = None
) -> Criterion:
    """A criterion whose failure alone rejects the attempt. Its layer is the verifier's, which the cascade fills in."""
    return Criterion(name=name, passed=passed, evidence=evidence, gate=True, attachments=dict(attachments or {}))


def warning_criterion(name: str, passed: bool, evidence: str) -> Criterion:
    """A criterion that is shown and decides nothing: a sign of something, not its effect."""
    return Criterion(name=name, passed=passed, evidence=evidence, weight=0)
