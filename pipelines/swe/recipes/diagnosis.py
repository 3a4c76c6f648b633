"""What went wrong, by the end of a log: one of a few kinds, and the name of what is missing. `diagnoses.toml`."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from crucible.datafile import rows
from crucible.record import Record

HERE = Path(__file__).parent
ESCAPES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
LINE = 300


class Sign(Record):
    """One row of `diagnoses.toml`."""

    kind: str
    pattern: str
    """The first group, if there is one, is the name of what is missing."""


class Diagnosis(Record):
    """What a log says."""

    kind: str = "unknown"
    name: str = ""
    line: str = ""
    """Kind and evidence, in one line."""
    log: str = ""
    """The end of it, for whoever can read more than signs."""


@cache
def _signs() -> tuple[tuple[str, re.Pattern[str]], ...]:
    found = rows(HERE / "diagnoses.toml", "signs", Sign)
    return tuple((sign.kind, re.compile(sign.pattern, re.MULTILINE)) for sign in found)


def diagnose(log: str, why: str = "") -> Diagnosis:
    """The first sign that the log shows; `why` is what is said when it shows none."""
    text = ESCAPES.sub("", log)
    for kind, pattern in _signs():
        found = pattern.search(text) or pattern.search(why)
        if found:
            name = next((group for group in found.groups() if group), "")
            return Diagnosis(kind=kind, name=name, line=_line(kind, _around(found)), log=text[-3000:])
    last = next((line for line in reversed(text.splitlines()) if line.strip()), "")
    return Diagnosis(line=_line("unknown", f"{why}; {last}" if why else last), log=text[-3000:])


def _around(found: re.Match[str]) -> str:
    start = found.string.rfind("\n", 0, found.start()) + 1
    end = found.string.find("\n", found.end())
    return found.string[start : end if end >= 0 else None]


def _line(kind: str, text: str) -> str:
    return f"{kind}: {' '.join(text.split())}"[:LINE]
