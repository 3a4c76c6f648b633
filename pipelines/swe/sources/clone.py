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
from pipelines.swe.repository.changes import SplitFiles, read_patch, read_patches, split_patch
from pipelines.swe.repository.commits import MAX_LISTED_FILES, Commit, commits_brought
from pipelines.swe.repository.git import GitFailed
from pipelines.swe.repository.licences import Licences
from pipelines.swe.repository.objects import open_objects
from pipelines.swe.repository.pull_requests import PullCommits, find_pull_requests, is_own_work, with_commit_texts
from pipelines.swe.sources import changelog, inline_patches

MAX_PATCH_LINES = 50_000
"""Beyond this the patch itself is not read: the size limits of the filter are far below."""
BATCH_SIZE = 100
"""Pull requests whose commits, licences and patches are asked for at once."""


@source("git")
async def local_pull_requests(origin: str, context: MiningContext) -> AsyncIterator[PullRequest]:
    """Pull requests out of a local clone's history."""
    with origins.open_repository(origin) as repo:
        name, web = origins.repository_name(origin, repo), origins.web_address(repo)
        found = read_pulls(repo, name)
        while (pull := await asyncio.to_thread(next, found, None)) is not None:
            where = f"pull/{pull.number}" if pull.number else f"commit/{pull.merge_commit}"
            yield pull.model_copy(update={"origin": origin, "url": f"{web}/{where}" if web else ""})


def read_pulls(repo: Path, name: str) -> Iterator[PullRequest]:
    """Every pull request of the repository's main line, newest first."""
    for batch in scan_batches(repo, name):
        ready = _read_patches_at_once(repo, [pull for pull in batch if is_worth_reading(pull)])
        for pull in batch:
            yield with_patches(repo, pull, ready[pull.merge_commit]) if pull.merge_commit in ready else pull


def scan_batches(repo: Path, name: str) -> Iterator[list[PullRequest]]:
    """The same without their patches, a batch at a time."""
    with open_objects(repo) as known:
        licences = Licences(known)
        found = find_pull_requests(repo)
        while batch := list(islice(found, BATCH_SIZE)):
            came = commits_brought_by(repo, batch)
            licences.load_roots([group.base for group in batch])
            handed_in = [group for group in batch if not is_own_work(group, came.get(group.tip, []))]
            yield [scan_pull(repo, group, name, licences, came.get(group.tip, [])) for group in handed_in]


def _read_patches_at_once(repo: Path, worth: list[PullRequest]) -> dict[str, bytes | None]:
    """Their patches, all at once where that can be done; None where one has to be asked for by itself."""
    small = [pull for pull in worth if pull.lines <= MAX_PATCH_LINES]
    try:
        found = read_patches(repo, [(pull.base_commit, pull.merge_commit) for pull in small])
    except GitFailed:  # one of them needs an object that is missing
        found = {}
    return {pull.merge_commit: found.get(pull.merge_commit) for pull in worth}


def scan_pull(repo: Path, group: PullCommits, name: str, licences: Licences, came: Sequence[Commit]) -> PullRequest:
    """The pull request as far as a scan tells it: no patch yet. Of a merge, the last commit on the branch names
    the author."""
    heads = [commit.author for commit in came if commit.id == group.head.parents[-1]]
    return PullRequest(
        repo=name,
        **with_commit_texts(group.message, came).model_dump(),
        author=heads[0] if group.is_merge and heads else group.head.author,
        merged_at=group.head.date,
        base_commit=group.base,
        merge_commit=group.tip,
        commits=tuple(commit.id for commit in (came if group.is_merge and came else group.commits)),
        files=group.files(repo),
        unreadable=group.broken,
        licence=licences.spdx_at(group.base),
        origin="",
    )


def commits_brought_by(repo: Path, batch: Sequence[PullCommits]) -> dict[str, list[Commit]]:
    """What the merges among these brought along, asked for at once."""
    if not any(group.is_merge for group in batch):
        return {}
    return commits_brought(repo, batch[-1].base, batch[0].tip)


def with_patches(repo: Path, pull: PullRequest, ready: bytes | None = None) -> PullRequest:
    """The pull request with its patches, and with what its changelog says."""
    cut = inline_patches.split_inline_tests(repo, pull)
    source_patch, test_patch, unreadable = _patch_texts(repo, pull, cut, ready)
    files = tuple(file.model_copy(update={"holds_tests": True}) if file.path in cut else file for file in pull.files)
    made = {"patch": source_patch, "test_patch": test_patch, "unreadable": unreadable, "files": files}
    return changelog.with_changelog(pull.model_copy(update=made))


def _patch_texts(repo: Path, pull: PullRequest, cut: SplitFiles, ready: bytes | None) -> tuple[str, str, str]:
    if len(pull.files) > MAX_LISTED_FILES or pull.lines > MAX_PATCH_LINES:
        return "", "", "too large to read"
    if any("\\x" in file.path for file in pull.files):
        return "", "", "a file's name is not UTF-8"
    try:
        first, second = (half.decode() for half in _patch_halves(repo, pull, cut, ready))
    except GitFailed as failed:
        return "", "", str(failed)
    except UnicodeDecodeError:
        return "", "", "a changed line is not UTF-8"
    return first, second, ""


def _patch_halves(repo: Path, pull: PullRequest, cut: SplitFiles, ready: bytes | None) -> tuple[bytes, bytes]:
    old, new = pull.base_commit, pull.merge_commit
    if both := split_patch(read_patch(repo, old, new) if ready is None else ready, pull.files, cut):
        return both
    tests = {test: [file.path for file in pull.files if (file.sort == "test") is test] for test in (False, True)}
    first = read_patch(repo, old, new, [path for path in tests[False] if path not in cut])
    source, test = (b"".join(half) for half in zip(*cut.values(), strict=True)) if cut else (b"", b"")
    return first + source, read_patch(repo, old, new, tests[True]) + test
