"""Two neighbours as one task of several steps: a pull request, and the one that was merged just before it."""

from __future__ import annotations

import asyncio
from itertools import islice
from pathlib import Path

from crucible.errors import Rejected
from crucible.mining import MiningContext
from crucible.model import Task
from pipelines.swe.environment.stage import prepare_environment
from pipelines.swe.filters.stage import filter_pull_request
from pipelines.swe.model import Built, Candidate, PullRequest
from pipelines.swe.repository import origins
from pipelines.swe.repository.changes import changed_files
from pipelines.swe.rewards.fail_to_pass import build
from pipelines.swe.routes.stage import choose_route
from pipelines.swe.sources import clone
from pipelines.swe.statements.stage import statement

FURTHEST = 5_000
"""Pull requests that are looked at to find the one before."""
TESTED = ("bugfix", "feature")


async def merge(built: Built, context: MiningContext) -> Task:
    """Both changes from the base of the first, rewarded by the tests of both."""
    second = built.candidate.pull
    first = await asyncio.to_thread(_before, second)
    await filter_pull_request(first, context)
    kinds = {built.candidate.route.kind, choose_route(first).kind}
    if not kinds <= {*TESTED}:
        raise Rejected("not_mergeable", f"not both have tests that start to pass: {', '.join(sorted(kinds))}")
    both = await asyncio.to_thread(_joined, first, second, built.statement.text)
    route = built.candidate.route.model_copy(update={"kind": max(kinds)})
    [prepared, *_] = await prepare_environment(Candidate(pull=both, route=route), context)
    made = await build(prepared, context)
    if not set(made.fail_to_pass) - set(built.fail_to_pass) or not set(built.fail_to_pass) & set(made.fail_to_pass):
        raise Rejected("not_mergeable", "the tests of one of the two do not start to pass")
    finished = await statement(made, context)
    if not finished:
        raise Rejected("not_mergeable", "the joint statement was dropped")
    return finished[0].task


def _before(pull: PullRequest) -> PullRequest:
    """The pull request whose merge is this one's base."""
    with origins.open_repository(pull.origin) as repo:
        for found in islice((one for batch in clone.scan_batches(repo, pull.repo) for one in batch), FURTHEST):
            if found.merge_commit == pull.base_commit:
                return clone.with_patches(repo, found).model_copy(update={"origin": pull.origin})
    raise Rejected("no_neighbour", "what was merged just before is no pull request")


def _joined(first: PullRequest, second: PullRequest, told: str) -> PullRequest:
    with origins.open_repository(second.origin) as repo:
        return _read(repo, first, second, told).model_copy(update={"origin": second.origin})


def _read(repo: Path, first: PullRequest, second: PullRequest, told: str) -> PullRequest:
    both = second.model_copy(
        update={
            "title": f"{first.title}; {second.title}",
            "issue": f"There are two things to do.\n\n# First\n\n{first.statement}\n\n# Second\n\n{told}",
            "base_commit": first.base_commit,
            "commits": (*second.commits, *first.commits),
            "files": changed_files(repo, first.base_commit, second.merge_commit),
            "labels": (),
        }
    )
    return clone.with_patches(repo, both)
