"""The patches of a change as the statement stage reads them: file by file, every line with its sign. Pure.

`crucible.domains.code.patches.changes` numbers added and removed lines; here their order counts, and so do the lines
around them and the headings of hunks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from crucible.domains.code.languages import LinePatterns, line_patterns
from pipelines.swe.model import Sort
from pipelines.swe.paths import sort_of


class PatchFile(NamedTuple):
    """One file of a patch."""

    path: str
    """Empty where the patch deletes the file."""
    sort: Sort
    language: LinePatterns | None
    is_new: bool
    lines: Sequence[str]
    """Everything up to the next file's `+++` line, as it stands in the patch."""

    @property
    def added(self) -> list[str]:
        """The lines that the patch adds, without their sign."""
        return [line[1:] for line in self.lines if line.startswith("+")]


class ChangedTests(NamedTuple):
    """The tests of a change."""

    failing: Sequence[str]
    """The names of those that fail without the change and pass with it."""
    sources: Mapping[str, str]
    """Their files as the change leaves them, by path."""
    patch: str
    files: Sequence[PatchFile]
    """The patch, file by file."""

    @property
    def added(self) -> list[str]:
        """The lines that the change adds to its tests."""
        return [line for file in self.files for line in file.added]


def read_patch(patch: str) -> list[PatchFile]:
    """The files that a patch changes."""
    lines = patch.splitlines()
    heads = [place for place, line in enumerate(lines) if line.startswith("+++ ")]
    files = []
    for head, end in pairwise([*heads, len(lines)]):
        name = lines[head][len("+++ ") :].strip('"')
        path = "" if name == "/dev/null" else name.removeprefix("b/")
        is_new = head > 0 and lines[head - 1] == "--- /dev/null"
        files.append(PatchFile(path, sort_of(path), line_patterns(path), is_new, lines[head + 1 : end]))
    return files


def read_tests(failing: Sequence[str], sources: Mapping[str, str], patch: str) -> ChangedTests:
    """The tests of a change, with their patch taken apart."""
    return ChangedTests(failing, sources, patch, read_patch(patch))
