"""The source `git` finds pull requests in a history, and is not harmed by what a repository holds."""

import os
import subprocess
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from crucible import parts
from crucible.errors import CrucibleError
from crucible.mining import MiningContext
from pipelines.swe.model import PullRequest
from tests.pipelines.swe.cursor import KeptCursor

WHO = {"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@x", "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@x"}


def run(folder: Path, *words: str) -> None:
    clean = {"PATH": os.environ["PATH"], "HOME": str(folder), **WHO}
    subprocess.run(["git", "-C", str(folder), *words], check=True, env=clean, capture_output=True)


MIT = """Permission is hereby granted, free of charge, to any person obtaining a copy
The software is provided "as is"."""


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A repository with one commit, under a licence: of what may not be passed on, no patch is read."""
    made = tmp_path / "made"
    made.mkdir()
    run(made, "init", "-q", "-b", "main")
    (made / "a.py").write_text("x = 1\n")
    (made / "LICENSE").write_text(MIT)
    commit(made, "first")
    return made


def commit(repo: Path, message: str, **files: str) -> None:
    for name, content in files.items():
        place = repo / name.replace("__", "/").replace("_py", ".py")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content)
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


async def test_a_history_is_read_on_from_where_it_stopped_and_a_new_one_from_its_top(
    repo: Path, no_world: MiningContext
) -> None:
    for number in range(1, 5):
        commit(repo, f"Mend it (#{number})", a_py=f"x = {number}\n")
    context = replace(no_world, cursor=KeptCursor())
    read = parts.find("source", "git").make
    async with aclosing(read(str(repo), context)) as pulls:
        assert [(await anext(pulls)).number for _ in range(3)] == [4, 3, 2]
    assert [pull.number async for pull in read(str(repo), context)] == [2, 1], "the last one may not be written yet"
    assert [pull.number async for pull in read(str(repo), context)] == []
    commit(repo, "Mend it (#5)", a_py="x = 5\n")
    assert [pull.number async for pull in read(str(repo), context)] == [5, 4, 3, 2, 1]


async def test_a_clone_and_a_bare_repository_say_the_same(
    shelf: Path, tmp_path: Path, mine: Callable[..., Any], no_world: MiningContext, pulls: dict[int, PullRequest]
) -> None:
    subprocess.run(["git", "clone", "-q", str(shelf), str(tmp_path / "shelf")], check=True)
    subprocess.run(["git", "clone", "-q", "--bare", str(shelf), str(tmp_path / "bare" / "shelf.git")], check=True)
    places = (tmp_path / "shelf", tmp_path / "bare" / "shelf.git")
    work, bare = [[pull.model_copy(update={"origin": ""}) for pull in await mine(place, no_world)] for place in places]
    assert work == bare
    assert [pull.merge_commit for pull in work] == [pull.merge_commit for pull in pulls.values()]


async def test_commits_that_name_no_pull_request_are_passed_over(
    repo: Path, mine: Callable[..., Any], no_world: MiningContext
) -> None:
    commit(repo, "Mentions #3 and (#4) in the middle")
    assert await mine(repo, no_world) == []


@pytest.mark.parametrize("trouble", ["missing", "not a repository", "no commits", "corrupt", "inside another"])
async def test_a_bad_repository_is_one_clear_line(
    trouble: str, repo: Path, tmp_path: Path, mine: Callable[..., Any], no_world: MiningContext
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
    repo: Path, tmp_path: Path, mine: Callable[..., Any], no_world: MiningContext
) -> None:
    touched = tmp_path / "touched"
    program = f"touch {touched};"
    (repo / ".gitattributes").write_text("*.py diff=evil filter=evil\n")
    (repo / "a.py").write_text("x = 2\n")
    commit(repo, "Fix x (#1)", test_a_py="1")
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
    name: bytes, content: bytes, repo: Path, mine: Callable[..., Any], no_world: MiningContext
) -> None:
    Path(os.fsdecode(os.fsencode(repo) + b"/" + name)).write_bytes(content)
    commit(repo, "Fix a name (#2)", test_a_py="1")
    [pull] = await mine(repo, no_world)
    assert "not UTF-8" in pull.unreadable
    assert pull.model_validate_json(pull.model_dump_json()) == pull


async def test_odd_names_are_kept_apart(repo: Path, mine: Callable[..., Any], no_world: MiningContext) -> None:
    for name in ("*.py", "with space.py", ":(top)x.py", "tab\there.py", "new\nline.py"):
        (repo / name).write_text("y = 1\n")
    commit(repo, "Fix names (#3)", test_a_py="1")
    [pull] = await mine(repo, no_world)
    assert [file.path for file in pull.files] == sorted(
        ["*.py", "with space.py", ":(top)x.py", "tab\there.py", "new\nline.py", "test_a.py"]
    )
    assert pull.patch.count("diff --git") == 5
    assert pull.test_patch.count("diff --git") == 1


async def test_a_remotes_credentials_are_not_kept(
    repo: Path, mine: Callable[..., Any], no_world: MiningContext
) -> None:
    run(repo, "remote", "add", "origin", "https://user:secret@forge.example/team/lib.git")
    commit(repo, "Fix x (#1)")
    [pull] = await mine(repo, no_world)
    assert (pull.id, pull.url) == ("team/lib#1", "https://forge.example/team/lib/pull/1")


async def test_neighbouring_commits_of_one_number_are_one_pull_request(
    repo: Path, mine: Callable[..., Any], no_world: MiningContext
) -> None:
    commit(repo, "Count from one (#7)\n\nIt counted from zero.", a_py="x = 2\n")
    commit(repo, "Test the count (#7)", test_a_py="1")
    commit(repo, "Something else (#8)", a_py="x = 3\n")
    other, pull = await mine(repo, no_world)
    assert (other.number, pull.number) == (8, 7)
    assert (pull.title, pull.body) == ("Count from one", "It counted from zero.\n\nTest the count")
    assert [file.path for file in pull.files] == ["a.py", "test_a.py"]
    assert len(pull.commits) == 2
    assert pull.patch.count("diff --git") == pull.test_patch.count("diff --git") == 1


async def test_what_somebody_else_rebased_onto_the_main_line_is_a_pull_request_without_a_number(
    repo: Path, mine: Callable[..., Any], no_world: MiningContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(repo, "My own", a_py="x = 2\n")
    for author, date in (("B", "2024-01-01T00:00:00Z"), ("C", "2024-01-01T00:00:00Z"), ("C", "2024-01-02T00:00:00Z")):
        monkeypatch.setitem(WHO, "GIT_AUTHOR_NAME", author)
        monkeypatch.setitem(WHO, "GIT_COMMITTER_DATE", date)
        commit(repo, f"Count for {author}\n\nIt did not.", a_py=f"x = '{author}, {date}'\n")
        commit(repo, f"Test for {author}", test_a_py=date)
    pulls = await mine(repo, no_world)
    assert [(pull.author, pull.title, pull.body, len(pull.commits)) for pull in pulls] == [
        (author, f"Count for {author}", f"It did not.\n\nTest for {author}", 2) for author in "CCB"
    ]
    assert pulls[0].id == f"{pulls[0].repo}@{pulls[0].merge_commit[:10]}"


async def test_a_merge_without_a_text_is_told_by_its_commits(
    repo: Path, mine: Callable[..., Any], no_world: MiningContext
) -> None:
    run(repo, "checkout", "-q", "-b", "fix")
    commit(repo, "Count from one\n\nIt counted from zero.", a_py="x = 2\n")
    commit(repo, "wip", test_a_py="1")
    run(repo, "checkout", "-q", "main")
    run(repo, "merge", "-q", "--no-ff", "-m", "Merge pull request #9 from a/fix\n\nCount", "fix")
    [pull] = await mine(repo, no_world)
    assert (pull.title, pull.body) == ("Count", "Count from one\n\nIt counted from zero.")
    assert len(pull.commits) == 3


async def test_a_squash_without_a_text_says_its_title_once(
    repo: Path, mine: Callable[..., Any], no_world: MiningContext
) -> None:
    commit(repo, "Count from one (#7)", a_py="x = 2\n")
    run(repo, "checkout", "-q", "-b", "fix")
    commit(repo, "Count from two", a_py="x = 3\n")
    run(repo, "checkout", "-q", "main")
    run(repo, "merge", "-q", "--no-ff", "-m", "Merge pull request #9 from a/fix\n\nCount from two", "fix")
    assert [pull.statement for pull in await mine(repo, no_world)] == ["Count from two", "Count from one"]


async def test_a_security_fix_without_a_text_is_told_by_the_changelog(
    repo: Path, mine: Callable[..., Any], no_world: MiningContext
) -> None:
    entry = (
        "`v2.1 <https://x.example>`__\n-------\n\n- Count from one by @ada in `GHSA-75-jx <https://x.example/75>`__\n"
    )
    run(repo, "checkout", "-q", "-b", "fix")
    (repo / "CHANGELOG.rst").write_text(entry)
    commit(repo, "wip", a_py="x = 2\n", test_a_py="1")
    run(repo, "checkout", "-q", "main")
    run(repo, "merge", "-q", "--no-ff", "-m", "Merge commit from fork", "fix")
    [pull] = await mine(repo, no_world)
    assert (pull.number, pull.statement) == (0, "From the changelog:\n\n- Count from one")


@pytest.mark.parametrize(("who", "branch", "found"), [("Bo", "bo-fix", 1), ("A", "bo-fix", 0), ("Bo", "main", 0)])
async def test_a_branch_merged_by_hand_is_told_by_its_commits_where_somebody_else_wrote_some(
    who: str,
    branch: str,
    found: int,
    repo: Path,
    mine: Callable[..., Any],
    no_world: MiningContext,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run(repo, "checkout", "-q", "-b", "fix")
    with monkeypatch.context() as other:
        other.setitem(WHO, "GIT_AUTHOR_NAME", who)
        commit(repo, "Count from one", a_py="x = 2\n", test_a_py="1")
    run(repo, "checkout", "-q", "main")
    run(repo, "merge", "-q", "--no-ff", "-m", f"Merge branch '{branch}' into v4", "fix")
    pulls = await mine(repo, no_world)
    assert [pull.statement for pull in pulls] == ["Count from one"] * found


async def test_a_short_text_is_helped_by_the_changelog(
    repo: Path, mine: Callable[..., Any], no_world: MiningContext
) -> None:
    link = "[#7](https://x.example/pull/7) @ada"
    entry = f"# Changes\n\n## 1.2.0 (unreleased)\n\n- Counting starts at one, as the manual says. {link}\n"
    (repo / "CHANGELOG.md").write_text(entry)
    commit(repo, "Count from one (#7)", a_py="x = 2\n", test_a_py="1")
    [pull] = await mine(repo, no_world)
    assert pull.changelog == "- Counting starts at one, as the manual says."
    assert pull.statement == f"Count from one\n\nFrom the changelog:\n\n{pull.changelog}"


async def test_what_a_cheap_rule_drops_has_no_patch_read(
    repo: Path, mine: Callable[..., Any], no_world: MiningContext
) -> None:
    commit(repo, "Fix x (#1)", a_py="x = 2\n")
    [pull] = await mine(repo, no_world)
    assert (pull.patch, pull.unreadable) == ("", "")


async def test_a_submodule_and_a_link_are_seen_for_what_they_are(
    repo: Path, mine: Callable[..., Any], no_world: MiningContext
) -> None:
    (repo / "out").symlink_to("/etc/passwd")
    run(repo, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},sub")
    run(repo, "add", "out")
    run(repo, "commit", "-q", "-m", "Fix x (#1)")
    [pull] = await mine(repo, no_world)
    assert {file.path: file.special for file in pull.files} == {"out": "link", "sub": "submodule"}


async def test_an_enormous_commit_is_not_listed_whole(
    repo: Path, mine: Callable[..., Any], no_world: MiningContext
) -> None:
    rows = "".join(f"100644 e69de29bb2d1d6434b8b29ae775ad8c2e48c5391\td{n // 100}/f{n}.py\n" for n in range(100_000))
    run(repo, "hash-object", "-w", "/dev/null")
    subprocess.run(["git", "-C", str(repo), "update-index", "--index-info"], input=rows.encode(), check=True)
    run(repo, "commit", "-q", "-m", "Import all (#1)")
    [pull] = await mine(repo, no_world)
    assert 30 < len(pull.files) < 1000


async def test_a_shallow_clone_gives_what_it_has(
    repo: Path, tmp_path: Path, mine: Callable[..., Any], no_world: MiningContext
) -> None:
    for number in (1, 2, 3):
        commit(repo, f"Fix x (#{number})", a_py=f"x = {number + 1}\n", test_a_py=f"{number}")
    subprocess.run(["git", "clone", "-q", "--depth=2", f"file://{repo}", str(tmp_path / "few")], check=True)
    [pull] = await mine(tmp_path / "few", no_world)
    assert pull.number == 3
    assert pull.patch


async def test_a_broken_object_in_the_middle_costs_only_what_needs_it(
    repo: Path, mine: Callable[..., Any], no_world: MiningContext
) -> None:
    for number in (1, 2, 3):
        commit(repo, f"Fix x (#{number})", a_py=f"x = {number + 1}\n", test_a_py=f"{number}")
    gone = subprocess.run(
        ["git", "-C", str(repo), "rev-parse", "HEAD~1^{tree}"], check=True, capture_output=True, text=True
    )
    name = gone.stdout.strip()
    (repo / ".git/objects" / name[:2] / name[2:]).unlink()
    pulls = {pull.number: pull for pull in await mine(repo, no_world)}
    assert sorted(pulls) == [1, 2, 3]
    assert pulls[3].unreadable.startswith("git log: ")
    assert pulls[1].patch
