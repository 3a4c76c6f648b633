"""Tests within the source files of a change, told apart from its code: each half as a patch of its own.

The first half leads from the base to the merged code with the base's tests; the second, applied after it, to the
merged file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path

from crucible.domains.code.inline_tests import extract_tests, may_hold_tests, replace_tests
from pipelines.swe.model import ChangedFile, PullRequest
from pipelines.swe.repository.changes import SplitFiles
from pipelines.swe.repository.git import GitFailed
from pipelines.swe.repository.objects import Objects, open_objects

UNQUOTED_PATH = re.compile(r"[\w./+-]+", re.ASCII)  # matches: src/lib.rs
"""A path that git writes into a patch as it is, without quotes."""
NO_NEWLINE = "\\ No newline at end of file\n"


def split_inline_tests(repo: Path, pull: PullRequest) -> SplitFiles:
    """Both halves of every source file whose own tests the change touches, by path."""
    paths = [file.path for file in pull.files if _may_be_split(file)]
    if not paths:
        return {}
    with open_objects(repo) as objects:
        return dict(_split_files(objects, pull, paths))


def _may_be_split(file: ChangedFile) -> bool:
    is_plain_source = file.sort == "source" and file.status != "deleted" and not file.special
    return is_plain_source and may_hold_tests(file.path) and bool(UNQUOTED_PATH.fullmatch(file.path))


def _split_files(objects: Objects, pull: PullRequest, paths: list[str]) -> Iterator[tuple[str, tuple[bytes, bytes]]]:
    """Path, patch of the code and patch of the tests, of each file whose tests the change touches."""
    for path in paths:
        before, after = _read_text(objects, pull.base_commit, path), _read_text(objects, pull.merge_commit, path)
        if after is None or extract_tests(before or "") == extract_tests(after):
            continue
        code = replace_tests(after, extract_tests(before or ""))
        yield path, (_write_patch(path, before, code).encode(), _write_patch(path, code, after).encode())


def _read_text(objects: Objects, commit: str, path: str) -> str | None:
    """A file's text at a commit; None for a file that is not there, or is no text."""
    try:
        return objects.read(f"{commit}:{path}").decode()
    except (GitFailed, UnicodeDecodeError):
        return None


def _write_patch(path: str, before: str | None, after: str) -> str:
    """The patch from one text of a file to another, as git would write it; empty when nothing differs."""
    old = "/dev/null" if before is None else f"a/{path}"
    lines = list(unified_diff(_split_lines(before or ""), _split_lines(after), old, f"b/{path}"))
    if not lines:
        return ""
    head = f"diff --git a/{path} b/{path}\n" + ("new file mode 100644\n" if before is None else "")
    return head + "".join(line if line.endswith("\n") else f"{line}\n{NO_NEWLINE}" for line in lines)


def _split_lines(text: str) -> list[str]:
    """The lines with their ends. Unlike `splitlines`, git ends a line at a line feed alone."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)  # matches: a line\n
