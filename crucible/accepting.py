"""Accepted attempts, streamed from the ledger in the order of their ids, and a count of what was left out and why."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from crucible import parts
from crucible.cascade import outcome, params_hash
from crucible.errors import UnknownPart
from crucible.exporting import Accepted
from crucible.item import Item
from crucible.ledger import Ledger
from crucible.lookup import in_order, items, latest, numbered, numbered_verdicts
from crucible.model import Check, Task, Trajectory, Verdict
from crucible.record import canonical, digest
from crucible.selecting import NOUN, Selection

PAGE = 200

Judge = tuple[str, int, str]
"""Verifier, version, parameter hash."""


@dataclass(frozen=True)
class Found:
    """An accepted attempt, and the JSON it was read from."""

    accepted: Accepted
    bodies: tuple[str, str]
    """The task's and the trajectory's."""


@dataclass(frozen=True)
class Case:
    """A task, who has to have judged an attempt at it, and which attempts were selected."""

    task: Task
    body: str
    judges: tuple[Judge, ...]
    selection: Selection | None


@dataclass
class Intake:
    """One pass over the ledger's trajectories."""

    ledger: Ledger
    selected: bool = False
    """Whether an attempt must also have been selected."""
    left_out: Counter[str] = field(default_factory=Counter)
    _case: Case | None = None
    _choosing: bool = True
    """Whether anything was ever selected."""
    _snapshot: hashlib._Hash = field(default_factory=hashlib.sha256)

    @property
    def snapshot(self) -> str:
        """The hash of every accepted attempt that was read, of how it was judged, and whether it was chosen."""
        return self._snapshot.hexdigest()

    def stream(self) -> Iterator[Found]:
        """Page by page: the database is not held, and memory does not grow."""
        numbers = in_order(self.ledger, "trajectory")
        self._choosing = next(items(self.ledger, NOUN), None) is not None
        for start in range(0, len(numbers), PAGE):
            page = numbers[start : start + PAGE]
            verdicts = numbered_verdicts(self.ledger, page)
            for item in numbered(self.ledger, page):
                yield from self._taken(item, verdicts.get(item.id, []))

    def _taken(self, item: Item, verdicts: list[Verdict]) -> Iterator[Found]:
        """The attempt if it is accepted; otherwise it is counted."""
        trajectory = item.record(Trajectory)
        case = self._case_of(trajectory.task_id)
        if case is None:
            self.left_out["task_gone"] += 1
            return
        present = _present(verdicts, digest_of(item.body, trajectory, verdicts), case.judges)
        if (found := outcome(present)) != "pass" or len(present) < len(case.judges):
            self.left_out["failed" if found == "fail" else "not_judged"] += 1
            return
        kept = case.selection is not None and case.selection.kept(item.id)
        self._note(item.id, present, kept)
        if self.selected and not kept:
            self.left_out["not_selected"] += 1
            return
        accepted = Accepted(
            trajectory.task_id, item.id, case.task, trajectory, tuple(present), case.selection if kept else None
        )
        yield Found(accepted, (case.body, item.body))

    def _case_of(self, task_id: str) -> Case | None:
        """Attempts at one task come one after the other, so that remembering one task is enough."""
        if self._case is None or self._case.task.id != task_id:
            item = self.ledger.get("task", task_id)
            self._case = None if item is None else self._read(item)
        return self._case

    def _read(self, item: Item) -> Case:
        chosen = latest(self.ledger, NOUN, item.id) if self._choosing else None
        task = item.record(Task)
        return Case(task, item.body, judges(task), chosen.record(Selection) if chosen else None)

    def _note(self, id: str, verdicts: list[Verdict], kept: bool) -> None:
        judged = [[one.verifier, one.version, one.params_hash, one.trajectory_digest, one.score] for one in verdicts]
        self._snapshot.update(canonical([id, judged, kept]))


def digest_of(body: str, trajectory: Trajectory, verdicts: list[Verdict]) -> str:
    """`trajectory.digest`, from its JSON, which is twice as fast; the slow way if no verdict is about the result."""
    known = json.loads(body)
    for step in known["steps"]:
        step.pop("seconds", None)
    told = [known.get(name) for name in ("task_id", "agent", "system", "prompt", "steps", "artifacts", "ended")]
    found = digest(*told)
    return found if any(one.trajectory_digest == found for one in verdicts) else trajectory.digest


def judges(task: Task) -> tuple[Judge, ...]:
    """The task's verifiers as they are now; one that is no longer there has judged nothing."""
    return tuple(_judge(check) for check in task.checks)


def _judge(check: Check) -> Judge:
    try:
        part = parts.find("verifier", check.verifier)
    except UnknownPart:
        return check.verifier, 0, ""
    return part.name, part.version, params_hash(check)


def _present(verdicts: list[Verdict], content: str, wanted: Sequence[Judge]) -> list[Verdict]:
    """Of all verdicts those on this very content by these very judges, in the order of the checks."""
    about = {(one.verifier, one.version, one.params_hash): one for one in verdicts if one.trajectory_digest == content}
    return [about[judge] for judge in wanted if judge in about]
