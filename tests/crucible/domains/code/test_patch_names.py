from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from crucible.domains.code.patches import changes
from verifiers.attempt_diff import added_lines, touched_paths

NAMES = (
    "x b/changed",
    "x b/mode",
    "x b/gone",
    "x b/binary",
    "x b/new",
    "x b/empty",
    "caf\u00e9 b/z",
    "conftest b",
    'q" b/z',
)


@pytest.fixture
def patch(tmp_path: Path) -> str:
    """A patch of files that all have ` b/` in their names or nearly so."""

    def git(*arguments: str) -> str:
        who = ("-c", "user.name=a", "-c", "user.email=a@b.c")
        return subprocess.run(
            ["git", *who, *arguments], cwd=tmp_path, check=True, capture_output=True, text=True
        ).stdout

    git("init", "-q", ".")
    for name in NAMES[:4]:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"\0\n" if name == "x b/binary" else b"1\n")
    git("add", "-A")
    git("commit", "-qm", "base")
    (tmp_path / NAMES[0]).write_text("1\ndiff --git a/q b/q b/q b/q\n")
    (tmp_path / NAMES[1]).chmod(0o755)
    (tmp_path / NAMES[2]).unlink()
    (tmp_path / NAMES[3]).write_bytes(b"\0\0")
    for name in NAMES[4:]:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("" if name == "x b/empty" else "new\n")
    git("add", "-A")
    return git("diff", "--cached", "--binary", "--no-renames", "HEAD")


def test_paths_with_b_slash_in_them_are_read_whole(patch: str) -> None:
    assert touched_paths(patch.encode()) == tuple(sorted(NAMES))
    assert {change.path for change in changes(patch)} >= set(NAMES[:6])


def test_a_line_that_looks_like_a_first_line_is_only_content(patch: str) -> None:
    texts = {line.path: line.text for line in added_lines(patch.encode())}
    assert texts["x b/changed"] == "diff --git a/q b/q b/q b/q"
    assert texts["caf\u00e9 b/z"] == "new"
