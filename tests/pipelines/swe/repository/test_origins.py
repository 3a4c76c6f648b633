"""A repository is called as people know it, where its remotes, its folder or its manifests say so."""

import subprocess
from pathlib import Path

import pytest

from pipelines.swe.repository.origins import repository_name, web_address

WHO = ("-c", "user.name=a", "-c", "user.email=a@x")
PAGE = '[project.urls]\nHomepage = "https://docs.example/lamp"\nSource = "https://github.com/kiln/Lamp/issues"\n'


def repository(folder: Path, manifest: str = "") -> Path:
    """A repository of one commit, with no remote."""
    folder.mkdir(parents=True)
    (folder / "pyproject.toml").write_text(manifest)
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "x"]):
        subprocess.run(["git", "-C", str(folder), *WHO, *words], check=True)
    return folder


def add_remote(repo: Path, name: str, url: str) -> None:
    subprocess.run(["git", "-C", str(repo), "remote", "add", name, url], check=True)


def name_of(repo: Path) -> str:
    return repository_name(str(repo), repo)


def test_a_folder_without_a_remote_tells_owner_and_name(tmp_path: Path) -> None:
    assert name_of(repository(tmp_path / "some-one__lamp.py")) == "some-one/lamp.py"


def test_a_clone_of_such_a_folder_is_called_like_it(tmp_path: Path) -> None:
    repo = repository(tmp_path / "work")
    add_remote(repo, "origin", str(tmp_path / "kiln__lamp.git"))
    assert name_of(repo) == "kiln/lamp"


@pytest.mark.parametrize(
    "url",
    ["ssh://git@forge.example:22/kiln/lamp.git", "git@forge.example:kiln/lamp.git", "git://forge.example/kiln/lamp"],
)
def test_any_remote_with_a_host_tells_the_name(tmp_path: Path, url: str) -> None:
    repo = repository(tmp_path / "work")
    add_remote(repo, "upstream", url)
    assert name_of(repo) == "kiln/lamp"
    assert web_address(repo) == "https://forge.example/kiln/lamp"


def test_an_address_in_a_manifest_is_believed_where_the_folder_has_its_name(tmp_path: Path) -> None:
    assert name_of(repository(tmp_path / "lamp", PAGE)) == "kiln/Lamp"
    other = repository(tmp_path / "other", PAGE)
    assert name_of(other).startswith("other@")
    two = repository(tmp_path / "two" / "lamp", f'{PAGE}Fork = "https://github.com/shade/lamp"\n')
    assert name_of(two).startswith("lamp@")


@pytest.mark.parametrize("folder", ["lamp", "__lamp__", "lamp__", "a_b__c"])
def test_a_name_that_tells_no_owner_is_kept_apart_by_its_first_commit(tmp_path: Path, folder: str) -> None:
    assert name_of(repository(tmp_path / folder)).startswith(f"{folder}@")
