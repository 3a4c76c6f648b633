"""The test files of a pull request, as they are once it is merged: what is laid over a tree before it is tested."""

from __future__ import annotations

import base64
from pathlib import PurePosixPath

from crucible.errors import Rejected
from pipelines.swe.model import Overlay, PullRequest
from pipelines.swe.repository import origins, trees
from pipelines.swe.repository.git import is_text

LARGEST = 1 << 20
"""A test file of more bytes that is no text is not carried along with a task."""


def overlay(pull: PullRequest) -> Overlay:
    """The tests that the change touches, with every conftest they may need."""
    touched = {file.path for file in pull.files if file.sort == "test"}
    within = {file.path for file in pull.files if file.holds_tests}
    with origins.open_repository(pull.origin) as repo:
        found = trees.entries(repo, pull.merge_commit)
        chosen = [entry for entry in found if entry.path in touched | within or _is_conftest(entry.path)]
        files = {entry.path: _plain(entry, data) for entry, data in trees.read_contents(repo, chosen)}
    tests = {path: data for path, data in files.items() if path not in within}
    return Overlay(
        tests={path: data.decode() for path, data in tests.items() if is_text(data)},
        data={path: base64.b64encode(data).decode() for path, data in tests.items() if not is_text(data)},
        inline={path: files[path].decode() for path in sorted(within)},
        deleted=tuple(sorted(touched - files.keys())),
    )


def _is_conftest(path: str) -> bool:
    return PurePosixPath(path).name == "conftest.py"


def _plain(entry: trees.Entry, data: bytes) -> bytes:
    if entry.mode == trees.LINK:
        raise Rejected("tests_not_text", f"{entry.path} is a symbolic link")
    if len(data) > LARGEST and not is_text(data):
        raise Rejected("tests_not_text", f"{entry.path} has {len(data)} bytes that are no text, at most {LARGEST}")
    return data
