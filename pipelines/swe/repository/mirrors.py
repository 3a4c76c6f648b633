"""Repositories on a forge, kept as bare clones in a folder: cloned once, fetched after that."""

from __future__ import annotations

import base64
import re
import shutil
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

from crucible.errors import CrucibleError
from pipelines.swe.repository.git import GitFailed, git_environment, run_git
from pipelines.swe.settings import SourceSettings

CLONE_SECONDS = 3600.0
"""How long a clone or a fetch may take."""
BRANCH_NAME = re.compile(r"[\w][\w./-]*")  # matches: main  release/1.x


def update_mirror(url: str, branch: str, folder: Path, settings: SourceSettings) -> Path:
    """The clone of `url` in `folder`, up to date, `branch` its main line. CrucibleError when it cannot be had."""
    scheme = urlsplit(url).scheme or "file"
    if scheme not in settings.protocols:
        allowed = ", ".join(settings.protocols)
        raise CrucibleError(f"{url} would be cloned over {scheme}; allowed is: {allowed}", "see sources.protocols")
    if not BRANCH_NAME.fullmatch(branch):
        raise CrucibleError(f"{url} has a main branch of an odd name: {branch!r}")
    env = git_environment(folder) | _credentials(url, settings.github_token.get_secret_value())
    allow = ("-c", f"protocol.{scheme}.allow=always")
    try:
        if (folder / "HEAD").is_file():
            fetch = ("fetch", "--quiet", "--prune", "--no-tags", url, "+refs/heads/*:refs/heads/*")
            run_git((*allow, "-C", str(folder), *fetch), env, timeout=CLONE_SECONDS)
        else:
            _clone_into(url, folder, allow, env)
        run_git(("-C", str(folder), "symbolic-ref", "HEAD", f"refs/heads/{branch}"), env)
    except GitFailed as failed:
        raise CrucibleError(f"{url} cannot be cloned: {failed}", "without a clone there are no patches") from failed
    return folder.resolve()


def _clone_into(url: str, folder: Path, allow: tuple[str, ...], env: dict[str, str]) -> None:
    """Clone into a folder beside `folder` and move it there: a clone that was interrupted is no clone."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".cloning-") as scratch:
        clone = Path(scratch) / "clone.git"
        run_git((*allow, "clone", "--quiet", "--bare", "--template=", url, str(clone)), env, timeout=CLONE_SECONDS)
        shutil.rmtree(folder, ignore_errors=True)
        clone.rename(folder)


def _credentials(url: str, token: str) -> dict[str, str]:
    """The token as git takes it from its environment: never on a command line, never in the clone's settings."""
    parts = urlsplit(url)
    if not token or parts.scheme not in ("http", "https"):
        return {}
    word = base64.b64encode(f"x-access-token:{token}".encode()).decode()
    return {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"http.{parts.scheme}://{parts.netloc}/.extraHeader",
        "GIT_CONFIG_VALUE_0": f"Authorization: Basic {word}",
    }
