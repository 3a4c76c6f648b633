"""`make check` of automake: by the .trs file that each test leaves, else by the lines it prints."""

from __future__ import annotations

import re
from collections.abc import Iterator

from crucible.domains.code.suite import Runner, Status, runner
from crucible.sandbox import Done
from verifiers.runners.archive import members
from verifiers.runners.framework import Found, Framework, merged
from verifiers.runners.junit import BadReport
from verifiers.runners.text import clean, once

RESULT = re.compile(r"^:test-result: (\w+)(?: (.*))?$", re.MULTILINE)
PRINTED = re.compile(r"^(PASS|FAIL|SKIP|XFAIL|XPASS|ERROR): (\S.*)$", re.MULTILINE)
TOTAL = re.compile(r"^# TOTAL: +(\d+)$", re.MULTILINE)
STATUS: dict[str, Status] = {"PASS": "passed", "SKIP": "skipped", "XFAIL": "xfailed"}
PRINTS = "printed"
"""What the archive calls the output of the run."""


@runner("automake")
def automake() -> Runner:
    """Automake's `make check`. A test is called by its path, with `::` and a name where it reports several."""
    return Framework("automake", read)


def read(report: bytes, done: Done) -> Found:
    """Files say more than lines, and are harder to forge."""
    files = {name: clean(data) for name, data in members(report)}
    text = files.pop(PRINTS, "")
    left = [pair for path, content in files.items() for pair in _left(path.removesuffix(".trs"), content)]
    return Found(outcomes=merged(left) if left else _printed(text), log=text[-6000:])


def _left(path: str, content: str) -> Iterator[tuple[str, Status]]:
    results = RESULT.findall(content)
    for word, name in results or [("ERROR", "")]:
        yield f"{path}::{re.sub(r'^[0-9]+ (?:- )?', '', name)}" if name else path, STATUS.get(word, "failed")


def _printed(text: str) -> dict[str, Status]:
    """Held against the totals, which count every test once."""
    lines = [(name, STATUS.get(word, "failed")) for word, name in PRINTED.findall(text)]
    totals = sum(int(total) for total in TOTAL.findall(text))
    if lines and totals != len(lines):
        raise BadReport(f"the totals are {totals} tests and {len(lines)} are told of")
    return once(lines)
