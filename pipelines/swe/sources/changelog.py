"""The entry that a change adds to the project's changelog: statement material where the text is short."""

from __future__ import annotations

import re
from collections.abc import Iterator

from crucible.domains.code.patches import changes
from crucible.errors import Rejected
from pipelines.swe.model import PullRequest
from pipelines.swe.paths import is_changelog
from pipelines.swe.statements.leaks import remove_links

COMPLETE_STATEMENT_CHARS = 200
"""A statement of so many characters needs no help from the changelog."""
MAX_ENTRY_CHARS = 1500
"""A longer entry is about more than one change."""
HEADING = re.compile(
    r"#{1,4} .*|[=~^\"'-]{3,}|[`\[]?v?\d+(?:\.\d+)+\b.*|.*\b(?:unreleased|in development)\b.*", re.IGNORECASE
)
# matches: ## Fixed  -----  [1.2.0] - 2024-01-05  Unreleased
CREDIT = re.compile(
    r"[\s(\[]*(?:(?:by|thanks(?: to)?)\W+)?(?:@[\w-]+|\[@[\w-]+\](?:\([^)]*\))?)[\s)\].]*$", re.IGNORECASE
)
# matches the end of: Find phrases (thanks to @ada)  Find phrases by [@ada](https://example.org/ada)
REFERENCE = re.compile(
    r":(?:pr|issue|gh|pull):`[^`]*`|(?:\bin )?`(?:#\d+|GHSA-[\w-]+) <[^>]+>`__?"
    r"|\[#\d+\](?:\([^)]*\)|\[[^\]]*\])?|\(?#\d+\)?",
    re.IGNORECASE,
)
# matches: :issue:`12`  in `#12 <https://example.org/12>`_  [#12](https://example.org/12)  (#12)


def with_changelog(pull: PullRequest) -> PullRequest:
    """The pull request with its changelog entry, if it needs one and has one."""
    if len(pull.statement) >= COMPLETE_STATEMENT_CHARS:
        return pull
    entry = "\n".join(_entry_lines(pull.patch)).strip()
    entry = remove_links(entry, pull.commits)
    if not entry or len(entry) > MAX_ENTRY_CHARS or entry.lower() in pull.statement.lower():
        return pull
    return pull.model_copy(update={"changelog": entry})


def _entry_lines(patch: str) -> Iterator[str]:
    """The lines that a patch adds to changelogs, without headings, numbers and thanks; none of a patch that cannot be
    read."""
    try:
        files = changes(patch)
    except Rejected:
        return
    for line in (line for file in files if is_changelog(file.path) for _, line in file.added):
        if not HEADING.fullmatch(line.strip()):
            yield CREDIT.sub("", REFERENCE.sub("", line.rstrip())).rstrip(" -–(")
