"""Any command that prints one line for each test. Nothing vouches for such lines but the exit code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from crucible.domains.code.suite import Runner, Status, runner
from crucible.sandbox import Done
from verifiers.runners.framework import Found, Framework
from verifiers.runners.text import ended, once

WORDS: dict[str, Status] = {
    **dict.fromkeys(("ok", "pass", "passed", "✓", "✔", "success"), "passed"),
    **dict.fromkeys(("not ok", "fail", "failed", "error", "✗", "✘", "✖", "×"), "failed"),
    **dict.fromkeys(("skip", "skipped", "ignored"), "skipped"),
    **dict.fromkeys(("xfail", "expected failure"), "xfailed"),
}
SHOUTED = "not ok|ok|OK|PASSED|PASS|FAILED|FAIL|SKIPPED|SKIP|XFAIL|ERROR|[✓✔✗✘✖×]"
SAID = "|".join(word for word in WORDS if word.isascii())
TIME = re.compile(r"\s*[\[(<]\s*[\d.]+\s*(?:ms|s|sec|seconds|µs|us|%)?\s*[\])>]$")
BEFORE = re.compile(rf"^\s*(?:---\s+)?\[?\s*({SHOUTED})\s*\]?(?::\s*|\s+)(?:\d+\s+-\s+|-\s+)?(\S.*)$")
AFTER = re.compile(rf"^\s*(\S.*?)\s*(?:\.\.+\s*|:\s+|\s\[\s*|-\s)({SAID})\s*\]?$", re.IGNORECASE)
SUMMARY = re.compile(r"^(?:(?:tests?|suites?|checks?|total)\b\W*)?[\d\s.,%/]*$", re.IGNORECASE)
"""What stands beside a word in a line that sums up: not a test's name."""


@runner("lines")
def lines() -> Runner:
    """Whatever prints `ok name`, `PASS: name`, `[FAIL] name`, `name ... ok`, `name - OK`: so a test is called."""
    return Framework("lines", read)


def read(report: bytes, done: Done) -> Found:
    """A test that is named twice has failed."""
    text = ended(report, done)
    return Found(outcomes=once(_told(text)), log=text[-6000:])


def _told(text: str) -> Iterator[tuple[str, Status]]:
    for line in text.splitlines():
        plain = TIME.sub("", line)
        before, after = BEFORE.match(plain), AFTER.match(plain)
        word, name = (before[1], before[2]) if before else (after[2], after[1]) if after else ("", "")
        if name and not SUMMARY.match(name):
            yield TIME.sub("", name).strip(), WORDS[word.lower()]
