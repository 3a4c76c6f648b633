"""Rust: the text of `cargo test`, since only unstable versions report otherwise, and nextest by its JUnit XML.

A test that prints can print `test other ... ok`. So each test binary's lines are held against its own count and its own
summary, and a test that is named twice has failed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from crucible.domains.code.outcomes import FinishedCommand, Report, Status
from verifiers.readers.archive import read_junit_members
from verifiers.readers.reader import OUTPUT_CHARS, Reader, Reading, worst_outcomes
from verifiers.readers.text import fail_duplicates, read_whole_text

HEADING = re.compile(r"^ +Running (?:unittests )?(\S+)(?: \((?:.*/)?([^/]+?)(?:-[0-9a-f]{16})?(?:\.exe)?\))?$")
# matches: "     Running unittests src/lib.rs (target/debug/deps/kiln-0123456789abcdef)"
DOC_TESTS = re.compile(r"^ +Doc-tests (\S+)$")
# matches: "   Doc-tests kiln"
COUNT = re.compile(r"^running (\d+) tests?$")
# matches: "running 3 tests"
TEST = re.compile(r"^test (.+?)(?: - should panic)? \.\.\. (.*)$")
# matches: "test tests::adds ... ok"  "test tests::fails - should panic ... ok"
ENDING = re.compile(r"(ok|FAILED|ignored)(?:, .*)?(?: <[\d.]+s>)?$")
# matches: "ok"  "ignored, needs network"  "ok <0.012s>"
SUMMARY = re.compile(r"^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored; (\d+) measured;")
# matches: "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out"
CRASHED = re.compile(r"^ +process didn't exit successfully: .*\((?:signal|exit (?:status|code)): ")
# matches: "  process didn't exit successfully: `target/debug/deps/kiln-01` (signal: 6, SIGABRT)"
DOC_LINE = re.compile(r" [(]line [0-9]+[)]")
# matches: the " (line 12)" of "src/lib.rs - add (line 12)"
STATUS: dict[str, Status] = {"ok": "passed", "FAILED": "failed", "ignored": "skipped"}
GZIP = b"\x1f\x8b"
"""How a compressed archive begins."""
BROKEN = (r"^error: could not compile",)


@dataclass
class Binary:
    """What one test binary printed."""

    name: str
    count: int | None = None
    outcomes: list[tuple[str, Status]] = field(default_factory=list)
    waiting: str = ""
    """A test whose line was cut by what it printed."""
    summaries: list[tuple[int, ...]] = field(default_factory=list)
    crashed: bool = False


def read(report: bytes, done: FinishedCommand) -> Reading:
    """Every binary's tests; one that crashed is failed under its own name."""
    text = read_whole_text(report, done)
    binaries = list(_split_binaries(text))
    why = next((fault for binary in binaries if (fault := _find_fault(binary))), "")
    outcomes = worst_outcomes(pair for binary in binaries for pair in _name_outcomes(binary))
    return Reading(outcomes=outcomes, why=why, log=text[-OUTPUT_CHARS:])


def _split_binaries(text: str) -> Iterator[Binary]:
    binary: Binary | None = None
    for line in text.splitlines():
        if begun := _begin_binary(line):
            if binary:
                yield binary
            binary = begun
        elif binary:
            _read_line(binary, line)
    if binary:
        yield binary


def _begin_binary(line: str) -> Binary | None:
    """A new binary, if this line begins one."""
    if doc_tests := DOC_TESTS.match(line):
        return Binary(f"{doc_tests[1]}::doc")
    heading = HEADING.match(line)
    return Binary(f"{heading[2]}::{heading[1]}" if heading[2] else heading[1]) if heading else None


def _read_line(binary: Binary, line: str) -> None:
    if count := COUNT.match(line):
        binary.count = int(count[1]) + (binary.count or 0)
    elif summary := SUMMARY.match(line):
        binary.summaries.append(tuple(int(number) for number in summary.groups()))
    elif CRASHED.match(line):
        binary.crashed = True
    elif not binary.summaries and line != "failures:" and not line.startswith("---- "):
        _read_test(binary, line)
    if line == "failures:" and len(binary.outcomes) >= (binary.count or 0):
        binary.waiting = ""


def _read_test(binary: Binary, line: str) -> None:
    """`test name ... ok`; with one thread the name comes first, then what the test prints, then its end."""
    if len(binary.outcomes) == binary.count and not binary.waiting:
        return  # all have ended: from here on it tells what failing tests printed
    test = TEST.match(line)
    ending = ENDING.search(line)
    if test:
        name, whole = test[1], ENDING.fullmatch(test[2])
        binary.waiting = "" if whole else name
        if whole:
            binary.outcomes.append((name, STATUS[whole[1]]))
    elif binary.waiting and ending:
        binary.outcomes.append((binary.waiting, STATUS[ending[1]]))
        binary.waiting = ""


def _find_fault(binary: Binary) -> str:
    """Why what this binary printed cannot be believed, or is not all of it; empty when it can."""
    if binary.crashed and not binary.summaries:
        return ""
    if binary.count is None and not binary.summaries:
        return "" if not binary.outcomes else f"{binary.name} tells of tests that it did not count"
    if len(binary.summaries) != 1:
        return f"{binary.name} was cut short, or ended twice"
    states = list(fail_duplicates(binary.outcomes).values())
    counts = (states.count("passed"), states.count("failed"), states.count("skipped"))
    summary = binary.summaries[0][:3]
    if counts != summary or len(binary.outcomes) != binary.count:
        return f"{binary.name} counts {summary} passed, failed and ignored tests; {counts} are told of"
    return ""


def _name_outcomes(binary: Binary) -> Iterator[tuple[str, Status]]:
    for name, status in fail_duplicates(binary.outcomes).items():
        yield f"{binary.name}::{DOC_LINE.sub('', name)}", status
    if binary.crashed and not binary.summaries:
        yield binary.name, "failed"


def read_nextest(report: bytes, done: FinishedCommand) -> Reading:
    """Every test of nextest's JUnit XML, which names the binary as the class."""
    cases = read_junit_members(report)
    return Reading(outcomes=worst_outcomes((f"{case.classname}::{case.name}", case.status) for case in cases))


CARGO = Reader("cargo", read, last_code=101, broken=BROKEN)
NEXTEST = Reader("nextest", read_nextest, last_code=101, broken=BROKEN)


class CargoReader:
    """Implements `crucible.domains.code.outcomes.ReportReader`: an archive can only be nextest's, text is cargo's."""

    module = __name__

    def parse(self, report: bytes, done: FinishedCommand) -> Report:
        """What each test did."""
        return (NEXTEST if report.startswith(GZIP) else CARGO).parse(report, done)

    def dispute(self, report: Report, events: bytes) -> Report:
        """The report as it is: there is nothing to hold it against."""
        return report


READERS = {"cargo": CargoReader()}
