"""Where repositories are: a clone, a bare repository, or a written history that is built when it is opened."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from crucible.errors import CrucibleError
from pipelines.swe.repository import history
from pipelines.swe.repository.git import GitFailed, git

SLUG = re.compile(r"(?:https?://[^/]+/)?[\w-][\w.-]*/[\w.-]+")  # matches: owner/name  https://github.com/owner/name


def source_of(origin: str) -> str:
    """The name of the source that reads an origin: `git` for a folder, `github` for `owner/name` or a web address that
    ends so."""
    return "github" if SLUG.fullmatch(origin.rstrip("/")) and not Path(origin).expanduser().exists() else "git"


@contextmanager
def open_repository(origin: str) -> Iterator[Path]:
    """The repository at `origin`, checked to be one with commits."""
    folder = Path(origin).expanduser()
    if not folder.is_dir():
        raise CrucibleError(f"there is no repository at '{origin}'", "name a local clone or a bare repository")
    if not history.is_written_history(folder):
        _require_commits(folder, origin)
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="crucible-history-") as scratch:
        yield history.build_repository(folder, Path(scratch) / "repository.git")


def _require_commits(folder: Path, origin: str) -> None:
    """CrucibleError unless the folder is a git repository with commits."""
    try:
        git(folder, "rev-parse", "--git-dir")
    except GitFailed as refused:
        raise CrucibleError(f"'{origin}' is not a git repository: {refused}") from refused
    try:
        git(folder, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    except GitFailed as refused:
        raise CrucibleError(f"the repository '{origin}' has no commits, or its HEAD cannot be read") from refused


def web_address(repo: Path) -> str:
    """The web address of the repository its clone came from, without any credentials; empty when unknown."""
    try:
        url = git(repo, "config", "--local", "--get", "remote.origin.url").decode().strip()
    except (GitFailed, UnicodeDecodeError):
        return ""
    if url.startswith("git@"):
        url = "https://" + url.removeprefix("git@").replace(":", "/", 1)
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return ""
    return f"https://{parts.hostname}{parts.path.removesuffix('/').removesuffix('.git')}"


def repository_name(origin: str, repo: Path) -> str:
    """What the repository is called: `owner/name` where a remote says so, otherwise its folder's name with the
    start of its first commit, so that two folders of one name stay apart in the ledger."""
    folder = Path(origin).expanduser().resolve()
    if history.is_written_history(folder):
        return history.read_history(folder).name
    web = web_address(repo)
    if web:
        return urlsplit(web).path.strip("/")
    folder_name = (folder.parent if folder.name == ".git" else folder).name.removesuffix(".git")
    first_commit = git(repo, "rev-list", "--first-parent", "--max-parents=0", "HEAD").decode()
    return f"{folder_name}@{first_commit[:7]}"
