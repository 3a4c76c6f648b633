"""Which pull requests of a repository on GitHub were collected already: what the source `github` keeps as its cursor.

The list is read newest first, each time from its top. A collection that is stopped has seen the list from its top down
to some number; the next one may begin higher, for there are new ones, and be stopped before it reaches them. So what
was seen is a few ranges of numbers. A pull request within a range that was still open then is not in the list of closed
ones: it is new when it was closed after the range was read.
"""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import ValidationError

from crucible.record import Record
from pipelines.swe.sources.github_rows import Pull


class SeenRange(Record):
    """All that was closed by a moment, from one number down to another."""

    newest: int
    oldest: int
    closed_by: str
    """The latest closing that the list's first page told of when the range was read."""

    def has(self, pull: Pull) -> bool:
        """Whether the pull request was closed already when this range was read."""
        return self.oldest <= pull.number <= self.newest and (pull.closed_at or "") <= self.closed_by


class SeenPulls(Record):
    """What earlier collections saw, and what this one has so far."""

    earlier: tuple[SeenRange, ...] = ()
    current: SeenRange | None = None

    def has(self, pull: Pull) -> bool:
        """Whether an earlier collection saw the pull request as it is."""
        return any(seen.has(pull) for seen in self.earlier)

    def with_next(self, pull: Pull, closed_by: str) -> SeenPulls:
        """As it is once the list has been read down to this pull request."""
        newest = self.current.newest if self.current else pull.number
        current = SeenRange(newest=newest, oldest=pull.number, closed_by=closed_by)
        left = tuple(seen for seen in self.earlier if not current.oldest <= seen.oldest <= seen.newest <= newest)
        return SeenPulls(earlier=left, current=current)

    def write(self) -> str:
        """As a cursor keeps it."""
        ranges = (*((self.current,) if self.current else ()), *self.earlier)
        return " ".join(f"{seen.newest}-{seen.oldest}@{seen.closed_by}" for seen in ranges)


def read_seen(cursor: str) -> SeenPulls:
    """What a cursor says was seen. One that cannot be read says nothing: everything is read again."""
    try:
        return SeenPulls(earlier=tuple(_read_range(word) for word in cursor.split()))
    except ValueError:
        return SeenPulls()


def latest_closing(rows: Iterable[object]) -> str:
    """The moment of the latest closing among rows of the API; those without the shape of a pull request say nothing."""
    latest = ""
    for row in rows:
        try:
            latest = max(latest, Pull.model_validate(row).closed_at or "")
        except ValidationError:
            continue
    return latest


def _read_range(word: str) -> SeenRange:
    numbers, _, closed_by = word.partition("@")
    newest, _, oldest = numbers.partition("-")
    return SeenRange(newest=int(newest), oldest=int(oldest), closed_by=closed_by)
