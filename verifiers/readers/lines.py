"""Any command that prints one line for each test. Nothing vouches for such lines but the exit code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from crucible.domains.code.outcomes import FinishedCommand, Status
from verifiers.readers.reader import OUTPUT_CHARS, Reader, Reading
from verifiers.readers.text import fail_duplicates, read_whole_text

WORDS: dict[str, Status] = {
    **dict.fromkeys(("ok", "pass", "passed", "✓", "✔", "success"), "passed"),
    **dict.fromkeys(("not ok", "fail", "failed", "error", "✗", "✘", "✖", "×"), "failed"),
    **dict.fromkeys(("skip", "skipped", "ignored"), "skipped"),
    **dict.fromkeys(("xfail", "expected failure"), "xfailed"),
}
LEADING_WORDS = "not ok|ok|OK|PASSED|PASS|FAILED|FAIL|SKIPPED|SKIP|XFAIL|ERROR|[✓✔✗✘✖×]"
TRAILING_WORDS = "|".join(word for word in WORDS if word.isascii())
TIME = re.compile(r"\s*[\[(<]\s*[\d.]+\s*(?:ms|s|sec|seconds|µs|us|%)?\s*[\])>]$")
# matches: " (12 ms)"  " [0.3s]"
LEADING = re.compile(rf"^\s*(?:---\s+)?\[?\s*({LEADING_WORDS})\s*\]?(?::\s*|\s+)(?:\d+\s+-\s+|-\s+)?(\S.*)$")
# matches: "ok 3 - adds"  "PASS: adds"  "[FAIL] adds"  "--- PASS: adds"
TRAILING = re.compile(rf"^\s*(\S.*?)\s*(?:\.\.+\s*|:\s+|\s\[\s*|-\s)({TRAILING_WORDS})\s*\]?$", re.IGNORECASE)
# matches: "adds ... ok"  "adds: passed"  "adds [ OK ]"  "adds - OK"
SUMMARY = re.compile(r"^(?:(?:tests?|suites?|checks?|total)\b\W*)?[\d\s.,%/]*$", re.IGNORECASE)
# matches: "tests: 12"  "3/4": what stands beside a word in a line that sums up is no test's name


def read(report: bytes, done: FinishedCommand) -> Reading:
    """Every line that names a test and its outcome."""
    text = read_whole_text(report, done)
    return Reading(outcomes=fail_duplicates(_read_lines(text)), log=text[-OUTPUT_CHARS:])


def _read_lines(text: str) -> Iterator[tuple[str, Status]]:
    for line in text.splitlines():
        plain = TIME.sub("", line)
        leading, trailing = LEADING.match(plain), TRAILING.match(plain)
        word, name = (leading[1], leading[2]) if leading else (trailing[2], trailing[1]) if trailing else ("", "")
        if name and not SUMMARY.match(name):
            yield TIME.sub("", name).strip(), WORDS[word.lower()]


READERS = {"lines": Reader("lines", read, last_code=125)}
