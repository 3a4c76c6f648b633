"""What a framework said of each test while it ran, held against the report that it wrote in the end.

Lines such as `passed tests/test_a.py::test_x`, written when a test has ended; a later one may tell that its clean-up
failed. What was said cannot be taken back, so a report that says otherwise was changed later, or was not written by the
framework. Where ours is one reporter of several, a first line `began` says that it was heard at all: a version of the
framework that does not know it has no second account.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from crucible.domains.code.outcomes import Report, Status
from verifiers.readers.reader import Reader, worst_outcomes

STATUS: dict[str, Status] = {"passed": "passed", "skipped": "skipped", "xfailed": "xfailed", "failed": "failed"}
"""Other words are no outcome: `rerun`, of a test that is tried once more."""
GOOD = ("passed", "xfailed")
BEGAN = b"began "


@dataclass(frozen=True)
class LiveReader(Reader):
    """A reader whose report is held against what a reporter of ours said of each test when it ended."""

    def dispute(self, report: Report, events: bytes) -> Report:
        """The report held against these, where our reporter has said that it began."""
        return dispute_outcomes(report, read_events(events)) if events.startswith(BEGAN) else report


def read_events(data: bytes) -> dict[str, Status]:
    """The worst that was said of each test."""
    lines = (line.partition(" ") for line in data.decode("utf-8", "replace").split("\n"))
    return worst_outcomes((name, STATUS[word]) for word, _, name in lines if word in STATUS and name)


def dispute_outcomes(report: Report, events: Mapping[str, Status]) -> Report:
    """The report, with every test failed that it counts as passed and that was not seen to pass."""
    disputed = _find_disputed(report.outcomes, events)
    outcomes: dict[str, Status] = {**report.outcomes, **dict.fromkeys(disputed, "failed")}
    return replace(report, outcomes=outcomes, disputed=tuple(disputed))


def _find_disputed(outcomes: Mapping[str, Status], events: Mapping[str, Status]) -> list[str]:
    """The tests of which the two differ. A report and the events may spell a few names differently; such tests are
    only counted: there must be as many in the one as in the other."""
    passed = [test for test, status in outcomes.items() if status in GOOD]
    differing = [test for test in passed if events.get(test, "passed") not in GOOD]
    unseen = [test for test in passed if test not in events]
    unreported = [test for test, status in events.items() if status in GOOD and test not in outcomes]
    return sorted([*differing, *(unseen if len(unseen) > len(unreported) else ())])
