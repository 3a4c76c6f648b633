"""What a statement says of the answer: commits, links to the change, a diff, lines of the patch. And cutting it out.

A cut is clean when a link, a sentence or a line goes and the rest reads on; what needs more is not cut.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from pipelines.swe.paths import sort_of

HASH = re.compile(r"\b[0-9a-f]{7,40}\b")
LINK = r"https?://[^\s<>()\[\]]+/(?:pull|pulls|commit|commits|compare|merge_requests|pull-requests|tree|blob)/[^\s<>()\[\]]+"
MARKED = re.compile(rf"\[([^\]\n]*)\]\({LINK}\)")
BARE = re.compile(rf"<?{LINK}>?")
NUMBER = re.compile(
    r"\s*\((?:(?:see|fix(?:es|ed)?|clos(?:es|ed)?|resolv(?:es|ed)?|refs?) )?(?:[\w./-]*[#!]\d+(?:, )?)+\)",
    re.IGNORECASE,
)
CLOSES = re.compile(
    r"^\W*(?:fix(?:e[sd])?|clos(?:e[sd]?)|resolv(?:e[sd]?)|refs?|see|part of|related to|addresses)\W+"
    r"(?:(?:issue|pr|pull request) )?(?:[\w./-]*[#!]\d+|https?://\S+)(?:(?:,| and) *[\w./-]*[#!]\d+)*\W*$",
    re.IGNORECASE | re.MULTILINE,
)
SENTENCE = re.compile(r"(?<=[.!?])[ \t]+")
FENCED = re.compile(r"^(?:```|~~~)(?:diff|patch)\b.*?^(?:```|~~~)[ \t]*$", re.MULTILINE | re.DOTALL)
DIFF = re.compile(r"^(?:diff --git |@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@|Index: \S+$)", re.MULTILINE)
MARKS = re.compile(r"^\s*[-+*>]+\s")
SPAN = re.compile(r"`+([^`]+)`+")
CODE = re.compile(r"[=(){}\[\];]|\b(?:return|raise|import|def|if|for|else)\b")
SHORTEST = 24
"""Fewer characters than this are no line by which one would know the change."""


def cut(text: str, commits: Sequence[str], patch: str) -> str:
    """The statement without what can be cut clean out of it."""
    text = FENCED.sub("", text)
    shown = set(shown_lines(text, patch))
    return without_links("\n".join(_kept(text.splitlines(), lambda part: bool(shown & _quoted(part)))), commits)


def without_links(text: str, commits: Sequence[str]) -> str:
    """The text without sentences that name a commit of the change, and without links to changes."""
    text = BARE.sub("", MARKED.sub(r"\1", CLOSES.sub("", text)))
    lines = _kept(NUMBER.sub("", text).splitlines(), lambda part: bool(named(part, commits)))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(line.rstrip() for line in lines)).strip()


def links(text: str, commits: Sequence[str]) -> bool:
    """Whether a text names a commit of the change, or links to a change. The number of an issue is neither."""
    return bool(BARE.search(text) or named(text, commits))


def _kept(lines: Iterable[str], tells: Callable[[str], bool]) -> Iterator[str]:
    """The lines, and of a line that tells the answer the sentences that do not."""
    for line in lines:
        yield " ".join(part for part in SENTENCE.split(line) if not tells(part)) if tells(line) else line


def named(text: str, commits: Sequence[str]) -> list[str]:
    """The hashes in a text that are commits of the change, or whole hashes of any commit."""
    found = HASH.findall(text.lower())
    return [one for one in found if len(one) == 40 or any(commit.startswith(one) for commit in commits)]


def holds_diff(text: str) -> bool:
    """Whether a diff is left that is not fenced off from the rest."""
    return bool(DIFF.search(FENCED.sub("", text)))


def shown_lines(text: str, patch: str) -> list[str]:
    """Lines of the statement that the change adds as code. Documentation in a patch may repeat the statement."""
    lines = {one for line in text.splitlines() for one in _quoted(line) if len(one) >= SHORTEST}
    return list(
        dict.fromkeys(line for line in map(str.strip, added_code(patch)) if line in lines and CODE.search(line))
    )


def _quoted(line: str) -> set[str]:
    """What a line may show as code: all of it but the marks that lists, quotations and diffs put first, or what it sets
    off."""
    return {MARKS.sub("", line).strip(), line.strip(), *map(str.strip, SPAN.findall(line))}


def added_code(patch: str) -> Iterator[str]:
    """The lines that a patch adds to source files."""
    code = False
    for line in patch.splitlines():
        if line.startswith("+++ "):
            code = sort_of(line[6:].strip('"')) == "source"
        elif code and line.startswith("+"):
            yield line[1:]
