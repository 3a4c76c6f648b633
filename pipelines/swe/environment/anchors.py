"""The commit whose tree goes into an image, so chosen that neighbours choose the same one.

It is the *anchor*: the oldest commit on the main line from which the dependencies have not changed up to the base.
What changed since is the env's patch. Where that would be large, a commit half way is taken, then three quarters of
the way, and so on, counted so that neighbours still agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from pipelines.swe.recipes.manifests import dependency_content
from pipelines.swe.repository import changes
from pipelines.swe.repository.git import GitFailed, git, stream_fields, to_text

LARGEST_PATCH = 1 << 20
"""Characters of the patch from the commit in the image to the base."""
Edit = tuple[str, str, str]
"""A file's path, and its blob before and after."""


def find_anchor(repo: Path, base: str, patterns: Sequence[str]) -> str:
    """The oldest commit on the main line that declares what `base` does, without a gap; `patterns` are the pathspecs of
    the dependency files."""
    for commit, edits in _dependency_edits(repo, base, patterns):
        if any(_changes_dependencies(repo, *edit) for edit in edits):
            return commit
    return git(repo, "rev-list", "--first-parent", "--max-parents=0", base).decode().split()[-1]


def choose_image_commit(repo: Path, base: str, anchor: str) -> tuple[str, str]:
    """The commit in the image, and the patch from there to the base; where no such patch will do, the base itself.

    A commit after the base is never taken: what is built in its image may hold the solution."""
    for commit in _milestones(repo, base, anchor) if _is_ancestor(repo, anchor, base) else ():
        try:
            patch = changes.tree_patch(repo, commit, base).decode()
        except (UnicodeDecodeError, GitFailed):
            continue
        if len(patch) <= LARGEST_PATCH:
            return commit, patch
    return base, ""


def _is_ancestor(repo: Path, commit: str, base: str) -> bool:
    try:
        git(repo, "merge-base", "--is-ancestor", commit, base)
    except GitFailed:
        return False
    return True


def _milestones(repo: Path, base: str, first: str) -> Iterator[str]:
    """`first`, and commits ever nearer to the base: its distance from `first` in binary, with ever fewer of the last
    digits made zero."""
    yield first
    line = git(repo, "rev-list", "--first-parent", "--reverse", f"{first}..{base}").decode().split()
    distance = len(line)
    for digits in range(distance.bit_length() - 1, 0, -1):
        yield line[(distance >> digits << digits) - 1]


def _dependency_edits(repo: Path, base: str, patterns: Sequence[str]) -> Iterator[tuple[str, list[Edit]]]:
    """The commits on the main line that touch the files of these pathspecs, newest first, with what they do to them."""
    paths = [f":(top,glob){pattern}" for pattern in patterns]
    options = ("--first-parent", "-m", "--root", "--raw", "--no-renames", "--no-abbrev", "-z", "--format=%H")
    commit, edits = "", list[Edit]()
    log = stream_fields(repo, "log", *options, base, "--", *paths)
    for field in log:
        row = field.decode().strip()
        if row.startswith(":"):
            _, _, before, after, _ = row.split()
            edits.append((to_text(next(log)), before, after))
        elif row:
            if commit:
                yield commit, edits
            commit, edits = row, []
    if commit:
        yield commit, edits


@lru_cache(maxsize=10_000)  # neighbours go back over the same edits
def _changes_dependencies(repo: Path, path: str, before: str, after: str) -> bool:
    """Whether an edit of a dependency file, given by its blobs, changes what is installed."""
    try:
        return dependency_content(path, _blob_text(repo, before)) != dependency_content(path, _blob_text(repo, after))
    except GitFailed:  # this clone lacks one of them
        return True


def _blob_text(repo: Path, blob: str) -> str:
    """The text of a blob; empty for the blob of zeros, by which git says that a file is not there."""
    return to_text(git(repo, "cat-file", "blob", blob)) if blob.strip("0") else ""
