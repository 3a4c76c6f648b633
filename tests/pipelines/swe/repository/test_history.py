"""A written history becomes the same repository every time."""

from pathlib import Path

import pytest

from crucible.errors import CrucibleError
from pipelines.swe.repository import history
from pipelines.swe.repository.git import git

SAMPLE = Path("sample_data/swe/shelf")


def tip(repo: Path) -> str:
    return git(repo, "rev-parse", "HEAD").decode().strip()


def test_building_twice_gives_the_same_commits(shelf: Path, tmp_path: Path) -> None:
    assert tip(history.build_repository(SAMPLE, tmp_path / "again.git")) == tip(shelf)


def test_the_users_own_git_settings_do_not_matter(shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".gitconfig").write_text(
        "[user]\nname=x\n[core]\nautocrlf=true\n[commit]\ngpgSign=true\n[apply]\nwhitespace=fix\n"
    )
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_AUTHOR_NAME", "somebody else")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "nowhere"))
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    assert tip(history.build_repository(SAMPLE, tmp_path / "again.git")) == tip(shelf)


def test_the_built_repository_is_sound(shelf: Path) -> None:
    git(shelf, "fsck", "--strict", "--no-dangling")


def test_a_malformed_history_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "history.toml").write_text("name = ")
    with pytest.raises(CrucibleError, match=r"history\.toml cannot be read"):
        history.build_repository(tmp_path, tmp_path / "x.git")
