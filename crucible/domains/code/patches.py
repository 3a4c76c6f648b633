"""A patch as data: which lines of which file it adds and removes, and which names it brings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from unidiff.errors import UnidiffParseError
from unidiff.patch import PatchSet

from crucible.domains.code.definitions import defined_names, is_public
from crucible.domains.code.patch_names import escape_names, unescape_name
from crucible.errors import Rejected
from crucible.record import Record

BETWEEN = re.compile(r"\s*(?:(?:#|//|@).*|/?\*(?:[ */].*)?|[})\];,]*|end)")
# matches (the whole line): "  # a comment"  "@decorated"  " * more of it"  "});"  "end"  ""
"""A line that says nothing of the definition above it: empty, a bracket, a comment, or over the next one."""


SMALLEST_MOVE_LINES = 5
"""A patch that adds fewer lines says nothing of code that moved."""


class FileChange(Record):
    """What a patch does to one file: line numbers with their text."""

    path: str
    new: bool = False
    gone: bool = False
    added: tuple[tuple[int, str], ...] = ()
    removed: tuple[tuple[int, str], ...] = ()
    hunks: int = 0

    @property
    def names_added(self) -> set[str]:
        """Names that are defined by an added line and were by no removed one."""
        return defined_names(self.path, _texts(self.added)) - defined_names(self.path, _texts(self.removed))

    @property
    def names_removed(self) -> set[str]:
        """Names that are defined by a removed line and are by no added one."""
        return defined_names(self.path, _texts(self.removed)) - defined_names(self.path, _texts(self.added))


def changes(patch: str) -> list[FileChange]:
    """What a git patch does, file by file. Rejected when it cannot be parsed."""
    try:
        files = PatchSet(escape_names(patch))
    except UnidiffParseError as broken:
        raise Rejected("patch_unreadable", str(broken)[:300]) from broken
    return [
        FileChange(
            path=unescape_name(file.path),
            new=file.is_added_file,
            gone=file.is_removed_file,
            added=tuple((line.target_line_no or 0, _text(line.value)) for h in file for line in h if line.is_added),
            removed=tuple((line.source_line_no or 0, _text(line.value)) for h in file for line in h if line.is_removed),
            hunks=len(file),
        )
        for file in files
    ]


def apply_change(text: str, change: FileChange) -> str:
    """A file as the change leaves it."""
    removed = {number for number, _ in change.removed}
    lines = [line for number, line in enumerate(text.split("\n"), start=1) if number not in removed]
    for number, line in change.added:
        lines.insert(number - 1, line)
    return "\n".join(lines)


PROGRAM_SUFFIXES = (".c", ".cc", ".cpp", ".cxx")
"""Files that may be a whole test program."""


def rewritten_names(patch: str, files: Mapping[str, str]) -> frozenset[str]:
    """Names of the definitions that the patch adds a line to; `files` are as the patch leaves them. What stands between
    two definitions is no line of the first. A test in C may be a whole program, called by its file."""
    rewritten: set[str] = set()
    for change in changes(patch):
        added = {number for number, _ in change.added}
        file = PurePosixPath(change.path)
        rewritten |= {file.stem} if added and file.suffix in PROGRAM_SUFFIXES else set()
        lines = files.get(change.path, "").splitlines()
        for number, (line, within) in enumerate(zip(lines, _owning_names(change.path, lines), strict=True), start=1):
            rewritten |= within if number in added and not BETWEEN.fullmatch(line) else set()
    return frozenset(rewritten)


def _owning_names(path: str, lines: Iterable[str]) -> Iterator[set[str]]:
    """To which definitions each line belongs: the last one above it, until its bracket is closed and a word follows,
    and those within that one which are not left yet."""
    within: set[str] = set()
    indent, closed = "", False
    inner: dict[str, set[str]] = {}
    for line in lines:
        depth = line[: len(line) - len(line.lstrip())]
        inner = {start: inside for start, inside in inner.items() if not line.strip() or _is_inside(line, start)}
        own = defined_names(path, [line])
        if own and within and not closed and len(depth) > len(indent):
            inner[depth] = own
        elif own:
            within, indent, closed, inner = own, depth, False, {}
        elif closed and re.match(rf"{indent}\w", line):
            within, closed = set(), False
        elif not BETWEEN.fullmatch(line) or line.rstrip() == f"{indent}}}":
            closed = line.rstrip() == f"{indent}}}"
        yield within.union(*inner.values())


def _is_inside(line: str, indent: str) -> bool:
    """Whether a line is deeper than what begins with this indent, or closes it."""
    depth = len(line) - len(line.lstrip())
    return depth > len(indent) or (depth == len(indent) and line.lstrip()[0] in "})]")


def new_names(patch: str) -> set[str]:
    """Public names that the patch defines and no part of it took away: moving a name does not make it new."""
    files = changes(patch)
    removed = {name for file in files for name in file.names_removed}
    return {name for file in files for name in file.names_added if is_public(name)} - removed


def moved_share(patch: str) -> float:
    """How much of what the patch adds it also takes away somewhere: code that moved. 0 for a small patch."""
    files = changes(patch)
    added = [text.strip() for file in files for _, text in file.added if len(text.strip()) > 3]
    removed = {text.strip() for file in files for _, text in file.removed}
    return sum(text in removed for text in added) / len(added) if len(added) >= SMALLEST_MOVE_LINES else 0.0


def _texts(lines: Iterable[tuple[int, str]]) -> list[str]:
    return [text for _, text in lines]


def _text(value: str) -> str:
    return value.rstrip("\r\n")
