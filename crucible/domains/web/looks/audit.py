"""What axe-core found, as graded criteria: its rules by category, so that every page is asked the same questions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter, ValidationError

from crucible.domains.looks.findings import Finding
from crucible.domains.looks.geometry import Box
from crucible.domains.web.looks.facts import Place, Seen, Short
from crucible.domains.web.looks.limits import AxeRow, load_table
from crucible.domains.web.looks.rules import Ruled
from crucible.errors import PageFailed
from crucible.record import Json, Record

Impact = Literal["minor", "moderate", "serious", "critical"]
GRAVE = ("serious", "critical")
LESSER_COST, MOST_COST = 0.15, 0.5
"""What each rule that is broken without grave impact takes from a criterion that is met, and all of them together."""


class Node(Record):
    """A place where a rule is broken."""

    where: Short
    box: Place | None


class Violation(Record):
    """A rule of axe-core that a page breaks."""

    rule: Short
    impact: Impact
    tags: tuple[Short, ...]
    help: Short
    count: int
    nodes: tuple[Node, ...]


VIOLATIONS = TypeAdapter(Annotated[list[Violation], Field(max_length=100)])


def read_violations(audit: Json) -> list[Violation]:
    """What `Page.audit` gave, checked."""
    try:
        return VIOLATIONS.validate_python(audit)
    except ValidationError as wrong:
        raise PageFailed(f"the audit of the page cannot be read: {wrong.errors()[0]['msg']}") from wrong


def rule_violations(violations: Sequence[Violation], seen: Seen) -> Iterable[Ruled]:
    """One criterion for each row of the table: met when no rule of its categories is broken with grave impact."""
    left = list(violations)
    for name, row in load_table().axe.items():
        own = [each for each in left if set(each.tags) & set(row.tags)]
        left = [each for each in left if each not in own]
        yield _rule_category(name, row, own, seen)


def _rule_category(name: str, row: AxeRow, violations: Sequence[Violation], seen: Seen) -> Ruled:
    grave = [each for each in violations if each.impact in GRAVE]
    share = 1 - min(MOST_COST, LESSER_COST * len(violations))
    findings = [
        Finding(Box(*node.box), f"{each.rule}: {node.where}") for each in violations for node in each.nodes if node.box
    ]
    told = (f"{each.rule} ({each.impact}, {each.count}): {each.help}" for each in (grave or violations))
    evidence = "axe-core: " + ("; ".join(told)[:600] or "no rule is broken")
    return Ruled(f"axe-{name}", row.asks, row.weight, not grave, share, evidence, seen, tuple(findings))
