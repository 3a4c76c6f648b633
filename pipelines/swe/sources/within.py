"""Tests within the source files of a change: told apart from its code, each half as a patch of its own.

The first half leads from the base to the merged code with the base's tests; the second, applied after it, to the
merged file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path

from crucible.domains.code.inline_tests import extract_tests, may_hold_tests, replace_tests
from pipelines.swe.model import PullRequest
from pipelines.swe.repository.changes import Halves
from pipelines.swe.repository.git import GitFailed
from pipelines.swe.repository.objects import Objects, objects

PLAIN = re.compile(r"[\w./+-]+", re.ASCII)
LAST = "\\ No newline at end of file\n"


def halves(repo: Path, pull: PullRequest) -> Halves:
    """Both halves of every source file whose own tests the change touches."""
    paths = [file.path for file in pull.files if _may_be_cut(file.path, file.sort, file.status, file.special)]
    if not paths:
        return {}
    with objects(repo) as known:
        return dict(_cut(known, pull, paths))


def _may_be_cut(path: str, sort: str, status: str, special: str) -> bool:
    usual = sort == "source" and status != "deleted" and not special
    return usual and may_hold_tests(path) and bool(PLAIN.fullmatch(path))


def _cut(known: Objects, pull: PullRequest, paths: list[str]) -> Iterator[tuple[str, tuple[bytes, bytes]]]:
    for path in paths:
        before, after = _text(known, pull.base_commit, path), _text(known, pull.merge_commit, path)
        if after is None or extract_tests(before or "") == extract_tests(after):
            continue
        code = replace_tests(after, extract_tests(before or ""))
        yield path, (_patch(path, before, code).encode(), _patch(path, code, after).encode())


def _text(known: Objects, commit: str, path: str) -> str | None:
    """None for a file that is not there, or is no text."""
    try:
        return known.read(f"{commit}:{path}").decode()
    except (GitFailed, UnicodeDecodeError):
        return None


def _patch(path: str, before: str | None, after: str) -> str:
    """As git would write it; empty when nothing differs."""
    old = "/dev/null" if before is None else f"a/{path}"
    lines = list(unified_diff(_lines(before or ""), _lines(after), old, f"b/{path}"))
    if not lines:
        return ""
    head = f"diff --git a/{path} b/{path}\n" + ("new file mode 100644\n" if before is None else "")
    return head + "".join(line if line.endswith("\n") else f"{line}\n{LAST}" for line in lines)


def _lines(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", text)
