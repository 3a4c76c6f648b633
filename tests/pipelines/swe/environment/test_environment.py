"""Neighbouring pull requests share an image, and a tree that cannot be unpacked safely is rejected."""

import io
import os
import subprocess
import tarfile
from pathlib import Path

import pytest

from crucible.errors import Rejected
from crucible.record import digest
from crucible.sandbox import Env
from crucible.store.blobs import Blobs
from pipelines.swe.environment import anchors
from pipelines.swe.environment.anchors import find_anchor
from pipelines.swe.environment.build_inputs import gather_build_inputs
from pipelines.swe.model import PullRequest
from pipelines.swe.recipes import python
from pipelines.swe.repository import trees

FIXES = (4, 7, 11, 12, 13)
WHERE = python.load_rules().dependencies


def write_env(pull: PullRequest, blobs: Blobs) -> Env:
    inputs = gather_build_inputs(pull, blobs)
    return inputs.env(inputs.plans[0])


def git(repo: Path, *words: str) -> str:
    who = [w for key in ("user.name=a", "user.email=a@x", "protocol.file.allow=always") for w in ("-c", key)]
    clean = {"PATH": os.environ["PATH"], "HOME": str(repo)}
    done = subprocess.run(["git", "-C", str(repo), *who, *words], check=True, env=clean, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    made = tmp_path / "made"
    (made / "tests").mkdir(parents=True)
    git(made, "init", "-q", "-b", "main")
    (made / "a.py").write_text("x = 1\n")
    (made / "tests/test_a.py").write_text("def test(): pass\n")
    return made


def commit(repo: Path) -> str:
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "-m", "x")
    return git(repo, "rev-parse", "HEAD")


def test_neighbours_share_one_recipe(pulls: dict[int, PullRequest], blobs: Blobs) -> None:
    envs = [write_env(pulls[number], blobs) for number in FIXES]
    assert len({digest(env.recipe) for env in envs}) == 1
    assert len({env.patch for env in envs}) == len(FIXES)
    assert envs[0].patch == ""  # its base is the anchor itself


def test_a_changed_requirement_is_another_image(pulls: dict[int, PullRequest], blobs: Blobs) -> None:
    assert write_env(pulls[1], blobs).recipe != write_env(pulls[4], blobs).recipe


def test_the_same_pull_request_gives_the_same_env(pulls: dict[int, PullRequest], shelf: Path, blobs: Blobs) -> None:
    elsewhere = pulls[7].model_copy(update={"origin": str(shelf)})
    assert write_env(elsewhere, blobs) == write_env(pulls[7], blobs)


def test_the_fix_is_neither_in_the_image_nor_in_the_patch(pulls: dict[int, PullRequest], blobs: Blobs) -> None:
    env = write_env(pulls[7], blobs)
    archive = blobs.get(next(iter(env.recipe.archives.values())))
    assert b"-30- and other stories" not in archive
    assert "-30- and other stories" not in env.patch


def test_a_removed_dependency_file_moves_the_anchor(repo: Path) -> None:
    (repo / "requirements.txt").write_text("x\n")
    commit(repo)
    (repo / "requirements.txt").unlink()
    removed = commit(repo)
    (repo / "a.py").write_text("x = 2\n")
    assert find_anchor(repo, commit(repo), WHERE) == removed


def test_without_dependency_files_the_first_commit_is_the_anchor(repo: Path) -> None:
    first = commit(repo)
    (repo / "a.py").write_text("x = 2\n")
    assert find_anchor(repo, commit(repo), WHERE) == first


def pull_at(base: str, repo: Path) -> PullRequest:
    return PullRequest(repo="x", number=1, title="x", base_commit=base, merge_commit=base, origin=str(repo))


def project(version: int, wanted: str) -> str:
    return f'[project]\nname = "a"\nversion = "{version}"\ndependencies = ["{wanted}"]\n'


def test_a_new_version_of_the_package_itself_moves_no_anchor(repo: Path, blobs: Blobs) -> None:
    commits = []
    for version, wanted in [(1, "six"), (1, "idna"), (2, "idna"), (3, "idna")]:
        (repo / "pyproject.toml").write_text(project(version, wanted))
        commits.append(commit(repo))
    assert find_anchor(repo, commits[-1], WHERE) == commits[1]
    pulls = [
        PullRequest(repo="x", number=1, title="x", base_commit=c, merge_commit=c, origin=str(repo)) for c in commits
    ]
    first, *rest = [gather_build_inputs(pull, blobs) for pull in pulls]
    assert (
        len({inputs.key for inputs in rest})
        == len({digest(inputs.env(inputs.plans[0]).recipe) for inputs in rest})
        == 1
    )
    assert first.key != rest[0].key


def test_an_anchor_too_far_away_gives_way_to_one_that_neighbours_agree_on(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(anchors, "LARGEST_PATCH", 4000)
    (repo / "a.py").write_text("x = 1\n")
    line = [commit(repo)]
    for step in range(13):
        (repo / f"{step}.py").write_text("y = 1\n" * 100)
        line.append(commit(repo))
    starts = [line.index(anchors.choose_image_commit(repo, one, line[0])[0]) for one in line]
    assert starts == [0, 0, 0, 0, 0, 4, 4, 4, 8, 8, 8, 8, 8, 12]


def test_an_archive_holds_every_file_and_is_the_same_bytes(repo: Path) -> None:
    (repo / ".gitattributes").write_text("tests export-ignore\n*.py ident\n")
    (repo / "run.sh").write_text("#!/bin/sh\n")
    (repo / "run.sh").chmod(0o755)
    (repo / "link").symlink_to("tests/test_a.py")
    made = commit(repo)
    data = trees.archive(repo, made)
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        modes = {entry.name: entry.mode for entry in tar}
    assert sorted(modes) == [".gitattributes", "a.py", "link", "run.sh", "tests/test_a.py"]
    assert modes["run.sh"] == 0o755
    assert trees.archive(repo, made) == data


@pytest.mark.parametrize("target", ["/etc/passwd", "../../outside", "tests/../../x"])
def test_a_link_out_of_the_tree_is_rejected(target: str, repo: Path) -> None:
    (repo / "link").symlink_to(target)
    with pytest.raises(Rejected, match="link_leaves_tree"):
        trees.archive(repo, commit(repo))


def test_a_submodule_stays_away_and_is_in_no_patch(repo: Path, blobs: Blobs) -> None:
    made = commit(repo)
    for target in (made, made[::-1]):
        git(repo, "update-index", "--add", "--cacheinfo", f"160000,{target},sub")
        git(repo, "commit", "-q", "-m", "sub")
    (repo / "a.py").write_text("x = 2\n")
    git(repo, "add", "a.py")
    git(repo, "commit", "-q", "-m", "x")
    base = git(repo, "rev-parse", "HEAD")
    assert [entry.path for entry in trees.entries(repo, base)] == ["a.py", "tests/test_a.py"]
    inputs = gather_build_inputs(pull_at(base, repo), blobs)
    assert inputs.start == made
    assert "x = 2" in inputs.patch
    assert "Subproject" not in inputs.patch


def test_data_that_a_clone_does_not_have_stays_away_and_without_its_code_it_is_rejected(repo: Path) -> None:
    (repo / "tests/large.csv").write_text("a,b\n")
    made = commit(repo)
    blobs = [git(repo, "rev-parse", f"HEAD:{path}") for path in ("tests/large.csv", "a.py")]
    (repo / ".git/objects" / blobs[0][:2] / blobs[0][2:]).unlink()
    with tarfile.open(fileobj=io.BytesIO(trees.archive(repo, made))) as tar:
        assert tar.getnames() == ["a.py", "tests/test_a.py"]
    (repo / ".git/objects" / blobs[1][:2] / blobs[1][2:]).unlink()
    with pytest.raises(Rejected, match="incomplete_clone"):
        trees.entries(repo, made)


def test_a_name_that_is_not_utf8_is_rejected(repo: Path) -> None:
    (repo / os.fsdecode(b"caf\xe9.py")).write_text("x = 1\n")
    with pytest.raises(Rejected, match="odd_path"):
        trees.entries(repo, commit(repo))


def test_a_name_with_a_newline_goes_into_the_archive(repo: Path) -> None:
    (repo / "two\nlines.py").write_text("x = 1\n")
    with tarfile.open(fileobj=io.BytesIO(trees.archive(repo, commit(repo)))) as tar:
        assert "two\nlines.py" in tar.getnames()


def test_a_tree_without_a_manifest_has_no_recipe(repo: Path, blobs: Blobs) -> None:
    for file in (repo / "a.py", repo / "tests/test_a.py"):
        file.unlink()
    (repo / "notes.txt").write_text("x\n")
    made = commit(repo)
    pull = PullRequest(repo="x", number=1, title="x", base_commit=made, merge_commit=made, origin=str(repo))
    with pytest.raises(Rejected, match="no_recipe"):
        gather_build_inputs(pull, blobs)


def test_tests_whose_content_is_kept_elsewhere_are_rejected(repo: Path) -> None:
    (repo / "tests/big.bin").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n")
    with pytest.raises(Rejected, match="lfs_pointer"):
        trees.archive(repo, commit(repo))
