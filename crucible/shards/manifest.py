"""The manifest: what is in an export, what was left out, and everything that it depends on."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from pydantic import Field

from crucible import parts
from crucible.exporting import Accepted
from crucible.record import Record
from crucible.shards.writing import Shard

NAME = "manifest.json"
MARK = "crucible export 1"


class Request(Record):
    """What was asked for."""

    format: str
    where: str = ""
    everything: bool = False
    """All accepted attempts, also those that were not selected."""


class Counts(Record):
    """How much of what."""

    tasks: int = 0
    trajectories: int = 0
    rows: int = 0
    left_out: dict[str, int] = Field(default_factory=dict)
    """Attempts that are not in here, by reason."""
    redacted: dict[str, int] = Field(default_factory=dict)
    """Secrets taken out, by kind."""
    licences: dict[str, int] = Field(default_factory=dict)
    """Trajectories by the licence of their task's source."""
    kinds: dict[str, int] = Field(default_factory=dict)
    """Trajectories by domain and kind of their task."""


class Manifest(Record):
    """The whole of it. No clock, no path: the same ledger and the same request give the same bytes."""

    made_by: str = MARK
    request: Request
    exporter_version: int
    ledger_snapshot: str
    """Hash of every accepted attempt in the ledger, its verdicts and whether it was selected."""
    seed: int = 0
    """Nothing is drawn by lot."""
    counts: Counts
    verifiers: dict[str, tuple[int, ...]]
    """The versions under which attempts were accepted."""
    pipelines: dict[str, int]
    policies: dict[str, int]
    """Trajectories by the policy that selected them."""
    decontamination: tuple[str, ...] = ()
    """Lists that every task in here was held against."""
    shards: tuple[Shard, ...]
    lineage: Shard


@dataclass
class Account:
    """Counts what goes in."""

    tasks: int = 0
    trajectories: int = 0
    rows: int = 0
    licences: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    domains: set[str] = field(default_factory=set)
    judges: set[tuple[str, int]] = field(default_factory=set)
    policies: Counter[str] = field(default_factory=Counter)
    lists: frozenset[str] | None = None
    """What every task was held against; None while there is no task."""
    first_task: str = ""
    last_task: str = ""

    def enter(self, one: Accepted, rows: int) -> None:
        self.first_task = self.first_task or one.task_id
        self.tasks += one.task_id != self.last_task
        self.last_task = one.task_id
        self.trajectories += 1
        self.rows += rows
        self.licences[one.task.provenance.licence or "unknown"] += 1
        self.kinds[f"{one.task.domain}/{one.task.kind}"] += 1
        self.domains.add(one.task.domain)
        self.judges.update([ruling[:2] for ruling in one.rulings])
        self.policies.update([one.selection.policy] if one.selection else [])
        self._hold(frozenset(one.task.provenance.held_against))

    def add(self, other: Account) -> None:
        """What another has counted of the attempts that come next."""
        self.tasks += other.tasks - (bool(other.tasks) and other.first_task == self.last_task)
        self.trajectories += other.trajectories
        self.rows += other.rows
        self.licences += other.licences
        self.kinds += other.kinds
        self.domains |= other.domains
        self.judges |= other.judges
        self.policies += other.policies
        self._hold(other.lists)
        self.last_task = other.last_task or self.last_task

    def _hold(self, lists: frozenset[str] | None) -> None:
        if lists is not None:
            self.lists = lists if self.lists is None else self.lists & lists

    def counts(self, left_out: Counter[str], redacted: Counter[str]) -> Counts:
        return Counts(
            tasks=self.tasks,
            trajectories=self.trajectories,
            rows=self.rows,
            left_out=_sorted(left_out),
            redacted=_sorted(redacted),
            licences=_sorted(self.licences),
            kinds=_sorted(self.kinds),
        )

    def verifiers(self) -> dict[str, tuple[int, ...]]:
        names = sorted({name for name, _ in self.judges})
        return {name: tuple(sorted(version for one, version in self.judges if one == name)) for name in names}

    def pipelines(self) -> dict[str, int]:
        """The versions of the pipelines whose tasks are in here."""
        return {part.name: part.version for part in parts.every("pipeline") if part.name in self.domains}


def _sorted(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items()))
