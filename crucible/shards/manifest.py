"""The manifest: what is in an export, what was left out, and everything that it depends on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from pydantic import Field

from crucible import parts
from crucible.exporting import Judged
from crucible.record import Record
from crucible.shards.files import Shard

NAME = "manifest.json"
MARK = "crucible export 1"


class Request(Record):
    """What an export was asked for: format, filter, and which attempts go in besides."""

    format: str
    where: str = ""
    everything: bool = False
    """All accepted attempts, also those that were not selected."""
    judged: bool = False
    """Failed attempts too, each with its reward and its group, in formats that have a place for them."""
    authored: bool = False
    """Attempts that people wrote too: the oracle's and scripted ones."""
    one_call_per_turn: bool = False
    """An answer with several calls becomes several turns, for chat templates that take one call in an answer."""
    drop_sections: float = Field(default=0.0, ge=0, le=1)
    """How likely each removable section of a system prompt is left out: what was sampled under the whole prompt is
    then learnt under a part of it."""
    seed: int = 0
    """Which sections those are."""
    splits: dict[str, float] = Field(default_factory=dict)
    """Besides `train`, by name the part of the origins whose tasks go there."""
    longest: int = 0
    """Longer attempts are left out: in tokens where a tokenizer is named, else in characters; 0: none is too long."""
    tokenizer: str = ""
    """The tokenizer that counts: a path, and in a manifest the name of the file and the start of its hash."""


class Counts(Record):
    """How many tasks, attempts and rows an export holds, and what was left out."""

    tasks: int = 0
    trajectories: int = 0
    rows: int = 0
    splits: dict[str, int] = Field(default_factory=dict)
    """Rows by split."""
    left_out: dict[str, int] = Field(default_factory=dict)
    """Attempts that are not in here, by reason."""
    redacted: dict[str, int] = Field(default_factory=dict)
    """Secrets taken out, by kind."""
    licences: dict[str, int] = Field(default_factory=dict)
    """Trajectories by the licence of their task's source."""
    authors: dict[str, int] = Field(default_factory=dict)
    """Trajectories by the author of their task's source, whom its licence may ask to name."""
    kinds: dict[str, int] = Field(default_factory=dict)
    """Trajectories by domain and kind of their task."""


class Manifest(Record):
    """The whole of it. No clock, no path: the same ledger and the same request give the same bytes."""

    made_by: str = MARK
    request: Request
    exporter_version: int
    ledger_snapshot: str
    """Hash of every attempt in the ledger that was read, its verdicts and whether it was selected."""
    seed: int = 0
    """What the sections of prompts that were left out are drawn from; nothing else is drawn by lot."""
    counts: Counts
    verifiers: dict[str, tuple[int, ...]]
    """The versions under which attempts were judged."""
    pipelines: dict[str, int]
    policies: dict[str, int]
    """Trajectories by the policy that selected them."""
    decontamination: tuple[str, ...] = ()
    """Lists that every task in here was held against."""
    shards: tuple[Shard, ...]
    lineage: Shard
    ready: tuple[Shard, ...] = ()
    """Configurations with which the trainer trains on the shards."""


class Sort(NamedTuple):
    """The facts by which exported attempts are counted."""

    licence: str
    author: str
    domain: str
    kind: str
    policy: str | None
    """The policy that selected it."""
    held_against: tuple[str, ...]


class Entry(NamedTuple):
    """What an account counts of one attempt."""

    task_id: str
    rows: int
    is_attempt: bool
    """Not a task that nobody attempted."""
    sort: Sort
    judges: tuple[tuple[str, int], ...]
    """Verifiers and their versions."""


def describe_entry(judged: Judged, rows: int) -> Entry:
    """An attempt as it is counted, and how many rows it has become."""
    task, provenance = judged.task, judged.task.provenance
    policy = judged.selection.policy if judged.selection else None
    licence, author = provenance.licence or "unknown", provenance.author or "unknown"
    sort = Sort(licence, author, task.domain, task.kind, policy, provenance.held_against)
    judges = tuple(ruling[:2] for ruling in judged.rulings)
    return Entry(judged.task_id, rows, bool(judged.trajectory_id), sort, judges)


@dataclass
class Account:
    """Counts the attempts that go into an export. Those at one task come one after the other."""

    tasks: int = 0
    splits: Counter[str] = field(default_factory=Counter)
    """Rows by split."""
    sorts: Counter[Sort] = field(default_factory=Counter)
    judges: set[tuple[str, int]] = field(default_factory=set)
    last_task: str = ""

    def enter(self, entry: Entry, split: str) -> None:
        self.tasks += entry.task_id != self.last_task
        self.last_task = entry.task_id
        self.splits[split] += entry.rows
        self.sorts[entry.sort] += entry.is_attempt
        self.judges.update(entry.judges)

    def counts(self, left_out: Counter[str], redacted: Counter[str]) -> Counts:
        return Counts(
            tasks=self.tasks,
            trajectories=self.sorts.total(),
            rows=self.splits.total(),
            splits=_sorted(self.splits),
            left_out=_sorted(left_out),
            redacted=_sorted(redacted),
            licences=self._count_by(lambda sort: sort.licence),
            authors=self._count_by(lambda sort: sort.author),
            kinds=self._count_by(lambda sort: f"{sort.domain}/{sort.kind}"),
        )

    def policies(self) -> dict[str, int]:
        """Trajectories by the policy that selected them."""
        return self._count_by(lambda sort: sort.policy)

    def lists(self) -> tuple[str, ...]:
        """The lists of benchmark instances that every task was held against."""
        held = [set(sort.held_against) for sort in self.sorts]
        return tuple(sorted(set.intersection(*held))) if held else ()

    def _count_by(self, key: Callable[[Sort], str | None]) -> dict[str, int]:
        counts: Counter[str] = Counter()
        for sort, count in self.sorts.items():
            if (name := key(sort)) is not None:
                counts[name] += count
        return _sorted(counts)

    def verifiers(self) -> dict[str, tuple[int, ...]]:
        names = sorted({name for name, _ in self.judges})
        return {name: tuple(sorted(version for verifier, version in self.judges if verifier == name)) for name in names}

    def pipelines(self) -> dict[str, int]:
        """The versions of the pipelines whose tasks are in here."""
        domains = sorted({sort.domain for sort in self.sorts})
        return {part.name: part.version for part in parts.find_known("pipeline", domains)}


def _sorted(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items()))
