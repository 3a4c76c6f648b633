"""The source `git` finds pull requests in a history, and is not harmed by what a repository holds."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from crucible.errors import CrucibleError
from crucible.mining import Workshop
from pipelines.swe.model import PullRequest

WHO = {"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@x", "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@x"}


def run(folder: Path, *words: str) -> None:
    clean = {"PATH": os.environ["PATH"], "HOME": str(folder), **WHO}
    subprocess.run(["git", "-C", str(folder), *words], check=True, env=clean, capture_output=True)


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A repository with one commit."""
    made = tmp_path / "made"
    made.mkdir()
    run(made, "init", "-q", "-b", "main")
    (made / "a.py").write_text("x = 1\n")
    commit(made, "first")
    return made


def commit(repo: Path, message: str) -> None:
    run(repo, "add", "-A")
    run(repo, "commit", "-q", "--allow-empty", "-m", message)


def test_every_pull_request_of_the_sample_is_found(pulls: dict[int, PullRequest]) -> None:
    assert sorted(pulls) == [1, 2, 4, 5, 7, 8, 9, 11, 12, 13]


def test_a_pull_request_is_told_whole(pulls: dict[int, PullRequest]) -> None:
    pull = pulls[7]
    assert (pull.id, pull.author, pull.licence) == ("shelf#7", "Aiko Tanabe", "MIT")
    assert pull.labels == ("bug", "search")
    assert pull.statement.startswith("Searching for a quoted title with a colon raises an error\n")
    assert "Closes" not in pull.statement
    assert [file.path for file in pull.files if file.sort == "test"] == ["tests/test_catalog.py", "tests/test_query.py"]
    assert "shelf/query.py" in pull.patch
    assert "tests/" not in pull.patch
    assert "shelf/query.py" not in pull.test_patch


def test_a_squashed_commit_is_a_pull_request(pulls: dict[int, PullRequest]) -> None:
    assert pulls[13].title == "Fix loading of catalogue files that were edited by hand"
    assert pulls[13].commits == (pulls[13].merge_commit,)


async def test_a_clone_and_a_bare_repository_say_the_same(
    shelf: Path, tmp_path: Path, mine: Callable[..., Any], no_world: Workshop, pulls: dict[int, PullRequest]
) -> None:
    subprocess.run(["git", "clone", "-q", str(shelf), str(tmp_path / "shelf")], check=True)
    subprocess.run(["git", "clone", "-q", "--bare", str(shelf), str(tmp_path / "bare" / "shelf.git")], check=True)
    places = (tmp_path / "shelf", tmp_path / "bare" / "shelf.git")
    work, bare = [[pull.model_copy(update={"origin": ""}) for pull in await mine(place, no_world)] for place in places]
    assert work == bare
    assert [pull.merge_commit for pull in work] == [pull.merge_commit for pull in pulls.values()]


async def test_commits_that_name_no_pull_request_are_passed_over(
    repo: Path, mine: Callable[..., Any], no_world: Workshop
) -> None:
    commit(repo, "Mentions #3 and (#4) in the middle")
    assert await mine(repo, no_world) == []


@pytest.mark.parametrize("trouble", ["missing", "not a repository", "no commits", "corrupt", "inside another"])
async def test_a_bad_repository_is_one_clear_line(
    trouble: str, repo: Path, tmp_path: Path, mine: Callable[..., Any], no_world: Workshop
) -> None:
    place = tmp_path / "place"
    if trouble == "inside another":
        place = repo / "folder"
    if trouble != "missing":
        place.mkdir()
    if trouble == "no commits":
        run(place, "init", "-q")
    if trouble == "corrupt":
        place = repo
        commit(repo, "Fix (#1)")
        for file in (repo / ".git/objects").rglob("*"):
            if file.is_file():
                file.chmod(0o644)
                file.write_bytes(b"rubbish")
    with pytest.raises(CrucibleError) as caught:
        await mine(place, no_world)
    assert "\n" not in caught.value.line()


async def test_nothing_in_a_repositorys_configuration_is_run(
    repo: Path, tmp_path: Path, mine: Callable[..., Any], no_world: Workshop
) -> None:
    touched = tmp_path / "touched"
    program = f"touch {touched};"
    (repo / ".gitattributes").write_text("*.py diff=evil filter=evil\n")
    (repo / "a.py").write_text("x = 2\n")
    commit(repo, "Fix x (#1)")
    keys = ("core.fsmonitor", "diff.external", "diff.evil.command", "diff.evil.textconv", "core.pager", "gpg.program")
    for key in (*keys, "filter.evil.smudge", "core.sshCommand", "core.editor"):
        run(repo, "config", key, program)
    run(repo, "config", "log.showSignature", "true")
    run(repo, "config", "diff.noprefix", "true")
    [pull] = await mine(repo, no_world)
    assert "+++ b/a.py" in pull.patch
    assert not touched.exists()


@pytest.mark.parametrize(("name", "content"), [(b"caf\xe9.py", b"x\n"), (b"latin.py", b"name = '\xe9'\n")])
async def test_what_is_not_utf8_is_noted_and_not_a_crash(
    name: bytes, content: bytes, repo: Path, mine: Callable[..., Any], no_world: Workshop
) -> None:
    Path(os.fsdecode(os.fsencode(repo) + b"/" + name)).write_bytes(content)
    commit(repo, "Fix a name (#2)")
    [pull] = await mine(repo, no_world)
    assert "not UTF-8" in pull.unreadable
    assert pull.model_validate_json(pull.model_dump_json()) == pull


async def test_odd_names_are_kept_apart(repo: Path, mine: Callable[..., Any], no_world: Workshop) -> None:
    for name in ("*.py", "with space.py", ":(top)x.py", "tab\there.py", "tests.py"):
        (repo / name).write_text("y = 1\n")
    commit(repo, "Fix names (#3)")
    [pull] = await mine(repo, no_world)
    assert [file.path for file in pull.files] == sorted(
        ["*.py", "with space.py", ":(top)x.py", "tab\there.py", "tests.py"]
    )
    assert pull.patch.count("diff --git") == 5


async def test_a_remotes_credentials_are_not_kept(repo: Path, mine: Callable[..., Any], no_world: Workshop) -> None:
    run(repo, "remote", "add", "origin", "https://user:secret@forge.example/team/lib.git")
    commit(repo, "Fix x (#1)")
    [pull] = await mine(repo, no_world)
    assert (pull.id, pull.url) == ("team/lib#1", "https://forge.example/team/lib/pull/1")
