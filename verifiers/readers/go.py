"""Go, by the events of `go test -json`.

A test that started and never ended was running when its package crashed or timed out: it has failed. A package that
does not compile says so, and leaves the results of the others alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from crucible.domains.code.outcomes import FinishedCommand, Status
from verifiers.readers.reader import OUTPUT_CHARS, Reader, Reading, worst_outcomes
from verifiers.readers.rooted import parse_json
from verifiers.readers.text import read_whole_text

ENDINGS: dict[str, Status] = {"pass": "passed", "fail": "failed", "skip": "skipped"}
UNBUILT = re.compile(r"^FAIL\s+(\S+) \[(?:build|setup) failed\]")
# matches: "FAIL	example.com/mod/calc [build failed]"
COMPLAINT = re.compile(r"^\S+\.go:\d+(?::\d+)?: .+", re.MULTILINE)
# matches: "calc/calc.go:12:9: undefined: add"


@dataclass
class Events:
    """What the events have said so far."""

    running: set[str] = field(default_factory=set)
    ended: list[tuple[str, Status]] = field(default_factory=list)
    packages: dict[str, str] = field(default_factory=dict)
    """How each package ended; empty while it has not."""
    unbuilt: dict[str, None] = field(default_factory=dict)
    """Packages that do not compile, in order."""
    output: list[str] = field(default_factory=list)
    compiler: list[str] = field(default_factory=list)
    """What the compiler printed."""


LONG_REPORT_BYTES = 12_000_000
"""Of a longer report, what the tests printed is not kept."""


def read(report: bytes, done: FinishedCommand) -> Reading:
    """Every test of every package that could be built."""
    events = Events()
    if len(report) > LONG_REPORT_BYTES:
        report = b"\n".join(line for line in report.split(b"\n") if b'"Action":"output"' not in line)
    for line in read_whole_text(report, done).split("\n"):
        _read_line(events, line)
    outcomes = worst_outcomes([*events.ended, *((name, "failed") for name in sorted(events.running))])
    explained = {name.partition("::")[0] for name, status in outcomes.items() if status == "failed"} | {*events.unbuilt}
    failing = [name for name, ending in events.packages.items() if ending == "fail" and name not in explained]
    unended = [name for name, ending in events.packages.items() if not ending and name not in events.unbuilt]
    return Reading(
        outcomes=worst_outcomes([*outcomes.items(), *((name, "failed") for name in failing)]),
        broken=_describe_unbuilt(events, done),
        why=f"the report ends before {unended[0]} does" if unended else "",
        log="".join(events.output)[-OUTPUT_CHARS:],
    )


def _read_line(events: Events, line: str) -> None:
    if not line.startswith("{"):  # older versions print some lines as they are
        return _read_output(events, line)
    event: dict[str, Any] = parse_json(line)
    action, package, test = str(event.get("Action")), str(event.get("Package", "")), str(event.get("Test", ""))
    if action == "build-output":
        events.compiler.append(str(event.get("Output", "")))
    elif action == "build-fail":
        events.unbuilt[str(event.get("ImportPath", "")).partition(" ")[0]] = None
    elif action == "output":
        _read_output(events, str(event.get("Output", "")))
    elif test:
        _read_test(events, f"{package}::{test}", action)
    elif package:
        events.packages[package] = action if action in ENDINGS else events.packages.get(package, "")
        if event.get("FailedBuild"):
            events.unbuilt[package] = None
    return None


def _read_test(events: Events, name: str, action: str) -> None:
    if action == "run":
        events.running.add(name)
    elif action in ENDINGS:
        events.running.discard(name)
        events.ended.append((name, ENDINGS[action]))


def _read_output(events: Events, text: str) -> None:
    events.output.append(text)
    if unbuilt := UNBUILT.match(text):
        events.unbuilt[unbuilt[1]] = None


def _describe_unbuilt(events: Events, done: FinishedCommand) -> str:
    """Where a package does not compile: the compiler's first complaint."""
    if not events.unbuilt:
        return ""
    complaint = COMPLAINT.search("".join(events.compiler)) or COMPLAINT.search(done.err)
    return complaint[0][:300] if complaint else f"{next(iter(events.unbuilt))} does not build"


READERS = {"go": Reader("go", read, last_code=2)}
