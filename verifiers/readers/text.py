"""What frameworks print, made readable: no escapes, no control characters, one kind of line end."""

from __future__ import annotations

import re
from collections.abc import Iterable

from crucible.domains.code.outcomes import FinishedCommand, Status
from verifiers.readers.bad_report import BadReport, check_size

ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
# matches: \x1b[31m (a colour)  \x1b]0;title\x07 (a window's title)
END = re.compile(r"\n== ended with (\d+) ==\n\Z")
# matches: the last line that `commands.toml` puts behind what was printed, "== ended with 1 =="
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
# matches: \x00  \x07, but neither tabs nor line ends


def clean_text(data: bytes | str) -> str:
    """The text as somebody would read it."""
    text = data.decode("utf-8", errors="replace") if isinstance(data, bytes) else data
    return CONTROL.sub("", ESCAPE.sub("", text)).replace("\r\n", "\n").replace("\r", "\n")


def read_whole_text(report: bytes, done: FinishedCommand) -> str:
    """What was printed, once it is known to be all of it: `commands.toml` puts a last line behind it. Otherwise
    BadReport."""
    check_size(report)
    text = clean_text(report)
    end = END.search(text)
    if not end or int(end[1]) != done.code:
        raise BadReport("the text was cut short")
    return text[: end.start()]


def fail_duplicates(pairs: Iterable[tuple[str, Status]]) -> dict[str, Status]:
    """The outcome of each test; one that is named twice has failed. Text can be forged by any test that prints: the
    framework names a test once, and which of two lines is its own cannot be known."""
    outcomes: dict[str, Status] = {}
    for name, status in pairs:
        outcomes[name] = "failed" if name in outcomes else status
    return outcomes
