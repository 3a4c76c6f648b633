"""A git history written as files that people can read: a first tree, patches, and a `history.toml`.

Building a repository from it twice gives the same commit hashes, so a record that names a commit stays true.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from crucible.errors import CrucibleError
from crucible.record import Record
from pipelines.swe.repository.git import git_environment, run_git

MANIFEST = "history.toml"


class Change(Record):
    """One commit on the main line, or a merge with its branch."""

    kind: Literal["commit", "merge", "squash"]
    author: str
    date: str
    message: str
    tree: str = ""
    """A folder whose files are the whole tree."""
    patch: str = ""
    """A patch on what was there before."""
    number: int = 0
    title: str = ""
    branch: str = ""
    merged_by: str = ""


class History(Record):
    """A written history."""

    name: str
    branch: str = "main"
    people: dict[str, str]
    """Names to `Name <address>`."""
    changes: tuple[Change, ...]


def is_written_history(folder: Path) -> bool:
    """Whether the folder holds a written history."""
    return (folder / MANIFEST).is_file()


def read_history(folder: Path) -> History:
    """The history in that folder. CrucibleError when it cannot be understood."""
    try:
        return History.model_validate(tomllib.loads((folder / MANIFEST).read_text(encoding="utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, ValidationError) as broken:
        raise CrucibleError(f"{folder / MANIFEST} cannot be read: {broken}") from broken


def build_repository(folder: Path, target: Path) -> Path:
    """Make a bare repository at `target` from the written history in `folder`."""
    history = read_history(folder)
    env = git_environment(target)
    run_git(("init", "--quiet", "--bare", "--template=", f"--initial-branch={history.branch}", str(target)), env)
    builder, tip = _Builder(folder, target, history), ""
    for change in history.changes:
        tip = builder.add(change, tip)
    run_git((f"--git-dir={target}", "update-ref", f"refs/heads/{history.branch}", tip), env)
    return target


class _Builder:
    """Adds changes to the repository, with plumbing only: no work tree, no hook, no clock."""

    def __init__(self, folder: Path, target: Path, history: History) -> None:
        self.folder = folder.resolve()
        self.target = target.resolve()
        self.history = history

    def add(self, change: Change, tip: str) -> str:
        """Commit a change on top of `tip`; the new tip of the main line."""
        tree = self._tree(change)
        if change.kind == "commit":
            return self._commit(change, tree, [tip] if tip else [], change.message)
        if change.kind == "squash":
            message = f"{change.title} (#{change.number})\n\n{change.message.strip()}\n"
            return self._commit(change, tree, [tip], message)
        head = self._commit(change, tree, [tip], change.title)
        subject = f"Merge pull request #{change.number} from {change.branch}"
        merged = change.model_copy(update={"author": change.merged_by})
        return self._commit(merged, tree, [tip, head], f"{subject}\n\n{change.title}\n\n{change.message.strip()}\n")

    def _tree(self, change: Change) -> str:
        """The hash of the tree that a change leaves, written into the repository."""
        if change.tree:
            self._git("-C", str(self.folder / change.tree), "--work-tree=.", "add", "--all", ".")
        if change.patch:
            self._git("apply", "--cached", "--whitespace=nowarn", str(self.folder / change.patch))
        return self._git("write-tree").strip()

    def _commit(self, change: Change, tree: str, parents: list[str], message: str) -> str:
        links = [word for parent in parents for word in ("-p", parent)]
        env = self._identity(change.author, "AUTHOR", change.date)
        env |= self._identity(change.merged_by or change.author, "COMMITTER", change.date)
        return self._git("commit-tree", tree, *links, data=message.strip().encode() + b"\n", env=env).strip()

    def _identity(self, person: str, role: str, date: str) -> dict[str, str]:
        name, _, address = self.history.people[person].partition(" <")
        return {f"GIT_{role}_NAME": name, f"GIT_{role}_EMAIL": address.rstrip(">"), f"GIT_{role}_DATE": date}

    def _git(self, *arguments: str, data: bytes = b"", env: dict[str, str] | None = None) -> str:
        settings = git_environment(self.target) | {"GIT_DIR": str(self.target)} | (env or {})
        return run_git(arguments, settings, data=data).decode()
