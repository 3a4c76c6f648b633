"""Perl's prove, by the TAP of each test file, which its harness keeps when asked to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from crucible.domains.code.outcomes import FinishedCommand, Status
from verifiers.readers.archive import read_members
from verifiers.readers.bad_report import BadReport
from verifiers.readers.reader import Reader, Reading, worst_outcomes
from verifiers.readers.tap import read_stream
from verifiers.readers.text import clean_text

ENDED_BADLY = re.compile(r"^(\S.*?)\s+\(Wstat: [1-9]", re.MULTILINE)
# matches: "t/a.t (Wstat: 256 Tests: 3 Failed: 1)", prove's summary of a file that ended with a code of its own
EMPTY_PLAN = re.compile(r"^1\.\.0\b", re.MULTILINE)
# matches: "1..0 # SKIP no database"


def read(report: bytes, done: FinishedCommand) -> Reading:
    """Every test of every file. Files whose stream is not whole, or that end badly, are failed under their path."""
    files = {path: list(_read_file(path, clean_text(data))) for path, data in read_members(report)}
    ended_badly = [
        path for path in ENDED_BADLY.findall(clean_text(done.out)) if "failed" not in dict(files.get(path, ())).values()
    ]
    pairs = [pair for pairs in files.values() for pair in pairs]
    return Reading(outcomes=worst_outcomes([*pairs, *((path, "failed") for path in ended_badly if path in files)]))


def _read_file(path: str, text: str) -> Iterator[tuple[str, Status]]:
    if EMPTY_PLAN.search(text):
        yield path, "skipped"
        return
    try:
        yield from ((f"{path}::{name}", status) for name, status in read_stream(text))
    except BadReport:
        yield path, "failed"


READERS = {"prove": Reader("prove", read)}
