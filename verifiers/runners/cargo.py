"""Rust: the text of `cargo test`, since only unstable versions report otherwise, and nextest by its JUnit XML.

A test that prints can print `test other ... ok`. So each test binary's lines are held against its own count and its own
summary, and a test that is named twice has failed.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from crucible.domains.code.inline_tests import items
from crucible.domains.code.suite import Canary, Report, Runner, Status, Suite, runner
from crucible.sandbox import Done
from verifiers import canaries
from verifiers.runners.archive import junit
from verifiers.runners.framework import Found, Framework, merged
from verifiers.runners.text import ended, once

HEADING = re.compile(r"^ +Running (?:unittests )?(\S+)(?: \((?:.*/)?([^/]+?)(?:-[0-9a-f]{16})?(?:\.exe)?\))?$")
DOCUMENTED = re.compile(r"^ +Doc-tests (\S+)$")
COUNT = re.compile(r"^running (\d+) tests?$")
LINE = re.compile(r"^test (.+?)(?: - should panic)? \.\.\. (.*)$")
ENDS = re.compile(r"(ok|FAILED|ignored)(?:, .*)?(?: <[\d.]+s>)?$")
SUMMARY = re.compile(r"^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored; (\d+) measured;")
CRASHED = re.compile(r"^ +process didn't exit successfully: .*\((?:signal|exit (?:status|code)): ")
CANARY = '#[test]\nfn {0}() {{\n    panic!("{0}");\n}}\n'
STATUS: dict[str, Status] = {"ok": "passed", "FAILED": "failed", "ignored": "skipped"}


@dataclass
class Binary:
    """What one test binary printed."""

    name: str
    count: int | None = None
    found: list[tuple[str, Status]] = field(default_factory=list)
    waiting: str = ""
    """A test whose line was cut by what it printed."""
    summaries: list[tuple[int, ...]] = field(default_factory=list)
    crashed: bool = False


class Cargo:
    """Implements `crucible.domains.code.suite.Runner`: by the text, unless the command is nextest's."""

    def command(self, suite: Suite, report: str, paths: Sequence[str]) -> str:
        return (NEXTEST if "nextest" in suite.command else CARGO).command(suite, report, paths)

    def parse(self, report: bytes, done: Done) -> Report:
        """An archive can only be nextest's."""
        return (NEXTEST if report.startswith(b"\x1f\x8b") else CARGO).parse(report, done)

    def paths(self, tests: Sequence[str]) -> Sequence[str]:
        return ()

    def canary(self, tests: Sequence[str], files: Mapping[str, str]) -> Canary | None:
        return canaries.hatch("cargo", tests, files) or _within(tests, files)


@runner("cargo")
def cargo() -> Runner:
    """Rust's tests. A test is called `binary::source file::module::name`; with nextest `binary::module::name`."""
    return Cargo()


def _within(tests: Sequence[str], files: Mapping[str, str]) -> Canary | None:
    """A canary within a source file, beside a test that only this file has."""
    for test in tests:
        above, _, leaf = test.rpartition("::")
        homes = [path for path, text in files.items() if re.search(rf"\bfn\s+{re.escape(leaf)}\b", text)]
        name = f"check_{secrets.token_hex(3)}"
        if len(homes) == 1 and (text := _beside(files[homes[0]], above, leaf, CANARY.format(name))):
            return Canary(path=homes[0], content=text, test=f"{above}::{name}")
    return None


def _beside(text: str, above: str, leaf: str, canary: str) -> str:
    """The tests with one more: at the top beside its like, or at the end of its module; empty where neither can be."""
    held = items(text)
    if any(item.name == f"fn {leaf}" for item in held):
        return f"{text}\n\n{canary}"
    homes = [item for item in held if item.name == f"mod {above.rpartition('::')[2]}" and text[item.end - 1] == "}"]
    if len(homes) != 1:
        return ""
    end = homes[0].end - 1
    return f"{text[:end]}\n{canary}{text[end:]}"


def _options(command: str, paths: Sequence[str]) -> str:
    """Options go before those of the test binaries."""
    before, dashes, after = command.partition(" -- ")
    return f"{before} --no-fail-fast{dashes}{after}"


def read(report: bytes, done: Done) -> Found:
    """Every binary's tests; one that crashed is failed under its own name."""
    text = ended(report, done)
    binaries = list(_binaries(text))
    why = next((wrong for binary in binaries if (wrong := _wrong(binary))), "")
    return Found(outcomes=merged(pair for binary in binaries for pair in _told(binary)), why=why, log=text[-6000:])


def _binaries(text: str) -> Iterator[Binary]:
    binary: Binary | None = None
    for line in text.splitlines():
        if begun := _begun(line):
            if binary:
                yield binary
            binary = begun
        elif binary:
            _take(binary, line)
    if binary:
        yield binary


def _begun(line: str) -> Binary | None:
    if documented := DOCUMENTED.match(line):
        return Binary(f"{documented[1]}::doc")
    heading = HEADING.match(line)
    return Binary(f"{heading[2]}::{heading[1]}" if heading[2] else heading[1]) if heading else None


def _take(binary: Binary, line: str) -> None:
    if count := COUNT.match(line):
        binary.count = int(count[1]) + (binary.count or 0)
    elif summary := SUMMARY.match(line):
        binary.summaries.append(tuple(int(number) for number in summary.groups()))
    elif CRASHED.match(line):
        binary.crashed = True
    elif not binary.summaries and line != "failures:" and not line.startswith("---- "):
        _test(binary, line)
    if line == "failures:" and len(binary.found) >= (binary.count or 0):
        binary.waiting = ""


def _test(binary: Binary, line: str) -> None:
    """`test name ... ok`; with one thread the name comes first, then what the test prints, then its end."""
    if len(binary.found) == binary.count and not binary.waiting:
        return  # all have ended: from here on it tells what failing tests printed
    test = LINE.match(line)
    end = ENDS.search(line)
    if test:
        name, whole = test[1], ENDS.fullmatch(test[2])
        binary.waiting = "" if whole else name
        if whole:
            binary.found.append((name, STATUS[whole[1]]))
    elif binary.waiting and end:
        binary.found.append((binary.waiting, STATUS[end[1]]))
        binary.waiting = ""


def _wrong(binary: Binary) -> str:
    """Why what this binary printed cannot be believed, or is not all of it."""
    if binary.crashed and not binary.summaries:
        return ""
    if binary.count is None and not binary.summaries:
        return "" if not binary.found else f"{binary.name} tells of tests that it did not count"
    if len(binary.summaries) != 1:
        return f"{binary.name} was cut short, or ended twice"
    told = once(binary.found)
    states = list(told.values())
    seen = (states.count("passed"), states.count("failed"), states.count("skipped"))
    if seen != binary.summaries[0][:3] or len(binary.found) != binary.count:
        return f"{binary.name} counts {binary.summaries[0][:3]} passed, failed and ignored tests; {seen} are told of"
    return ""


def _told(binary: Binary) -> Iterator[tuple[str, Status]]:
    for name, status in once(binary.found).items():
        yield f"{binary.name}::{re.sub(r' [(]line [0-9]+[)]', '', name)}", status
    if binary.crashed and not binary.summaries:
        yield binary.name, "failed"


def read_nextest(report: bytes, done: Done) -> Found:
    """nextest names the binary as the class."""
    return Found(outcomes=merged((f"{case.classname}::{case.name}", case.status) for _, case in junit(report)))


CARGO = Framework("cargo", read, adapt=_options)
NEXTEST = Framework("nextest", read_nextest, adapt=_options)
