"""The source `git`: pull requests out of a local repository's own history, with no network.

One pass over the main line finds them; patches are read only of those that no cheaper rule drops.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from itertools import islice
from pathlib import Path

from crucible.mining import MiningContext
from crucible.parts import source
from pipelines.swe.filters.stage import is_worth_reading
from pipelines.swe.model import PullRequest
from pipelines.swe.repository import origins
from pipelines.swe.repository.changes import Halves, halves, patch, patches
from pipelines.swe.repository.commits import MOST_FILES, Commit, brought
from pipelines.swe.repository.git import GitFailed
from pipelines.swe.repository.licences import Licences
from pipelines.swe.repository.objects import objects
from pipelines.swe.repository.pull_requests import Group, groups, is_own, told
from pipelines.swe.sources import changelog, within

MOST_LINES = 50_000
"""Beyond this the patch itself is not read: the size limits of the filter are far below."""
BATCH = 100
"""Pull requests whose commits, licences and patches are asked for at once."""


@source("git")
async def clone(origin: str, context: MiningContext) -> AsyncIterator[PullRequest]:
    """Pull requests out of a local clone's history."""
    with origins.opened(origin) as repo:
        name, web = origins.name(origin, repo), origins.address(repo)
        found = pulls(repo, name)
        while (pull := await asyncio.to_thread(next, found, None)) is not None:
            where = f"pull/{pull.number}" if pull.number else f"commit/{pull.merge_commit}"
            yield pull.model_copy(update={"origin": origin, "url": f"{web}/{where}" if web else ""})


def pulls(repo: Path, name: str) -> Iterator[PullRequest]:
    """Every pull request of the repository's main line, newest first."""
    for batch in scans(repo, name):
        ready = _ready(repo, [pull for pull in batch if is_worth_reading(pull)])
        for pull in batch:
            yield completed(repo, pull, ready[pull.merge_commit]) if pull.merge_commit in ready else pull


def scans(repo: Path, name: str) -> Iterator[list[PullRequest]]:
    """The same without their patches, a batch at a time."""
    with objects(repo) as known:
        licences = Licences(known)
        found = groups(repo)
        while batch := list(islice(found, BATCH)):
            came = came_with(repo, batch)
            licences.prepare([group.base for group in batch])
            handed_in = [group for group in batch if not is_own(group, came.get(group.tip, []))]
            yield [scanned(repo, group, name, licences, came.get(group.tip, [])) for group in handed_in]


def _ready(repo: Path, worth: list[PullRequest]) -> dict[str, bytes | None]:
    """Their patches, all at once where that can be done; None where one has to be asked for by itself."""
    small = [pull for pull in worth if pull.lines <= MOST_LINES]
    try:
        found = patches(repo, [(pull.base_commit, pull.merge_commit) for pull in small])
    except GitFailed:  # one of them needs an object that is missing
        found = {}
    return {pull.merge_commit: found.get(pull.merge_commit) for pull in worth}


def scanned(repo: Path, group: Group, name: str, licences: Licences, came: Sequence[Commit]) -> PullRequest:
    """The pull request as far as a scan tells it: no patch yet. Of a merge, the last commit on the branch names
    the author."""
    heads = [commit.author for commit in came if commit.id == group.head.parents[-1]]
    return PullRequest(
        repo=name,
        **told(group.message, came).model_dump(),
        author=heads[0] if group.is_merge and heads else group.head.author,
        merged_at=group.head.date,
        base_commit=group.base,
        merge_commit=group.tip,
        commits=tuple(commit.id for commit in (came if group.is_merge and came else group.commits)),
        files=group.files(repo),
        unreadable=group.broken,
        licence=licences.at(group.base),
        origin="",
    )


def came_with(repo: Path, batch: Sequence[Group]) -> dict[str, list[Commit]]:
    """What the merges among these brought along, asked for at once."""
    if not any(group.is_merge for group in batch):
        return {}
    return brought(repo, batch[-1].base, batch[0].tip)


def completed(repo: Path, pull: PullRequest, ready: bytes | None = None) -> PullRequest:
    """The pull request with its patches, and with what its changelog says."""
    cut = within.halves(repo, pull)
    source_patch, test_patch, unreadable = _patches(repo, pull, cut, ready)
    files = tuple(file.model_copy(update={"holds_tests": True}) if file.path in cut else file for file in pull.files)
    made = {"patch": source_patch, "test_patch": test_patch, "unreadable": unreadable, "files": files}
    return changelog.filled(pull.model_copy(update=made))


def _patches(repo: Path, pull: PullRequest, cut: Halves, ready: bytes | None) -> tuple[str, str, str]:
    if len(pull.files) > MOST_FILES or pull.lines > MOST_LINES:
        return "", "", "too large to read"
    if any("\\x" in file.path for file in pull.files):
        return "", "", "a file's name is not UTF-8"
    try:
        first, second = (half.decode() for half in _halves(repo, pull, cut, ready))
    except GitFailed as failed:
        return "", "", str(failed)
    except UnicodeDecodeError:
        return "", "", "a changed line is not UTF-8"
    return first, second, ""


def _halves(repo: Path, pull: PullRequest, cut: Halves, ready: bytes | None) -> tuple[bytes, bytes]:
    old, new = pull.base_commit, pull.merge_commit
    if both := halves(patch(repo, old, new) if ready is None else ready, pull.files, cut):
        return both
    tests = {test: [file.path for file in pull.files if (file.sort == "test") is test] for test in (False, True)}
    first = patch(repo, old, new, [path for path in tests[False] if path not in cut])
    source, test = (b"".join(half) for half in zip(*cut.values(), strict=True)) if cut else (b"", b"")
    return first + source, patch(repo, old, new, tests[True]) + test
