"""What frameworks print, made readable: no escapes, no control characters, one kind of line end."""

from __future__ import annotations

import re
from collections.abc import Iterable

from crucible.domains.code.suite import Status
from crucible.sandbox import Done
from verifiers.runners.junit import LARGEST, BadReport

ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
END = re.compile(r"\n== ended with (\d+) ==\n\Z")
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def clean(data: bytes | str) -> str:
    """The text as somebody would read it."""
    text = data.decode("utf-8", errors="replace") if isinstance(data, bytes) else data
    return CONTROL.sub("", ESCAPE.sub("", text)).replace("\r\n", "\n").replace("\r", "\n")


def ended(report: bytes, done: Done) -> str:
    """What was printed, once it is known to be all of it: `commands.toml` puts a last line behind it."""
    if not report or len(report) > LARGEST:
        raise BadReport("the report is too large" if report else "no report was written")
    text = clean(report)
    end = END.search(text)
    if not end or int(end[1]) != done.code:
        raise BadReport("the text was cut short")
    return text[: end.start()]


def once(found: Iterable[tuple[str, Status]]) -> dict[str, Status]:
    """Text can be forged by any test that prints, so a test that is named twice has failed: the framework names it
    once, and which of the two lines is its own cannot be known."""
    outcomes: dict[str, Status] = {}
    for name, status in found:
        outcomes[name] = "failed" if name in outcomes else status
    return outcomes
