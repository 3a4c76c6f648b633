"""`make check` of automake: by the .trs file that each test leaves, else by the lines it prints."""

from __future__ import annotations

import re
from collections.abc import Iterator

from crucible.domains.code.outcomes import FinishedCommand, Status
from verifiers.readers.archive import read_members
from verifiers.readers.bad_report import BadReport
from verifiers.readers.reader import OUTPUT_CHARS, Reader, Reading, worst_outcomes
from verifiers.readers.text import clean_text, fail_duplicates

RESULT = re.compile(r"^:test-result: (\w+)(?: (.*))?$", re.MULTILINE)
# matches: ":test-result: PASS 3 - parses"
PRINTED = re.compile(r"^(PASS|FAIL|SKIP|XFAIL|XPASS|ERROR): (\S.*)$", re.MULTILINE)
# matches: "FAIL: tests/parse"
TOTAL = re.compile(r"^# TOTAL: +(\d+)$", re.MULTILINE)
# matches: "# TOTAL: 12"
NUMBER = re.compile(r"^[0-9]+ (?:- )?")
# matches: the "3 - " of "3 - parses"
STATUS: dict[str, Status] = {"PASS": "passed", "SKIP": "skipped", "XFAIL": "xfailed"}
OUTPUT = "printed"
"""What the archive calls the output of the run."""
BROKEN = (
    r"^\S+\.(c|cc|cpp|cxx|h|hpp|f90|vala):\d+:(\d+:)? (fatal )?error: ",  # src/a.c:3:1: error: expected ';'
    r"^make.*: \*\*\* \[.*\.l?o\] Error",  # make[1]: *** [Makefile:12: a.lo] Error 1
)


def read(report: bytes, done: FinishedCommand) -> Reading:
    """The outcomes of the files where there are any: they say more than lines, and are harder to forge."""
    files = {path: clean_text(data) for path, data in read_members(report)}
    output = files.pop(OUTPUT, "")
    pairs = [pair for path, content in files.items() for pair in _read_file(path.removesuffix(".trs"), content)]
    return Reading(outcomes=worst_outcomes(pairs) if pairs else _read_lines(output), log=output[-OUTPUT_CHARS:])


def _read_file(path: str, content: str) -> Iterator[tuple[str, Status]]:
    for word, name in RESULT.findall(content) or [("ERROR", "")]:
        yield f"{path}::{NUMBER.sub('', name)}" if name else path, STATUS.get(word, "failed")


def _read_lines(output: str) -> dict[str, Status]:
    """The outcomes of printed lines, held against the totals, which count every test once."""
    pairs = [(name, STATUS.get(word, "failed")) for word, name in PRINTED.findall(output)]
    total = sum(int(count) for count in TOTAL.findall(output))
    if pairs and total != len(pairs):
        raise BadReport(f"the totals are {total} tests and {len(pairs)} are told of")
    return fail_duplicates(pairs)


READERS = {"automake": Reader("automake", read, last_code=2, broken=BROKEN)}
