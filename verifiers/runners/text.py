"""What frameworks print, made readable: no escapes, no control characters, one kind of line end."""

from __future__ import annotations

import re
from collections.abc import Iterable

from crucible.suites import Status

ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def clean(data: bytes | str) -> str:
    """The text as somebody would read it."""
    text = data.decode("utf-8", errors="replace") if isinstance(data, bytes) else data
    return CONTROL.sub("", ESCAPE.sub("", text)).replace("\r\n", "\n").replace("\r", "\n")


def once(found: Iterable[tuple[str, Status]]) -> dict[str, Status]:
    """Text can be forged by any test that prints, so a test that is named twice has failed: the framework names it
    once, and which of the two lines is its own cannot be known."""
    outcomes: dict[str, Status] = {}
    for name, status in found:
        outcomes[name] = "failed" if name in outcomes else status
    return outcomes
