"""What went wrong, read from a log: one of a few kinds, and the name of what is missing. `diagnoses.toml`."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from crucible.datafile import read_rows
from crucible.record import Record

HERE = Path(__file__).parent
ESCAPES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
# matches: ESC[31m  ESC[0;1m  ESC[K
SKIPPED = re.compile(r"^SKIPPED \[\d+\] \S+: (.*)$", re.MULTILINE)
# matches: SKIPPED [3] tests/test_zones.py:12: pytz unavailable
WORD = re.compile(r"[A-Za-z_][\w.-]*\w")
# matches: pytz  ruamel.yaml
LONGEST_LINE = 300
"""Characters of the line that sums a diagnosis up."""
LOG_CHARS = 3000
"""Characters of the log's end that go with a diagnosis."""


class Sign(Record):
    """One row of `diagnoses.toml`: a kind of trouble, and how it shows in a log."""

    kind: str
    pattern: str
    """The first group, if there is one, is the name of what is missing."""
    example: str
    """A line in which the pattern finds it."""


class SkipReason(Record):
    """One row of `diagnoses.toml`: how a test says that it is skipped because something is missing."""

    pattern: str
    example: str


class Diagnosis(Record):
    """What a log says."""

    kind: str = "unknown"
    name: str = ""
    line: str = ""
    """Kind and evidence, in one line."""
    log: str = ""
    """The end of the log, for a model that can read more than signs."""


@cache
def _signs() -> tuple[tuple[str, re.Pattern[str]], ...]:
    signs = read_rows(HERE / "diagnoses.toml", "signs", Sign)
    return tuple((sign.kind, re.compile(sign.pattern, re.MULTILINE)) for sign in signs)


@cache
def _skip_reasons() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(row.pattern) for row in read_rows(HERE / "diagnoses.toml", "skips", SkipReason))


def find_missing_words(log: str) -> tuple[str, ...]:
    """The words of the reasons for which pytest skipped tests (`pytest -rs` lists them), where these say that something
    is missing. One of them may name a module."""
    reasons = [reason for reason in SKIPPED.findall(ESCAPES.sub("", log)) if _says_missing(reason)]
    return tuple(dict.fromkeys(word for reason in reasons for word in WORD.findall(reason)))


def _says_missing(reason: str) -> bool:
    return any(pattern.search(reason) for pattern in _skip_reasons())


def diagnose(log: str, why: str = "") -> Diagnosis:
    """The diagnosis of the first sign that the log shows, or that `why` (how the run ended) shows; without any, of kind
    `unknown` with `why` and the last line."""
    text = ESCAPES.sub("", log)
    for kind, pattern in _signs():
        match = pattern.search(text) or pattern.search(why)
        if match:
            name = next((group for group in match.groups() if group), "")
            return Diagnosis(kind=kind, name=name, line=_summary(kind, _matched_lines(match)), log=text[-LOG_CHARS:])
    last = next((line for line in reversed(text.splitlines()) if line.strip()), "")
    return Diagnosis(line=_summary("unknown", f"{why}; {last}" if why else last), log=text[-LOG_CHARS:])


def _matched_lines(match: re.Match[str]) -> str:
    """The whole lines that a match lies in."""
    start = match.string.rfind("\n", 0, match.start()) + 1
    end = match.string.find("\n", match.end())
    return match.string[start : end if end >= 0 else None]


def _summary(kind: str, text: str) -> str:
    return f"{kind}: {' '.join(text.split())}"[:LONGEST_LINE]
