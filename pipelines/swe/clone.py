"""The source `git`: pull requests out of a local repository's own history, with no network.

Merge commits and squashed commits on the main line name their pull request; nothing else is taken for one.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from crucible.mining import Workshop
from crucible.parts import source
from pipelines.swe import origins
from pipelines.swe.changes import changed_files, patch
from pipelines.swe.commits import Commit, brought, main_line, show
from pipelines.swe.licences import licence_at
from pipelines.swe.messages import Message, of_merge, of_squash
from pipelines.swe.model import ChangedFile, PullRequest

MOST_FILES, MOST_LINES = 500, 50_000
"""Beyond this the patch itself is not read: the size limits of the filter are far below."""


@source("git")
async def clone(origin: str, shop: Workshop) -> AsyncIterator[PullRequest]:
    """Pull requests out of a local clone's history."""
    with origins.opened(origin) as repo:
        name, web = origins.name(origin, repo), origins.address(repo)
        pulls = _pulls(repo, name)
        while (pull := await asyncio.to_thread(next, pulls, None)) is not None:
            url = f"{web}/pull/{pull.number}" if web else ""
            yield pull.model_copy(update={"origin": origin, "url": url})


def _pulls(repo: Path, name: str) -> Iterator[PullRequest]:
    for commit in main_line(repo):
        message = _message(commit)
        if message is not None:
            yield _pull(repo, commit, message, name)


def _message(commit: Commit) -> Message | None:
    if not commit.parents:
        return None
    return of_merge(commit.message) if len(commit.parents) > 1 else of_squash(commit.message)


def _pull(repo: Path, commit: Commit, message: Message, name: str) -> PullRequest:
    base = commit.parents[0]
    files = changed_files(repo, base, commit.id)
    source_patch, test_patch, unreadable = _patches(repo, commit, files)
    return PullRequest(
        repo=name,
        **message.model_dump(),
        author=_author(repo, commit),
        merged_at=commit.date,
        base_commit=base,
        merge_commit=commit.id,
        commits=brought(repo, commit),
        files=files,
        patch=source_patch,
        test_patch=test_patch,
        unreadable=unreadable,
        licence=licence_at(repo, base),
        origin="",
    )


def _patches(repo: Path, commit: Commit, files: tuple[ChangedFile, ...]) -> tuple[str, str, str]:
    if len(files) > MOST_FILES or sum(file.added + file.removed for file in files) > MOST_LINES:
        return "", "", "too large to read"
    tests = [file.path for file in files if file.sort == "test"]
    others = [file.path for file in files if file.sort != "test"]
    try:
        halves = [patch(repo, commit.parents[0], commit.id, paths).decode() for paths in (others, tests)]
    except UnicodeDecodeError:
        return "", "", "a changed line is not UTF-8"
    if any("\\x" in file.path for file in files):
        return "", "", "a file's name is not UTF-8"
    return halves[0], halves[1], ""


def _author(repo: Path, commit: Commit) -> str:
    """Who wrote the change: of a merge, the author of the branch's last commit."""
    return show(repo, [commit.parents[1]])[0].author if len(commit.parents) > 1 else commit.author
