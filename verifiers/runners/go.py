"""Go, by the events of `go test -json`.

A test that started and never ended was running when its package crashed or timed out: it has failed. A package that
does not compile says so, and leaves the results of the others alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from crucible.domains.code.suite import Runner, Status, runner
from crucible.sandbox import Done
from verifiers import canaries
from verifiers.runners.framework import Found, Framework, files_of, merged
from verifiers.runners.rooted import loaded
from verifiers.runners.text import ended

ENDS: dict[str, Status] = {"pass": "passed", "fail": "failed", "skip": "skipped"}
UNBUILT = re.compile(r"^FAIL\s+(\S+) \[(?:build|setup) failed\]")
COMPLAINT = re.compile(r"^\S+\.go:\d+(?::\d+)?: .+", re.MULTILINE)


@runner("go")
def go() -> Runner:
    """Go's own tests. A test is called `import/path::TestName/subtest`."""
    return Framework("go", read, files_of, canaries.appended("go"), _options)


def _options(command: str, paths: Sequence[str]) -> str:
    """Options go before the packages; packages to run take the place of `./...`. What a newer Go finds fault with in
    tests that compile is no outcome of theirs."""
    if paths:
        command = re.sub(r"(?<=\s)\./\.\.\.(?=\s|$)", "", command)
    return re.sub(r"\bgo\s+test\b", "go test -json -count=1 -vet=off", command, count=1)


@dataclass
class Seen:
    """What the events have said so far."""

    running: set[str] = field(default_factory=set)
    ended: list[tuple[str, Status]] = field(default_factory=list)
    packages: dict[str, str] = field(default_factory=dict)
    """How each package ended; empty while it has not."""
    unbuilt: dict[str, None] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)
    compiler: list[str] = field(default_factory=list)


def read(report: bytes, done: Done) -> Found:
    """Every test of every package that could be built."""
    seen = Seen()
    for line in ended(report, done).split("\n"):
        _take(seen, line)
    outcomes = merged([*seen.ended, *((name, "failed") for name in sorted(seen.running))])
    failing = {name.partition("::")[0] for name, status in outcomes.items() if status == "failed"}
    alone = [name for name, end in seen.packages.items() if end == "fail" and name not in failing | set(seen.unbuilt)]
    open_ = [name for name, end in seen.packages.items() if not end and name not in seen.unbuilt]
    return Found(
        outcomes=merged([*outcomes.items(), *((name, "failed") for name in alone)]),
        broken=_broken(seen, done),
        why=f"the report ends before {open_[0]} does" if open_ else "",
        log="".join(seen.said)[-6000:],
    )


def _take(seen: Seen, line: str) -> None:
    if not line.startswith("{"):  # older versions print some lines as they are
        return _said(seen, line)
    event: dict[str, Any] = loaded(line)
    action, package, test = str(event.get("Action")), str(event.get("Package", "")), str(event.get("Test", ""))
    if action == "build-output":
        seen.compiler.append(str(event.get("Output", "")))
    elif action == "build-fail":
        seen.unbuilt[str(event.get("ImportPath", "")).partition(" ")[0]] = None
    elif action == "output":
        _said(seen, str(event.get("Output", "")))
    elif test:
        _test(seen, f"{package}::{test}", action)
    elif package:
        seen.packages[package] = action if action in ENDS else seen.packages.get(package, "")
        if event.get("FailedBuild"):
            seen.unbuilt[package] = None
    return None


def _test(seen: Seen, name: str, action: str) -> None:
    if action == "run":
        seen.running.add(name)
    elif action in ENDS:
        seen.running.discard(name)
        seen.ended.append((name, ENDS[action]))


def _said(seen: Seen, text: str) -> None:
    seen.said.append(text)
    if unbuilt := UNBUILT.match(text):
        seen.unbuilt[unbuilt[1]] = None


def _broken(seen: Seen, done: Done) -> str:
    """Where a package does not compile: the compiler's first complaint."""
    if not seen.unbuilt:
        return ""
    complaint = COMPLAINT.search("".join(seen.compiler)) or COMPLAINT.search(done.err)
    return complaint[0][:300] if complaint else f"{next(iter(seen.unbuilt))} does not build"
