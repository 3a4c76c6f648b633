"""The rules by which a query is judged: each tells why a criterion is not met, or what was looked at where it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from crucible.datafile import read_row
from crucible.record import Record
from pipelines.queries.expanding import find_broken_rules, list_words
from pipelines.queries.library import Library
from pipelines.queries.model import Entry, Query

TABLE = Path(__file__).with_name("criteria.toml")
HEAVY, RETIRED = "heavy", "retired"
"""Tags of technologies that are much for a small application, and of those that nobody begins with today."""


class Words(Record):
    """Words that no good query has, as regular expressions."""

    vague: tuple[str, ...]
    outside: tuple[str, ...]


class Sizes(Record):
    """How much a query may ask for."""

    fewest_demands: int
    most_demands: int
    heavy_technologies: int
    longest_characters: int


class Told(Record):
    """What a rule found."""

    met: bool
    evidence: str


@dataclass(frozen=True)
class Case:
    """A query, and the library it is judged by."""

    query: Query
    library: Library

    @cached_property
    def technologies(self) -> list[Entry]:
        """The entries that were drawn, and others that the text names: a model, or whoever wrote it, may have."""
        drawn = set(self.query.choice.entries.values())
        text = self.query.text
        return [entry for entry in self._entries() if entry.name in drawn or _names(text, entry.name)]

    @cached_property
    def words(self) -> set[str]:
        """The names and tags that rules speak of."""
        return list_words(self.library, self.technologies, self.query.choice.features)

    def tagged(self, tag: str) -> list[str]:
        """The technologies that are called so."""
        return [entry.name for entry in self.technologies if tag in entry.tags]

    def _entries(self) -> Iterator[Entry]:
        return (entry for pool in self.library.pools.values() for entry in pool)


def technologies_agree(case: Case) -> Told:
    broken = [rule.why for rule in find_broken_rules(case.library.rules, case.words) if rule.never]
    return Told(met=not broken, evidence="; ".join(broken) or _list_names(case))


def technologies_suffice(case: Case) -> Told:
    broken = [rule.why for rule in find_broken_rules(case.library.rules, case.words) if rule.needs]
    return Told(met=not broken, evidence="; ".join(broken) or _list_names(case))


def technologies_are_in_proportion(case: Case) -> Told:
    heavy = case.tagged(HEAVY)
    return Told(met=len(heavy) <= sizes().heavy_technologies, evidence=f"heavy: {', '.join(heavy) or 'none'}")


def technologies_are_maintained(case: Case) -> Told:
    retired = case.tagged(RETIRED)
    return Told(met=not retired, evidence=f"retired: {', '.join(retired) or 'none'}")


def needs_nothing_from_outside(case: Case) -> Told:
    return _finds_none(words().outside, case.query.text)


def is_of_moderate_size(case: Case) -> Told:
    demands, length = len(case.query.asks), len(case.query.text)
    limits = sizes()
    met = limits.fewest_demands <= demands <= limits.most_demands and length <= limits.longest_characters
    return Told(met=met, evidence=f"{demands} demands, {length} characters")


def can_be_seen(case: Case) -> Told:
    features = case.query.choice.features
    return Told(met=bool(features), evidence=f"features with checks: {', '.join(features) or 'none'}")


def is_concrete(case: Case) -> Told:
    return _finds_none(words().vague, case.query.text)


def is_consistent(case: Case) -> Told:
    asks = [" ".join(ask.lower().split()) for ask in case.query.asks]
    twice = sorted({ask for ask in asks if asks.count(ask) > 1})
    return Told(met=not twice, evidence=f"asked for twice: {twice[0]}" if twice else f"{len(asks)} different demands")


def says_what_to_hand_over(case: Case) -> Told:
    return Told(met=bool(case.query.closing), evidence=" ".join(case.query.closing) or "nothing is said of it")


RULES: dict[str, Callable[[Case], Told]] = {
    rule.__name__: rule
    for rule in (
        technologies_agree,
        technologies_suffice,
        technologies_are_in_proportion,
        technologies_are_maintained,
        needs_nothing_from_outside,
        is_of_moderate_size,
        can_be_seen,
        is_concrete,
        is_consistent,
        says_what_to_hand_over,
    )
}
"""By the name that `criteria.toml` has for them."""


def words() -> Words:
    return read_row(TABLE, "words", Words)


def sizes() -> Sizes:
    return read_row(TABLE, "sizes", Sizes)


def _finds_none(patterns: tuple[str, ...], text: str) -> Told:
    found = [match[0] for pattern in patterns if (match := re.search(pattern, text, re.IGNORECASE))]
    return Told(met=not found, evidence=f"it says: {', '.join(found)}" if found else "no such word")


def _names(text: str, name: str) -> bool:
    """Whether a text has a name, written as names are: a page may flash without being made with Flash."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def _list_names(case: Case) -> str:
    return ", ".join(entry.name for entry in case.technologies) or "none is named"
