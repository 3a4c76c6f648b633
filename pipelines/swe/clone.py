"""The source `git`: pull requests out of a local repository's own history, with no network.

One pass over the main line finds them; patches are read only of those that no cheaper rule drops.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from itertools import islice
from pathlib import Path

from crucible.mining import Workshop
from crucible.parts import source
from pipelines.swe import changelog, origins
from pipelines.swe.changes import halves
from pipelines.swe.commits import MOST_FILES, brought, show
from pipelines.swe.filters import is_worth_reading
from pipelines.swe.git import GitFailed
from pipelines.swe.licences import Licences
from pipelines.swe.model import PullRequest
from pipelines.swe.objects import objects
from pipelines.swe.pulls import Group, groups, told

MOST_LINES = 50_000
"""Beyond this the patch itself is not read: the size limits of the filter are far below."""
BATCH = 100
"""Pull requests whose authors are asked for at once."""


@source("git")
async def clone(origin: str, shop: Workshop) -> AsyncIterator[PullRequest]:
    """Pull requests out of a local clone's history."""
    with origins.opened(origin) as repo:
        name, web = origins.name(origin, repo), origins.address(repo)
        found = pulls(repo, name)
        while (pull := await asyncio.to_thread(next, found, None)) is not None:
            url = f"{web}/pull/{pull.number}" if web else ""
            yield pull.model_copy(update={"origin": origin, "url": url})


def pulls(repo: Path, name: str) -> Iterator[PullRequest]:
    """Every pull request of the repository's main line, newest first."""
    with objects(repo) as known:
        licences = Licences(known)
        found = groups(repo)
        while batch := list(islice(found, BATCH)):
            authors = _authors(repo, batch)
            for group in batch:
                yield whole(repo, scanned(repo, group, name, licences, authors), group)


def scanned(repo: Path, group: Group, name: str, licences: Licences, authors: dict[str, str]) -> PullRequest:
    """The pull request as far as a scan tells it: no patch yet."""
    return PullRequest(
        repo=name,
        **group.message.model_dump(),
        author=authors.get(group.head.parents[-1], group.head.author) if group.is_merge else group.head.author,
        merged_at=group.head.date,
        base_commit=group.base,
        merge_commit=group.tip,
        commits=tuple(commit.id for commit in group.commits),
        files=group.files(repo),
        unreadable=group.broken,
        licence=licences.at(group.base),
        origin="",
    )


def whole(repo: Path, pull: PullRequest, group: Group | None = None) -> PullRequest:
    """The pull request with its patches and all the text there is, when no cheaper rule drops it."""
    if not is_worth_reading(pull):
        return pull
    source_patch, test_patch, unreadable = _patches(repo, pull)
    pull = pull.model_copy(update={"patch": source_patch, "test_patch": test_patch, "unreadable": unreadable})
    if group and group.is_merge:
        came = brought(repo, group.base, group.tip)
        said = told(group.message, came)
        commits = tuple(commit.id for commit in came)
        pull = pull.model_copy(update={"commits": commits, "title": said.title, "body": said.body})
    return changelog.filled(pull)


def _patches(repo: Path, pull: PullRequest) -> tuple[str, str, str]:
    if len(pull.files) > MOST_FILES or pull.lines > MOST_LINES:
        return "", "", "too large to read"
    if any("\\x" in file.path for file in pull.files):
        return "", "", "a file's name is not UTF-8"
    try:
        first, second = (half.decode() for half in halves(repo, pull.base_commit, pull.merge_commit, pull.files))
    except GitFailed as failed:
        return "", "", str(failed)
    except UnicodeDecodeError:
        return "", "", "a changed line is not UTF-8"
    return first, second, ""


def _authors(repo: Path, batch: list[Group]) -> dict[str, str]:
    """Who wrote the last commit of each merged branch."""
    heads = [group.head.parents[-1] for group in batch if group.is_merge]
    return {commit.id: commit.author for commit in show(repo, list(dict.fromkeys(heads)))}
