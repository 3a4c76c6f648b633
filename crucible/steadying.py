"""Tests that come and go leave a task: one that the reference fails now and passes then says nothing of an attempt.

Only tests that must keep passing can leave, and only a few: where more come and go, the task is not to be trusted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from crucible.errors import Rejected
from crucible.mining import BlobStore
from crucible.model import Check, Task, Verdict

MISSED = "missed"
"""The attachment in which a criterion lists, one in a line, the tests that should have kept passing."""
KEPT = "pass_to_pass"
MOST = 3


class Unsteady(Rejected):
    """A task is flaky for the sake of a few tests that it can do without."""

    def __init__(self, detail: str, tests: frozenset[str]) -> None:
        super().__init__("flaky", detail)
        self.tests = tests


def missed(verdicts: Iterable[Verdict], blobs: BlobStore) -> frozenset[str] | None:
    """The tests for which alone a grading fails, none where it passes; None where it fails for something else."""
    tests: set[str] = set()
    for verdict in verdicts:
        if verdict.outcome == "error":
            return None
        for criterion in verdict.criteria:
            if not criterion.passed and MISSED not in criterion.attachments:
                return None
            if not criterion.passed:
                tests |= set(blobs.get(criterion.attachments[MISSED]).decode().splitlines())
    return frozenset(tests)


def fickle(gradings: Sequence[frozenset[str] | None]) -> frozenset[str]:
    """The tests that some gradings of the same work miss and others do not; none where that does not explain all."""
    known = [tests for tests in gradings if tests is not None]
    if len(known) < len(gradings) or frozenset.intersection(*known):
        return frozenset()
    every = frozenset[str]().union(*known)
    return every if len(every) <= MOST else frozenset()


def without(task: Task, tests: frozenset[str]) -> Task:
    """The task, these tests no longer asked for. It keeps its id."""
    return task.model_copy(update={"checks": tuple(_without(check, tests) for check in task.checks)})


def _without(check: Check, tests: frozenset[str]) -> Check:
    kept = check.params.get(KEPT)
    if not isinstance(kept, list | tuple):
        return check
    return check.model_copy(update={"params": {**check.params, KEPT: [test for test in kept if test not in tests]}})
