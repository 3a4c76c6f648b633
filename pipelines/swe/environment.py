"""The environment stage: an image for the pull request's base, shared with its neighbours.

The image holds the tree of the *anchor*: the oldest commit on the main line from which the dependency files
have not changed up to the base. What changed since is the env's patch, so neighbours need no image of their own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from crucible.errors import RecipeError, Rejected
from crucible.mining import BlobStore, Workshop
from crucible.sandbox import Env
from crucible.suites import Suite
from pipelines.swe import changes, origins, python, trees
from pipelines.swe.git import git
from pipelines.swe.model import Candidate, PullRequest

WORKDIR = "/workspace"
LARGEST_PATCH = 1 << 20
"""Beyond this the base gets an image of its own."""


async def environment(candidate: Candidate, shop: Workshop) -> Sequence[Candidate]:
    """The candidate with an env whose image exists."""
    env = await asyncio.to_thread(write_env, candidate.pull, shop.blobs)
    try:
        await shop.world.prepare(env)
    except RecipeError as failed:
        end = " ".join((failed.log or str(failed)).split())[-500:]
        raise Rejected("recipe_failed", end) from failed
    suite = Suite(runner="pytest", command=python.rules().command)
    return [candidate.model_copy(update={"env": env, "suite": suite})]


def write_env(pull: PullRequest, blobs: BlobStore) -> Env:
    """The env of a pull request's base. Same repository state, same env, wherever it is made."""
    with origins.opened(pull.origin) as repo:
        start, patch = _start(repo, pull.base_commit)
        files = dependency_files(repo, start)
        archive = blobs.put(trees.archive(repo, start))
    return Env(recipe=python.recipe(files, archive, WORKDIR), patch=patch, workdir=WORKDIR)


def anchor(repo: Path, base: str) -> str:
    """The oldest commit on the main line with the dependency files of `base`, without a gap."""
    where = [f":(top,glob){pattern}" for pattern in python.rules().dependencies]
    changed = git(repo, "rev-list", "-1", "--first-parent", base, "--", *where).decode().strip()
    return changed or git(repo, "rev-list", "--first-parent", "--max-parents=0", base).decode().split()[-1]


def dependency_files(repo: Path, commit: str) -> dict[str, str]:
    """The files that decide what is installed. A tree without a line of Python has no recipe."""
    found = trees.entries(repo, commit)
    if not any(entry.path.endswith(".py") for entry in found):
        raise Rejected("no_recipe", "no Python in the tree")
    chosen = [entry for entry in found if python.decides(entry.path) and entry.mode != trees.LINK]
    return {entry.path: data.decode(errors="replace") for entry, data in trees.contents(repo, chosen)}


def _start(repo: Path, base: str) -> tuple[str, str]:
    """The commit in the image, and the patch from there to the base."""
    oldest = anchor(repo, base)
    try:
        patch = changes.patch(repo, oldest, base).decode()
    except UnicodeDecodeError:
        return base, ""
    return (oldest, patch) if len(patch) <= LARGEST_PATCH else (base, "")
