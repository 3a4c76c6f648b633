"""How far the rules and a judge agree on the same raw items, attribute by attribute, as the first page shows it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from crucible.facts import ANNOTATION, AnnotationPair
from crucible.record import Record
from crucible.store.ledger import Ledger
from crucible.store.lookup import list_items

Words = tuple[str, str]
"""What the rules and the judge say of one item."""


class AgreementRow(Record):
    """One attribute."""

    attribute: str
    items: int
    """Both have said something of so many."""
    agreed: int
    kappa: float | None
    """Cohen's kappa: 1 is full agreement, 0 what chance alone would give. None where chance alone gives full
    agreement, because both always say the same word."""

    @property
    def share(self) -> float:
        return self.agreed / self.items


class Agreement(Record):
    """The rules and a judge on the items of one pipeline."""

    pipeline: str
    judge: str
    rows: tuple[AgreementRow, ...]


def read_agreement(ledger: Ledger) -> tuple[Agreement, ...]:
    """For each pipeline and judge how far the rules and the judge agree."""
    pairs: dict[tuple[str, str], dict[str, list[Words]]] = defaultdict(lambda: defaultdict(list))
    for pair in (item.record(AnnotationPair) for item in list_items(ledger, ANNOTATION)):
        for attribute, word in pair.by_judge.items():
            if attribute in pair.by_rules:
                pairs[pair.pipeline, pair.judge][attribute].append((pair.by_rules[attribute], word))
    return tuple(
        Agreement(
            pipeline=pipeline,
            judge=judge,
            rows=tuple(compare_words(attribute, words) for attribute, words in by_attribute.items()),
        )
        for (pipeline, judge), by_attribute in sorted(pairs.items())
    )


def compare_words(attribute: str, words: Sequence[Words]) -> AgreementRow:
    """How far the words agree, beyond what chance would give."""
    n = len(words)
    agreed = sum(rules == judge for rules, judge in words)
    by_rules, by_judge = Counter(rules for rules, _ in words), Counter(judge for _, judge in words)
    by_chance = sum(by_rules[word] * by_judge[word] for word in by_rules) / n**2
    kappa = None if by_chance == 1 else (agreed / n - by_chance) / (1 - by_chance)
    return AgreementRow(attribute=attribute, items=n, agreed=agreed, kappa=kappa)
