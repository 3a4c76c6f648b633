"""Where repositories are: a clone, a bare repository, or a written history that is built when it is opened."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from crucible.errors import SettingsError
from pipelines.swe.repository import history
from pipelines.swe.repository.git import GitFailed, git

SLUG = re.compile(r"(?:https?://[^/]+/)?[\w-][\w.-]*/[\w.-]+")  # matches: owner/name  https://github.com/owner/name
OWNER_AND_NAME = re.compile(r"(?P<owner>[A-Za-z\d](?:-?[A-Za-z\d])*)__(?P<name>\w[\w.-]*)")
# matches: owner__name
FORGE_ADDRESS = re.compile(
    r"://(?:www\.)?(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org)/(?P<owner>[\w.-]+)/(?P<name>[\w.-]*\w)"
)
# matches the middle of: https://github.com/owner/name/issues
WEB_SCHEMES = ("http", "https", "ssh", "git")
"""Of a remote's URL: behind each of them stands a host with a page for the repository."""
MANIFESTS = ("pyproject.toml", "setup.py", "setup.cfg", "package.json", "Cargo.toml", "composer.json", "pom.xml")
"""Files at the top of a repository in which it gives its own address."""


def source_of(origin: str) -> str:
    """The name of the source that reads an origin: `git` for a folder, `github` for `owner/name` or a web address that
    ends so."""
    return "github" if SLUG.fullmatch(origin.rstrip("/")) and not Path(origin).expanduser().exists() else "git"


@contextmanager
def open_repository(origin: str) -> Iterator[Path]:
    """The repository at `origin`, checked to be one with commits."""
    folder = Path(origin).expanduser()
    if not folder.is_dir():
        raise SettingsError(f"there is no repository at '{origin}'", "name a local clone or a bare repository")
    if not history.is_written_history(folder):
        _require_commits(folder, origin)
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="crucible-history-") as scratch:
        yield history.build_repository(folder, Path(scratch) / "repository.git")


def _require_commits(folder: Path, origin: str) -> None:
    """SettingsError unless the folder is a git repository with commits."""
    try:
        git(folder, "rev-parse", "--git-dir")
    except GitFailed as refused:
        raise SettingsError(f"'{origin}' is not a git repository: {refused}") from refused
    try:
        git(folder, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    except GitFailed as refused:
        raise SettingsError(f"the repository '{origin}' has no commits, or its HEAD cannot be read") from refused


def web_address(repo: Path) -> str:
    """The web address of the repository its clone came from, without any credentials; empty when unknown. The remote
    `origin` is asked first, then the others."""
    return next(filter(None, map(_to_web_address, _remote_urls(repo))), "")


def _remote_urls(repo: Path) -> list[str]:
    """The URLs of the clone's remotes, that of `origin` first."""
    try:
        rows = git(repo, "config", "--local", "--get-regexp", r"^remote\..*\.url$").decode().splitlines()
    except (GitFailed, UnicodeDecodeError):  # none is configured
        return []
    rows.sort(key=lambda row: not row.startswith("remote.origin.url "))
    return [row.partition(" ")[2].strip() for row in rows]


def _to_web_address(url: str) -> str:
    """The web address of what a remote's URL names; empty for a folder and for what cannot be read."""
    if url.startswith("git@"):
        url = "https://" + url.removeprefix("git@").replace(":", "/", 1)
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    if parts.scheme not in WEB_SCHEMES or not parts.hostname:
        return ""
    return f"https://{parts.hostname}{parts.path.removesuffix('/').removesuffix('.git')}"


def repository_name(origin: str, repo: Path) -> str:
    """What the repository is called: `owner/name` where a remote, the folder (`owner__name`) or an address in its
    manifests says so. Otherwise its folder's name with the start of its first commit, so that two folders of one name
    stay apart in the ledger."""
    folder = Path(origin).expanduser().resolve()
    if history.is_written_history(folder):
        return history.read_history(folder).name
    if web := web_address(repo):
        return urlsplit(web).path.strip("/")
    name = _folder_name(folder)
    names = [name, *(_folder_name(Path(url)) for url in _remote_urls(repo))]  # a clone of a folder names that folder
    owned = next(filter(None, map(OWNER_AND_NAME.fullmatch, names)), None)
    if owned:
        return f"{owned['owner']}/{owned['name']}"
    first_commit = git(repo, "rev-list", "--first-parent", "--max-parents=0", "HEAD").decode()
    return _name_in_manifests(repo, name) or f"{name}@{first_commit[:7]}"


def _folder_name(folder: Path) -> str:
    return (folder.parent if folder.name == ".git" else folder).name.removesuffix(".git")


def _name_in_manifests(repo: Path, folder_name: str) -> str:
    """The `owner/name` of an address in the manifests, where `name` is the folder's; empty where there is none, or
    where they do not agree on the owner. Addresses of other projects end in other names."""
    try:
        text = git(repo, "grep", "-h", "-I", "-F", "-e", "://", "HEAD", "--", *MANIFESTS).decode(errors="replace")
    except GitFailed:  # no manifest has an address
        return ""
    names = [f"{found['owner']}/{found['name'].removesuffix('.git')}" for found in FORGE_ADDRESS.finditer(text)]
    owned = {name for name in names if name.partition("/")[2].lower() == folder_name.lower()}
    return owned.pop() if len(owned) == 1 else ""
