"""The test files of a pull request, as they are once it is merged: what is laid over a tree before it is tested."""

from __future__ import annotations

from pathlib import PurePosixPath

from crucible.errors import Rejected
from pipelines.swe import origins, trees
from pipelines.swe.model import Overlay, PullRequest


def overlay(pull: PullRequest) -> Overlay:
    """The tests that the change touches, with every conftest they may need."""
    touched = {file.path for file in pull.files if file.sort == "test"}
    with origins.opened(pull.origin) as repo:
        found = trees.entries(repo, pull.merge_commit)
        chosen = [entry for entry in found if entry.path in touched or _is_conftest(entry.path)]
        tests = {entry.path: _text(entry, data) for entry, data in trees.contents(repo, chosen)}
    return Overlay(tests=tests, deleted=tuple(sorted(touched - tests.keys())))


def _is_conftest(path: str) -> bool:
    return PurePosixPath(path).name == "conftest.py"


def _text(entry: trees.Entry, data: bytes) -> str:
    if entry.mode == trees.LINK:
        raise Rejected("tests_not_text", f"{entry.path} is a symbolic link")
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise Rejected("tests_not_text", f"{entry.path} is not UTF-8") from None
