"""What a statement says of the answer, and cutting it out. Pure.

Commits, links to the change, a diff, lines of the patch; sections that tell how the change was made, or tested.
A cut is clean when a link, a sentence, a line or a section goes and the rest reads on; what needs more is not cut.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from crucible.datafile import read_file
from crucible.record import Record
from pipelines.swe.statements.patch_files import read_patch

HERE = Path(__file__).parent

HASH = re.compile(r"\b[0-9a-f]{7,40}\b")
# matches: 1f0c9ae
LINK = r"https?://[^\s<>()\[\]]+/(?:pull|pulls|commit|commits|compare|merge_requests|pull-requests|tree|blob)/[^\s<>()\[\]]+"
# matches: https://github.com/owner/name/pull/12
MARKDOWN_LINK = re.compile(rf"\[([^\]\n]*)\]\({LINK}\)")
# matches: [the fix](https://github.com/owner/name/pull/12)
BARE_LINK = re.compile(rf"<?{LINK}>?")
# matches: <https://github.com/owner/name/commit/1f0c9ae>
ISSUE_IN_BRACKETS = re.compile(
    r"\s*\((?:(?:see|fix(?:es|ed)?|clos(?:es|ed)?|resolv(?:es|ed)?|refs?) )?(?:[\w./-]*[#!]\d+(?:, )?)+\)",
    re.IGNORECASE,
)
# matches: (fixes #12, owner/name#13)
CLOSING_LINE = re.compile(
    r"^\W*(?:fix(?:e[sd])?|clos(?:e[sd]?)|resolv(?:e[sd]?)|refs?|see|part of|related to|addresses)\W+"
    r"(?:(?:issue|pr|pull request) )?(?:[\w./-]*[#!]\d+|https?://\S+)(?:(?:,| and) *[\w./-]*[#!]\d+)*\W*$",
    re.IGNORECASE | re.MULTILINE,
)
# matches: Fixes #12 and #13.
SENTENCE_END = re.compile(r"(?<=[.!?])[ \t]+")
# matches the blank in: It panics. The cause is known
FENCED_DIFF = re.compile(r"^(?:```|~~~)(?:diff|patch)\b.*?^(?:```|~~~)[ \t]*$", re.MULTILINE | re.DOTALL)
# matches: ```diff\n-old\n+new\n```
DIFF = re.compile(r"^(?:diff --git |@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@|Index: \S+$)", re.MULTILINE)
# matches: @@ -1,2 +1,3 @@
LIST_MARKS = re.compile(r"^\s*[-+*>]+\s")
# matches the first two signs of: - a point
CODE_SPAN = re.compile(r"`+([^`]+)`+")
# matches: `return halve(n)`
CODE_SIGN = re.compile(r"[=(){}\[\];]|\b(?:return|raise|import|def|if|for|else)\b")
# matches the brackets in: halve(n)
PATCH_LINE_CHARS = 24
"""A shorter line is none by which one would know the change."""
HEADING = re.compile(
    r"^(?P<marks>#{1,6})[ \t]+(?P<hashed>.+?)[ \t:#]*$"
    r"|^\*\*(?P<bold>[^*\n]+?):?\*\*:?[ \t]*$|^(?P<plain>[A-Z][\w ]{2,40}):[ \t]*$"
)
# matches: ## Root cause    **Solution:**    Tests:
BOLD_RANK = 7
"""The rank of a heading in bold: below those with marks, which have 1 to 6."""
PLAIN_RANK = 8
"""The rank of a plain line that ends with a colon: it heads no more than its paragraph."""
FENCE = re.compile(r"^\s*(?:```|~~~)")
# matches: ```python
SENTENCE = r"(?:(?<=[.!?])[ \t\n]+|^)(?:{starts})\b(?:[^.!?\n]|\n(?!\n)|[.!?](?![\s]|$))*(?:[.!?](?=\s|$)|$)"
# matches, with the starts of `sections.toml`: The fix is to\nread build.go first.
BLANK_LINES = re.compile(r"\n{3,}")
# matches: \n\n\n


class SectionRules(Record):
    """`sections.toml`."""

    always: tuple[str, ...]
    fixes: tuple[str, ...]
    starts: tuple[str, ...]


def cut_answer(text: str, commits: Sequence[str], patch: str) -> str:
    """The statement without diffs, lines of the change, its commits and links to it, where they can be cut clean."""
    text = FENCED_DIFF.sub("", text)
    shown = set(find_patch_lines(text, patch))
    lines = _drop_sentences(text.splitlines(), lambda part: bool(shown & _possible_code(part)))
    return remove_links("\n".join(lines), commits)


def remove_links(text: str, commits: Sequence[str]) -> str:
    """The text without sentences that name a commit of the change, and without links to changes."""
    text = BARE_LINK.sub("", MARKDOWN_LINK.sub(r"\1", CLOSING_LINE.sub("", text)))
    lines = _drop_sentences(
        ISSUE_IN_BRACKETS.sub("", text).splitlines(), lambda part: bool(find_commits(part, commits))
    )
    return BLANK_LINES.sub("\n\n", "\n".join(line.rstrip() for line in lines)).strip()


def has_links(text: str, commits: Sequence[str]) -> bool:
    """Whether a text names a commit of the change, or links to a change. The number of an issue is neither."""
    return bool(BARE_LINK.search(text) or find_commits(text, commits))


def find_commits(text: str, commits: Sequence[str]) -> list[str]:
    """The hashes in a text that are commits of the change, or whole hashes of any commit."""
    hashes = HASH.findall(text.lower())
    return [hash for hash in hashes if len(hash) == 40 or any(commit.startswith(hash) for commit in commits)]


def holds_diff(text: str) -> bool:
    """Whether the text holds a diff that is not fenced off from the rest."""
    return bool(DIFF.search(FENCED_DIFF.sub("", text)))


def find_patch_lines(text: str, patch: str) -> list[str]:
    """Lines of the statement that the change adds as code. Documentation in a patch may repeat the statement."""
    shown = {code for line in text.splitlines() for code in _possible_code(line) if len(code) >= PATCH_LINE_CHARS}
    return list(dict.fromkeys(line for line in _added_code(patch) if line in shown and CODE_SIGN.search(line)))


def find_leak(text: str, commits: Sequence[str], patch: str) -> str:
    """What a statement still says of the answer, in words; empty where it says nothing of it."""
    if holds_diff(text):
        return "a diff"
    if hashes := find_commits(text, commits):
        return f"the commit {hashes[0]}"
    shown = find_patch_lines(text, patch)
    return shown[0] if shown else ""


def shows_change(sentence: str, commits: Sequence[str], patch: str) -> bool:
    """Whether a sentence names the change, or has a line of its code anywhere within."""
    if find_leak(sentence, commits, patch):
        return True
    return any(len(line) >= PATCH_LINE_CHARS and line in sentence for line in _added_code(patch))


def cut_sections(text: str, *, is_fix: bool) -> str:
    """The statement without sections and sentences that tell how the change was made, or tested. Its first line is its
    title and stays. What a feature consists of is often said under `Changes`, which only goes from a fix."""
    title, _, body = text.partition("\n")
    kept = "\n".join(_drop_sections(body.split("\n"), is_fix))
    starts = "|".join(_section_rules().starts).replace(" ", r"\s+")
    kept = re.sub(SENTENCE.replace("{starts}", starts), "", kept, flags=re.MULTILINE)
    return BLANK_LINES.sub("\n\n", f"{title}\n{kept}").strip()


def _drop_sentences(lines: Iterable[str], gives_away: Callable[[str], bool]) -> Iterator[str]:
    """The lines; of one that gives the answer away, the sentences that do not."""
    for line in lines:
        parts = SENTENCE_END.split(line)
        yield " ".join(part for part in parts if not gives_away(part)) if gives_away(line) else line


def _possible_code(line: str) -> set[str]:
    """What a line may show as code: all of it, with or without the marks that lists, quotations and diffs put first,
    and whatever it sets off by backticks."""
    return {LIST_MARKS.sub("", line).strip(), line.strip(), *map(str.strip, CODE_SPAN.findall(line))}


def _added_code(patch: str) -> list[str]:
    """The lines that a patch adds to source files, without their indentation."""
    return [line.strip() for file in read_patch(patch) if file.sort == "source" for line in file.added]


@cache
def _section_rules() -> SectionRules:
    return read_file(HERE / "sections.toml", SectionRules)


@cache
def _cut_titles(is_fix: bool) -> re.Pattern[str]:
    """The titles of the sections that are cut."""
    rules = _section_rules()
    return re.compile("|".join((*rules.always, *(rules.fixes if is_fix else ()))), re.IGNORECASE)


def _drop_sections(lines: list[str], is_fix: bool) -> Iterator[str]:
    """The lines that are in no section to be cut. One ends with the next heading of its rank; under a plain line, with
    its paragraph."""
    cut_rank, is_fenced = 0, False
    for place, line in enumerate(lines):
        heading = None if is_fenced else HEADING.match(line)
        is_fenced ^= bool(FENCE.match(line))
        if heading and (not cut_rank or _rank(heading) <= cut_rank):
            title = re.sub(r"^\W+|\W+$", "", heading["hashed"] or heading["bold"] or heading["plain"])
            # matches the signs around the words of: ** Root cause? **
            cut_rank = _rank(heading) if _cut_titles(is_fix).fullmatch(title) else 0
        elif cut_rank == PLAIN_RANK and not line.strip() and not HEADING.match(lines[place - 1]):
            cut_rank = 0
        if not cut_rank:
            yield line


def _rank(heading: re.Match[str]) -> int:
    """How high a heading stands; 1 is the highest."""
    return len(heading["marks"]) if heading["marks"] else BOLD_RANK if heading["bold"] else PLAIN_RANK
