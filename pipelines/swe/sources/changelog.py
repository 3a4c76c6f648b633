"""The entry that a change adds to the project's changelog: statement material where the text is short."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pipelines.swe.model import PullRequest
from pipelines.swe.paths import is_changelog
from pipelines.swe.statements.leaks import without_links

COMPLETE_STATEMENT_CHARS = 200
"""A text of so many characters needs no help."""
MAX_ENTRY_CHARS = 1500
HEADING = re.compile(
    r"#{1,4} .*|[=~^\"'-]{3,}|[`\[]?v?\d+(?:\.\d+)+\b.*|.*\b(?:unreleased|in development)\b.*", re.IGNORECASE
)
CREDIT = re.compile(
    r"[\s(\[]*(?:(?:by|thanks(?: to)?)\W+)?(?:@[\w-]+|\[@[\w-]+\](?:\([^)]*\))?)[\s)\].]*$", re.IGNORECASE
)
REFERENCE = re.compile(
    r":(?:pr|issue|gh|pull):`[^`]*`|(?:\bin )?`(?:#\d+|GHSA-[\w-]+) <[^>]+>`__?"
    r"|\[#\d+\](?:\([^)]*\)|\[[^\]]*\])?|\(?#\d+\)?",
    re.IGNORECASE,
)


def with_changelog(pull: PullRequest) -> PullRequest:
    """The pull request with its changelog entry, if it needs one and has one."""
    if len(pull.statement) >= COMPLETE_STATEMENT_CHARS:
        return pull
    entry = "\n".join(_entry_lines(pull.patch)).strip()
    entry = without_links(entry, pull.commits)
    if not entry or len(entry) > MAX_ENTRY_CHARS or entry.lower() in pull.statement.lower():
        return pull
    return pull.model_copy(update={"changelog": entry})


def _entry_lines(patch: str) -> Iterator[str]:
    """What is added to changelogs, without headings, numbers and thanks."""
    inside = False
    for line in patch.splitlines():
        if line.startswith("+++ "):
            inside = is_changelog(line[6:].strip('"'))
        elif inside and line.startswith("+") and not HEADING.fullmatch(line[1:].strip()):
            yield CREDIT.sub("", REFERENCE.sub("", line[1:].rstrip())).rstrip(" -–(")
