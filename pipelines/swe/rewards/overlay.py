"""The test files of a pull request, as they are once it is merged: what is laid over a tree before it is tested."""

from __future__ import annotations

import base64
from pathlib import PurePosixPath

from crucible.errors import Rejected
from pipelines.swe.model import Overlay, PullRequest
from pipelines.swe.repository import origins, trees
from pipelines.swe.repository.git import is_text

LARGEST_BINARY = 1 << 20
"""Bytes: a larger test file that is no text is not carried along with a task."""


def overlay_of(pull: PullRequest) -> Overlay:
    """The test files that the change touches, with every conftest they may need."""
    touched = {file.path for file in pull.files if file.sort == "test"}
    within = {file.path for file in pull.files if file.holds_tests}
    with origins.open_repository(pull.origin) as repo:
        chosen = [
            entry
            for entry in trees.entries(repo, pull.merge_commit)
            if entry.path in touched | within or PurePosixPath(entry.path).name == "conftest.py"
        ]
        files = {entry.path: _require_plain(entry, data) for entry, data in trees.read_contents(repo, chosen)}
    tests = {path: data for path, data in files.items() if path not in within}
    return Overlay(
        tests={path: data.decode() for path, data in tests.items() if is_text(data)},
        data={path: base64.b64encode(data).decode() for path, data in tests.items() if not is_text(data)},
        inline={path: files[path].decode() for path in sorted(within)},
        deleted=tuple(sorted(touched - files.keys())),
    )


def _require_plain(entry: trees.Entry, data: bytes) -> bytes:
    """A test file's content. Rejected where it is a symbolic link, or binary and large."""
    if entry.mode == trees.LINK:
        raise Rejected("tests_not_text", f"{entry.path} is a symbolic link")
    if len(data) > LARGEST_BINARY and not is_text(data):
        raise Rejected(
            "tests_not_text", f"{entry.path} has {len(data)} bytes that are no text, at most {LARGEST_BINARY}"
        )
    return data
