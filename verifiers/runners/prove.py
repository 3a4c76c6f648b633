"""Perl's prove, by the TAP of each test file, which its harness keeps when asked to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from crucible.domains.code.suite import Runner, Status, runner
from crucible.sandbox import Done
from verifiers import canaries
from verifiers.runners.archive import members
from verifiers.runners.framework import Found, Framework, files_of, merged
from verifiers.runners.junit import BadReport
from verifiers.runners.tap import stream
from verifiers.runners.text import clean

UNWELL = re.compile(r"^(\S.*?)\s+\(Wstat: [1-9]", re.MULTILINE)
"""prove's summary of a file that ended with a code of its own."""
NOTHING = re.compile(r"^1\.\.0\b", re.MULTILINE)


@runner("prove")
def prove() -> Runner:
    """Perl's prove. A test is called `file::description`."""
    return Framework("prove", read, files_of, canaries.appended("prove"))


def read(report: bytes, done: Done) -> Found:
    """Files whose stream is not whole, or that end badly, are failed under their path."""
    files = {path: list(_file(path, clean(data))) for path, data in members(report)}
    unwell = [name for name in UNWELL.findall(clean(done.out)) if "failed" not in dict(files.get(name, ())).values()]
    found = [pair for pairs in files.values() for pair in pairs]
    return Found(outcomes=merged([*found, *((name, "failed") for name in unwell if name in files)]))


def _file(path: str, text: str) -> Iterator[tuple[str, Status]]:
    if NOTHING.search(text):
        yield path, "skipped"
        return
    try:
        yield from ((f"{path}::{name}", status) for name, status in stream(text))
    except BadReport:
        yield path, "failed"
