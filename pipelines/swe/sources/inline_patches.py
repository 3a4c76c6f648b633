"""Tests within the source files of a change: told apart from its code, each half as a patch of its own.

The first half leads from the base to the merged code with the base's tests; the second, applied after it, to the
merged file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path

from crucible.domains.code.inline_tests import exchanged, may_hold_tests, tests_of
from pipelines.swe.model import PullRequest
from pipelines.swe.repository.changes import SplitFiles
from pipelines.swe.repository.git import GitFailed
from pipelines.swe.repository.objects import Objects, open_objects

UNQUOTED_PATH = re.compile(r"[\w./+-]+", re.ASCII)
NO_NEWLINE = "\\ No newline at end of file\n"


def split_inline_tests(repo: Path, pull: PullRequest) -> SplitFiles:
    """Both halves of every source file whose own tests the change touches."""
    paths = [file.path for file in pull.files if _may_be_cut(file.path, file.sort, file.status, file.special)]
    if not paths:
        return {}
    with open_objects(repo) as known:
        return dict(_split_files(known, pull, paths))


def _may_be_cut(path: str, sort: str, status: str, special: str) -> bool:
    usual = sort == "source" and status != "deleted" and not special
    return usual and may_hold_tests(path) and bool(UNQUOTED_PATH.fullmatch(path))


def _split_files(known: Objects, pull: PullRequest, paths: list[str]) -> Iterator[tuple[str, tuple[bytes, bytes]]]:
    for path in paths:
        before, after = _read_text(known, pull.base_commit, path), _read_text(known, pull.merge_commit, path)
        if after is None or tests_of(before or "") == tests_of(after):
            continue
        code = exchanged(after, tests_of(before or ""))
        yield path, (_write_patch(path, before, code).encode(), _write_patch(path, code, after).encode())


def _read_text(known: Objects, commit: str, path: str) -> str | None:
    """None for a file that is not there, or is no text."""
    try:
        return known.read(f"{commit}:{path}").decode()
    except (GitFailed, UnicodeDecodeError):
        return None


def _write_patch(path: str, before: str | None, after: str) -> str:
    """As git would write it; empty when nothing differs."""
    old = "/dev/null" if before is None else f"a/{path}"
    lines = list(unified_diff(_lines(before or ""), _lines(after), old, f"b/{path}"))
    if not lines:
        return ""
    head = f"diff --git a/{path} b/{path}\n" + ("new file mode 100644\n" if before is None else "")
    return head + "".join(line if line.endswith("\n") else f"{line}\n{NO_NEWLINE}" for line in lines)


def _lines(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", text)
