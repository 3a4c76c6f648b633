"""Two neighbours as one task of several steps: a pull request, and the one that was merged just before it."""

from __future__ import annotations

import asyncio
from itertools import islice

from crucible.errors import Rejected
from crucible.mining import MiningContext
from crucible.model import Task
from pipelines.swe.environment.stage import prepare_environment
from pipelines.swe.filters.stage import filter_pull_request
from pipelines.swe.model import Built, Candidate, PullRequest
from pipelines.swe.repository import origins
from pipelines.swe.repository.changes import changed_files
from pipelines.swe.rewards.fail_to_pass import build_task
from pipelines.swe.routes.stage import choose_route
from pipelines.swe.sources import clone
from pipelines.swe.statements.stage import write_statement

MOST_SEARCHED = 5_000
"""Pull requests that are looked at to find the one before."""
TESTED_KINDS = {"bugfix", "feature"}
"""Kinds of changes with tests that start to pass."""


async def merge_neighbours(built: Built, context: MiningContext) -> Task:
    """Both changes from the base of the first, rewarded by the tests of both."""
    second = built.candidate.pull
    first = await asyncio.to_thread(_pull_before, second)
    await filter_pull_request(first, context)
    kinds = {built.candidate.route.kind, choose_route(first).kind}
    if not kinds <= TESTED_KINDS:
        raise Rejected("not_mergeable", f"not both have tests that start to pass: {', '.join(sorted(kinds))}")
    both = await asyncio.to_thread(_join_pulls, first, second, built.statement.text)
    route = built.candidate.route.model_copy(update={"kind": max(kinds)})
    [prepared, *_] = await prepare_environment(Candidate(pull=both, route=route), context)
    joint = await build_task(prepared, context)
    if not set(joint.fail_to_pass) - set(built.fail_to_pass) or not set(built.fail_to_pass) & set(joint.fail_to_pass):
        raise Rejected("not_mergeable", "the tests of one of the two do not start to pass")
    finished = await write_statement(joint, context)
    if not finished:
        raise Rejected("not_mergeable", "the joint statement was dropped")
    return finished[0].task


def _pull_before(pull: PullRequest) -> PullRequest:
    """The pull request whose merge is this one's base."""
    with origins.open_repository(pull.origin) as repo:
        earlier = (candidate for batch in clone.scan_batches(repo, pull.repo) for candidate in batch)
        for candidate in islice(earlier, MOST_SEARCHED):
            if candidate.merge_commit == pull.base_commit:
                return clone.with_patches(repo, candidate).model_copy(update={"origin": pull.origin})
    raise Rejected("no_neighbour", "what was merged just before is no pull request")


def _join_pulls(first: PullRequest, second: PullRequest, statement_of_second: str) -> PullRequest:
    """Both changes as one pull request, from the base of the first to the merge of the second."""
    issue = f"There are two things to do.\n\n# First\n\n{first.statement}\n\n# Second\n\n{statement_of_second}"
    with origins.open_repository(second.origin) as repo:
        both = second.model_copy(
            update={
                "title": f"{first.title}; {second.title}",
                "issue": issue,
                "base_commit": first.base_commit,
                "commits": (*second.commits, *first.commits),
                "files": changed_files(repo, first.base_commit, second.merge_commit),
                "labels": (),
            }
        )
        return clone.with_patches(repo, both).model_copy(update={"origin": second.origin})
