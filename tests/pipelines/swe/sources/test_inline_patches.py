"""A change to code and to the tests within one file comes in two halves, which together are the change."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from crucible.mining import MiningContext
from pipelines.swe.rewards.overlay import overlay_of

CODE = "pub fn double(n: u32) -> u32 {\n    n + n + 1\n}\n"
TESTS = "\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn none() {}\n}\n"
MORE = TESTS.replace("none() {}", "two() {\n        assert_eq!(super::double(1), 2);\n    }")
FIXED = CODE.replace(" + 1", "")


def git(folder: Path, *words: str, data: str = "") -> str:
    who = ("-c", "user.name=a", "-c", "user.email=a@x")
    done = subprocess.run(
        ["git", "-C", str(folder), *who, *words], input=data, capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.mark.parametrize(
    ("before", "after"),
    [(CODE + TESTS, FIXED + MORE), (CODE, FIXED + MORE), (None, FIXED + MORE), (CODE + TESTS, (FIXED + MORE).rstrip())],
)
async def test_the_halves_are_applied_one_after_the_other(
    before: str | None, after: str, tmp_path: Path, mine: Callable[..., Any], no_world: MiningContext
) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    file = tmp_path / "src/lib.rs"
    file.parent.mkdir()
    (tmp_path / "LICENSE").write_text("Apache License Version 2.0")
    if before:
        file.write_text(before)
    for message, text in (("first", before), ("Double properly (#1)", after)):
        file.write_text(text) if text else None
        git(tmp_path, "add", "-A")
        git(tmp_path, "commit", "-qm", message)
    [pull] = await mine(tmp_path, no_world)
    assert "assert_eq" in pull.test_patch
    assert "assert_eq" not in pull.patch
    assert "n + n\n" in pull.patch
    assert overlay_of(pull).inline == {"src/lib.rs": after}
    git(tmp_path, "checkout", "-q", pull.base_commit)
    for half in (pull.patch, pull.test_patch):
        git(tmp_path, "apply", "-", data=half)
    assert file.read_text() == after


async def test_binary_data_of_tests_comes_along(
    tmp_path: Path, mine: Callable[..., Any], no_world: MiningContext
) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "LICENSE").write_text("Apache License Version 2.0")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "first")
    (tmp_path / "tests").mkdir()
    (tmp_path / "a.py").write_text("x = 1\n")
    (tmp_path / "tests/a.bin").write_bytes(b"\x00\xff")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "Read what is no text (#1)")
    [pull] = await mine(tmp_path, no_world)
    assert overlay_of(pull).data == {"tests/a.bin": "AP8="}
    assert "GIT binary patch" in pull.test_patch
