"""Any command that prints one line for each test. Nothing vouches for such lines but the exit code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from crucible.parts import runner
from crucible.sandbox import Done
from crucible.suites import Runner, Status
from verifiers.runners.framework import Found, Framework
from verifiers.runners.text import ended, once

WORDS: dict[str, Status] = {
    **dict.fromkeys(("ok", "pass", "passed", "✓", "✔", "success"), "passed"),
    **dict.fromkeys(("not ok", "fail", "failed", "error", "✗", "✘", "✖", "×"), "failed"),
    **dict.fromkeys(("skip", "skipped", "ignored"), "skipped"),
    **dict.fromkeys(("xfail", "expected failure"), "xfailed"),
}
WORD = "|".join(sorted(map(re.escape, WORDS), key=len, reverse=True))
TIME = re.compile(r"\s*[\[(<]\s*[\d.]+\s*(?:ms|s|sec|seconds|µs|us|%)?\s*[\])>]$")
BEFORE = re.compile(rf"^\s*(?:---\s+)?\[?\s*({WORD})\s*\]?(?::\s*|\s+)(?:\d+\s+)?(?:-\s+)?(\S.*)$", re.IGNORECASE)
AFTER = re.compile(rf"^\s*(\S.*?)\s*(?:\.{{2,}}|:|\s)\s*\[?\s*({WORD})\s*\]?$", re.IGNORECASE)


@runner("lines")
def lines() -> Runner:
    """Whatever prints `ok name`, `PASS: name`, `[FAIL] name` or `name ... ok`. A test is called as it is printed."""
    return Framework("lines", read)


def read(report: bytes, done: Done) -> Found:
    """A test that is named twice has failed."""
    text = ended(report, done)
    return Found(outcomes=once(_told(text)), log=text[-6000:])


def _told(text: str) -> Iterator[tuple[str, Status]]:
    for line in text.splitlines():
        plain = TIME.sub("", line)
        before = BEFORE.match(plain)
        after = None if before else AFTER.match(plain)
        if before:
            yield TIME.sub("", before[2]).strip(), WORDS[before[1].lower()]
        elif after:
            yield after[1], WORDS[after[2].lower()]
