"""What comes and goes leaves a task: a test that the reference fails now and passes then says nothing of an attempt.

A verifier says which of its parameters lists what may leave (`may_lose`), and a criterion that fails for entries of it
alone names them in an attachment. Only a few may leave: where more come and go, the task is not to be trusted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from crucible import parts
from crucible.errors import Rejected
from crucible.mining import BlobStore
from crucible.model import Check, Task, Verdict

MISSED = "missed"
"""The attachment in which a criterion lists, one in a line, the entries for which alone it failed."""
MOST_LOST = 3


class Unsteady(Rejected):
    """A task is flaky for the sake of a few entries that it can do without."""

    def __init__(self, detail: str, entries: frozenset[str]) -> None:
        super().__init__("flaky", detail)
        self.entries = entries


def missed_entries(verdicts: Iterable[Verdict], blobs: BlobStore) -> frozenset[str] | None:
    """The entries for which alone a grading fails, none where it passes; None where it fails for something else."""
    entries: set[str] = set()
    for verdict in verdicts:
        if verdict.outcome == "error":
            return None
        for criterion in verdict.criteria:
            if criterion.passed or not (criterion.gate or criterion.weight):
                continue
            if MISSED not in criterion.attachments:
                return None
            entries |= set(blobs.get(criterion.attachments[MISSED]).decode().splitlines())
    return frozenset(entries)


def fickle_entries(gradings: Sequence[frozenset[str] | None]) -> frozenset[str]:
    """The entries that some gradings of the same work miss and others do not; none where that does not explain all."""
    decided = [entries for entries in gradings if entries is not None]
    if len(decided) < len(gradings) or frozenset.intersection(*decided):
        return frozenset()
    every = frozenset[str]().union(*decided)
    return every if len(every) <= MOST_LOST else frozenset()


def drop_entries(task: Task, entries: frozenset[str]) -> Task:
    """The task, these entries no longer asked for. It keeps its id."""
    checks = tuple(_drop_from_check(check, entries) for check in task.checks)
    return task.model_copy(update={"checks": checks, "drafted": task.drafted or task.checks_hash})


def _drop_from_check(check: Check, entries: frozenset[str]) -> Check:
    name = parts.find("verifier", check.verifier).may_lose
    listed = check.params.get(name)
    if not isinstance(listed, list | tuple):
        return check
    kept = [entry for entry in listed if entry not in entries]
    return check.model_copy(update={"params": {**check.params, name: kept}})
