"""Commands that work on lines which nobody sees: what another command reports, or numbers put there on the way."""

from __future__ import annotations

import re

from pipelines.terminal.commands.shell import Called, piped_calls

NUMBERED = re.compile(r"\b(?:nl|cat)\b.*\bsort\b.*\bcut$")  # matches: nl | sort | uniq | sort | cut
PICKERS = ("awk", "gawk", "mawk", "cut", "sed", "tr")
REPORTS = {
    "diff": (*PICKERS, "grep"),
    **dict.fromkeys(("git", "wc", "stat", "du", "file", "factor", "cksum", "md5sum", "sha1sum", "sha256sum"), PICKERS),
}
"""Commands that report on what they look at, each with those that take something out of such a report."""


def unseen_calls(text: str) -> list[Called]:
    """The commands of a script that take something out of such lines. To tell what they take would be to tell of lines
    that are not there, and what they look for is in no file."""
    unseen: list[Called] = []
    for calls in piped_calls(text):
        names = [call.name for call in calls]
        if NUMBERED.search(" | ".join(names)):
            unseen += [call for call in calls if call.name in ("sort", "cut", "uniq")]
        for place, name in enumerate(names):
            takers = REPORTS.get(name, ())
            unseen += [call for call in calls[place + 1 :] if call.name in takers]
    return unseen
