"""Repositories are told apart by what they hold, not by when it was made or how it is stored."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from crucible.domains.terminal.repositories import (
    DESCRIBE,
    Repository,
    forget_stat_data,
    is_inside_git,
    parse_repositories,
)


def make_repository(folder: Path, commands: str, date: str = "1700000000 +0000") -> Repository:
    """What commands make of a new repository."""
    place = folder / "0"
    place.mkdir(parents=True)
    identity = {f"GIT_{who}_{what}": "x@y.z" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    dates = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    env = {**os.environ, **identity, **dates, "GIT_CONFIG_GLOBAL": "/dev/null"}
    subprocess.run(["bash", "-ec", f"git init -q -b main; {commands}"], cwd=place, env=env, check=True)
    told = subprocess.run(["python3", DESCRIBE, folder], capture_output=True, text=True, check=True).stdout
    return parse_repositories(told)["0"]["."]


TWO_COMMITS = "echo a > a; git add a; git commit -qm one; echo b > a; git commit -qam two; git tag v1"


def test_dates_and_packing_do_not_count(tmp_path: Path) -> None:
    one = make_repository(tmp_path / "x", TWO_COMMITS)
    other = make_repository(tmp_path / "y", f"{TWO_COMMITS}; git gc -q; git pack-refs --all", "1600000000 +0000")
    assert one == other


def test_messages_branches_staged_files_stashes_and_settings_count(tmp_path: Path) -> None:
    plain = make_repository(tmp_path / "plain", TWO_COMMITS)
    changes = {
        "message": "git commit -q --amend -m three",
        "branch": "git branch topic HEAD~1",
        "checkout": "git checkout -q HEAD~1",
        "tag": "git tag -d v1",
        "staged": "echo c > c; git add c",
        "stash": "echo c > a; git stash -q",
        "setting": "git config user.name Ann",
        "author": "git commit -q --amend --no-edit --author='Ann <a@b.c>'",
        "merge": "git checkout -qb t HEAD~1; echo z > a; git commit -qam z; git merge -q main || true",
    }
    for name, change in changes.items():
        assert make_repository(tmp_path / name, f"{TWO_COMMITS}; {change}") != plain, name


def test_an_index_is_the_same_wherever_its_files_were_seen(tmp_path: Path) -> None:
    indexes = []
    for name in ("x", "y"):
        make_repository(tmp_path / name, TWO_COMMITS)
        indexes.append((tmp_path / name / "0/.git/index").read_bytes())
    assert indexes[0] != indexes[1]
    assert forget_stat_data(indexes[0]) == forget_stat_data(indexes[1])
    place = tmp_path / "x/0"
    (place / ".git/index").write_bytes(forget_stat_data(indexes[0]))
    status = subprocess.run(["git", "status", "--porcelain"], cwd=place, capture_output=True, text=True, check=True)
    assert status.stdout == ""


def test_what_is_no_index_stays_as_it_is() -> None:
    for data in (b"", b"DIRC", b"x" * 100, b"DIRC\0\0\0\2\xff\xff\xff\xff" + b"x" * 60):
        assert forget_stat_data(data) == data


def test_only_hooks_are_looked_at_among_gits_own_files() -> None:
    paths = (".git", ".git/HEAD", "sub/.git/config", ".git/hooks/pre-commit.sample", ".git/hooks")
    assert all(is_inside_git(path) for path in paths)
    assert not any(is_inside_git(path) for path in (".gitignore", "a.txt", ".git/hooks/pre-commit"))
