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
from pipelines.swe.repository.git import GitFailed, git
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
    """Pull requests out of a local clone's history. One that has not changed since is read on from where the last
    collection stopped."""
    with origins.open_repository(origin) as repo:
        name, web = origins.repository_name(origin, repo), origins.web_address(repo)
        head = git(repo, "rev-parse", "HEAD").decode().strip()
        last_head, _, last_read = context.cursor.read().partition(" ")
        pulls = read_pulls(repo, name, after=last_read if last_head == head else "")
        while (pull := await asyncio.to_thread(next, pulls, None)) is not None:
            page = f"pull/{pull.number}" if pull.number else f"commit/{pull.merge_commit}"
            yield pull.model_copy(update={"origin": origin, "url": f"{web}/{page}" if web else ""})
            context.cursor.advance(f"{head} {pull.merge_commit}")


def read_pulls(repo: Path, name: str, after: str = "") -> Iterator[PullRequest]:
    """Every pull request of the repository's main line, newest first, with the patches of those that are worth it;
    only those older than the one that was merged as `after`, if told so."""
    for batch in scan_batches(repo, name, after):
        patches = _read_patches_at_once(repo, [pull for pull in batch if is_worth_reading(pull)])
        for pull in batch:
            yield with_patches(repo, pull, patches[pull.merge_commit]) if pull.merge_commit in patches else pull


def scan_batches(repo: Path, name: str, after: str = "") -> Iterator[list[PullRequest]]:
    """Every pull request of the repository's main line, newest first, without its patches, a batch at a time; only
    those older than the one that was merged as `after`, if told so."""
    with open_objects(repo) as objects:
        licences = Licences(objects)
        pulls = find_pull_requests(repo)
        if after:
            next((pull for pull in pulls if pull.tip == after), None)
        while batch := list(islice(pulls, BATCH_SIZE)):
            brought = commits_brought_by(repo, batch)
            licences.load_roots([pull.base for pull in batch])
            handed_in = [pull for pull in batch if not is_own_work(pull, brought.get(pull.tip, []))]
            yield [scan_pull(repo, pull, name, licences, brought.get(pull.tip, [])) for pull in handed_in]


def _read_patches_at_once(repo: Path, pulls: list[PullRequest]) -> dict[str, bytes | None]:
    """The patches of these pull requests by their merge commits, from one git process where that can be done; None
    where a patch has to be read by itself."""
    small = [pull for pull in pulls if pull.lines <= MAX_PATCH_LINES]
    try:
        patches = read_patches(repo, [(pull.base_commit, pull.merge_commit) for pull in small])
    except GitFailed:  # one of them needs an object that is missing
        patches = {}
    return {pull.merge_commit: patches.get(pull.merge_commit) for pull in pulls}


def scan_pull(repo: Path, pull: PullCommits, name: str, licences: Licences, brought: Sequence[Commit]) -> PullRequest:
    """A pull request as far as its commits tell it, without its patches. The author of a merge is whoever wrote the
    last commit on its branch; `brought` are the commits that came with it."""
    authors = [commit.author for commit in brought if commit.id == pull.head.parents[-1]]
    return PullRequest(
        repo=name,
        **with_commit_texts(pull.message, brought).model_dump(),
        author=authors[0] if pull.is_merge and authors else pull.head.author,
        merged_at=pull.head.date,
        base_commit=pull.base,
        merge_commit=pull.tip,
        commits=tuple(commit.id for commit in (brought if pull.is_merge and brought else pull.commits)),
        files=pull.files(repo),
        unreadable=pull.broken,
        licence=licences.spdx_at(pull.base),
        origin="",
    )


def commits_brought_by(repo: Path, pulls: Sequence[PullCommits]) -> dict[str, list[Commit]]:
    """The commits that each merge among neighbouring pull requests brought along, by its hash."""
    if not any(pull.is_merge for pull in pulls):
        return {}
    return commits_brought(repo, pulls[-1].base, pulls[0].tip)


def with_patches(repo: Path, pull: PullRequest, patch: bytes | None = None) -> PullRequest:
    """The pull request with its patches and its changelog entry; `patch` is all that it changes, where that has been
    read already."""
    split = inline_patches.split_inline_tests(repo, pull)
    source_patch, test_patch, unreadable = _patch_texts(repo, pull, split, patch)
    files = tuple(file.model_copy(update={"holds_tests": True}) if file.path in split else file for file in pull.files)
    fields = {"patch": source_patch, "test_patch": test_patch, "unreadable": unreadable, "files": files}
    return changelog.with_changelog(pull.model_copy(update=fields))


def _patch_texts(repo: Path, pull: PullRequest, split: SplitFiles, patch: bytes | None) -> tuple[str, str, str]:
    """The patch of everything but the tests, the patch of the tests, and why they are not here as text, if so."""
    if len(pull.files) > MAX_LISTED_FILES or pull.lines > MAX_PATCH_LINES:
        return "", "", "too large to read"
    if any("\\x" in file.path for file in pull.files):
        return "", "", "a file's name is not UTF-8"
    try:
        source, tests = (half.decode() for half in _patch_halves(repo, pull, split, patch))
    except GitFailed as failed:
        return "", "", str(failed)
    except UnicodeDecodeError:
        return "", "", "a changed line is not UTF-8"
    return source, tests, ""


def _patch_halves(repo: Path, pull: PullRequest, split: SplitFiles, patch: bytes | None) -> tuple[bytes, bytes]:
    """The patch of everything but the tests, and the patch of the tests; git is asked for each of them where the whole
    patch cannot be cut at its files."""
    old, new = pull.base_commit, pull.merge_commit
    if halves := split_patch(read_patch(repo, old, new) if patch is None else patch, pull.files, split):
        return halves
    source_paths = [file.path for file in pull.files if file.sort != "test" and file.path not in split]
    test_paths = [file.path for file in pull.files if file.sort == "test"]
    inline_code = b"".join(code for code, _ in split.values())
    inline_tests = b"".join(tests for _, tests in split.values())
    code = read_patch(repo, old, new, source_paths) + inline_code
    return code, read_patch(repo, old, new, test_paths) + inline_tests
