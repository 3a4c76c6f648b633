"""Judged attempts, streamed from the ledger in the order of their ids, and a count of what was left out and why.

Accepted is a filter on what is judged, and the default. An attempt that failed counts as judged once every check has
spoken, or a failed gate has stopped the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from pydantic_core import to_json

from crucible import parts
from crucible.errors import UnknownPart
from crucible.exporting import Judged, LightTrajectory, Ruling, Scored, TaskFacts, group_of, read_light
from crucible.judging.cascade import combine_outcomes
from crucible.judging.judges import Identify, Judge, findings_in_order, identify_nobody, required_judges, weigh_judges
from crucible.judging.selecting import NOUN
from crucible.judging.task_facts import LedgerTaskFacts
from crucible.model import Outcome, Selection, Task
from crucible.reward import EVEN, Weights, reward
from crucible.store.item import Entry
from crucible.store.ledger import Ledger
from crucible.store.lookup import (
    entries_by_id,
    entries_by_number,
    latest_item,
    list_task_attempts,
    numbers_by_id,
    rulings_by_trajectory,
)

PAGE_ATTEMPTS = 400
BATCH_BYTES = 8 << 20
"""So many bytes of attempts are in hand at once."""

_NOTED = Ruling._fields.index("body")
"""Of a ruling all but its evidence."""


@dataclass(frozen=True)
class JudgedTask:
    """A task, who has to have judged an attempt at it, and which attempts were selected."""

    task: Task
    body: str
    judges: tuple[Judge, ...]
    selection: Selection | None
    gates: frozenset[str]
    """The names of those judges whose failure stops the rest."""
    scored: tuple[Scored, ...] = ()
    """What every judged attempt at it is worth, where that was asked for."""
    facts: TaskFacts | None = None
    weights: Weights = field(default_factory=dict)
    """How much each of the judges counts."""


class ReadAttempt(NamedTuple):
    """A judged attempt, and the task it was made at."""

    judged: Judged
    task: JudgedTask


class AttemptBatch(NamedTuple):
    """A few attempts, as many as may be in hand at once."""

    read: int
    attempts: list[ReadAttempt]
    last: int
    """The number of the last that was read."""


@dataclass
class AttemptReader:
    """A pass over the ledger's trajectories, or over some pages of them."""

    ledger: Ledger
    identify: Identify = identify_nobody
    """Who the services are that judges would use."""
    layers: Weights = field(default_factory=dict)
    """How much each layer counts in what an attempt is worth."""
    choosing: bool = False
    """Whether anything was ever selected."""
    selected: bool = False
    """Whether an attempt must also have been selected."""
    accepted: bool = True
    """Whether an attempt must have passed; else one that failed is read too."""
    authored: bool = True
    """Whether attempts of authored teachers are read too: the oracle's, scripted ones."""
    scoring: bool = False
    """Whether each attempt is told what all attempts at its task are worth."""
    left_out: Counter[str] = field(default_factory=Counter)
    notes: list[bytes] = field(default_factory=list)
    """Every attempt that was read, how it was judged, and whether it was chosen."""
    _cases: dict[str, JudgedTask] = field(default_factory=dict)

    def stream(self) -> Iterator[ReadAttempt]:
        """Every attempt of the ledger that is wanted, in the order of the ids."""
        for page in split_pages(numbers_by_id(self.ledger, "trajectory")):
            for batch in self.read_page(page):
                yield from batch.attempts

    def read_page(self, numbers: Sequence[int]) -> Iterator[AttemptBatch]:
        """Those with these numbers. The database is not held, and memory does not grow."""
        for entries in _split_by_size(entries_by_number(self.ledger, numbers)):
            read = [(item, read_light(item.body)) for item in entries]
            judged = rulings_by_trajectory(self.ledger, [item.id for item in entries])
            self._load_tasks({attempt.task_id for _, attempt in read})
            attempts = [
                attempt_at_task
                for item, attempt in read
                for attempt_at_task in self._judge_entry(item, attempt, judged.get(item.id, []))
            ]
            yield AttemptBatch(len(entries), attempts, entries[-1].number)

    def _judge_entry(self, item: Entry, trajectory: LightTrajectory, rulings: list[Ruling]) -> Iterator[ReadAttempt]:
        """The attempt if it is wanted; otherwise it is counted."""
        case = self._cases.get(trajectory.task_id)
        if case is None:
            self.left_out["task_gone"] += 1
            return
        present, outcome = standing_rulings(rulings, item.digest, case.judges)
        if outcome == "error" or (outcome == "fail" and self.accepted):
            self.left_out["failed" if outcome == "fail" else "not_judged"] += 1
            return
        if not self.authored and is_authored(trajectory.agent.teacher):
            self.left_out["authored"] += 1
            return
        kept = case.selection is not None and case.selection.has_kept(item.id)
        self._note(item.id, present, kept)
        if self.selected and not kept:
            self.left_out["not_selected"] += 1
            return
        judged = Judged(
            task_id=trajectory.task_id,
            trajectory_id=item.id,
            task=case.task,
            body=item.body,
            light=trajectory,
            rulings=tuple(present),
            selection=case.selection if kept else None,
            gates=case.gates,
            weights=case.weights,
            outcome=outcome,
            scored=case.scored,
            facts=case.facts,
        )
        yield ReadAttempt(judged, case)

    def _load_tasks(self, task_ids: set[str]) -> None:
        """Know these tasks and no others: attempts at one task come one after the other."""
        self._cases = {id: case for id, case in self._cases.items() if id in task_ids}
        new = entries_by_id(self.ledger, "task", sorted(task_ids - self._cases.keys()))
        self._cases.update({item.id: self._read_task(item) for item in new})

    def _read_task(self, item: Entry) -> JudgedTask:
        chosen = latest_item(self.ledger, NOUN, item.id) if self.choosing else None
        task = Task.model_validate_json(item.body)
        judges = required_judges(task, self.identify)
        gates = frozenset(judge.verifier for judge in judges if judge.gate)
        facts = LedgerTaskFacts(self.ledger, item.id)
        weights = weigh_judges(judges, self.layers)
        scored = tuple(score_attempts(self.ledger, item.id, judges, weights)) if self.scoring else ()
        return JudgedTask(
            task, item.body, judges, chosen.record(Selection) if chosen else None, gates, scored, facts, weights
        )

    def _note(self, id: str, rulings: list[Ruling], kept: bool) -> None:
        self.notes.append(to_json([id, [ruling[:_NOTED] for ruling in rulings], kept]))


@cache
def is_authored(teacher: str) -> bool:
    """Whether people wrote what a teacher plays. One that is not installed here any more is taken for a model."""
    try:
        return parts.find("teacher", teacher).authored
    except UnknownPart:
        return False


class AttemptOutcome(NamedTuple):
    """What an attempt came to; `error` as well where it is not judged yet."""

    group: str
    outcome: Outcome


def attempt_outcomes(ledger: Ledger, task_id: str, judges: Sequence[Judge]) -> Iterator[AttemptOutcome]:
    """What each attempt at a task came to, in the order of their ids."""
    entries = list_task_attempts(ledger, task_id)
    rulings = rulings_by_trajectory(ledger, [entry.id for entry in entries])
    for entry in entries:
        _, outcome = standing_rulings(rulings.get(entry.id, []), entry.digest, judges)
        yield AttemptOutcome(group_of(read_light(entry.body)), outcome)


def score_attempts(ledger: Ledger, task_id: str, judges: Sequence[Judge], weights: Weights = EVEN) -> Iterator[Scored]:
    """What each judged attempt at a task is worth, in the order of their ids. Authored ones are left out: they tell
    nothing of how hard the task is."""
    entries = list_task_attempts(ledger, task_id)
    rulings = rulings_by_trajectory(ledger, [entry.id for entry in entries])
    gates = frozenset(judge.verifier for judge in judges if judge.gate)
    for entry in entries:
        light = read_light(entry.body)
        present, outcome = standing_rulings(rulings.get(entry.id, []), entry.digest, judges)
        if outcome != "error" and not is_authored(light.agent.teacher):
            yield Scored(entry.id, group_of(light), reward(present, gates, weights), outcome == "pass")


def standing_rulings(rulings: Sequence[Ruling], content: str, judges: Sequence[Judge]) -> tuple[list[Ruling], Outcome]:
    """Of all verdicts those on this very content by these very judges, in the order they were asked, and what they
    come to: `error` as long as somebody has yet to speak."""
    about = {
        (ruling.verifier, ruling.version, ruling.params_hash, ruling.services_hash): ruling
        for ruling in rulings
        if ruling.trajectory_digest == content
    }
    present, all_spoke = findings_in_order(about, judges)
    return present, combine_outcomes(ruling.outcome for ruling in present) if all_spoke else "error"


def split_pages(numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    """The items' numbers in pages of `PAGE_ATTEMPTS`."""
    return (numbers[start : start + PAGE_ATTEMPTS] for start in range(0, len(numbers), PAGE_ATTEMPTS))


def _split_by_size(read: Iterator[Entry]) -> Iterator[list[Entry]]:
    """A page at a time, and fewer when they are large."""
    batch: list[Entry] = []
    held = 0
    for item in read:
        batch.append(item)
        held += len(item.body)
        if held >= BATCH_BYTES:
            yield batch
            batch, held = [], 0
    if batch:
        yield batch
