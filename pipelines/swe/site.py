"""The building site of a pull request: the plans for its repository, and the tree that goes into the image.

The image holds the tree of the *anchor*: the oldest commit on the main line from which the dependency files
have not changed up to the base. What changed since is the env's patch, so neighbours need no image of their own,
unless they change the dependency files themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from crucible import parts
from crucible.errors import Rejected
from crucible.mining import BlobStore
from crucible.record import Record, digest
from crucible.sandbox import Env
from pipelines.swe import changes, origins, trees
from pipelines.swe.ahead import Ahead, look_ahead
from pipelines.swe.git import GitFailed, git
from pipelines.swe.model import PullRequest
from pipelines.swe.recipes import is_code, plans
from pipelines.swe.recipes import plan as planning
from pipelines.swe.recipes.plan import Plan
from pipelines.swe.recipes.tree import Tree

LARGEST_PATCH = 1 << 20
"""Beyond this the base gets an image of its own."""
RULES = 2
"""Part of every key: raise it when what was learnt by older rules is to be forgotten."""


class Site(Record):
    """What the repair loop starts from."""

    key: str
    """The repository, and the state of what decides its image: neighbours agree on it."""
    plans: tuple[Plan, ...]
    start: str
    """The commit in the image."""
    archive: str
    patch: str
    tests: tuple[str, ...]
    """The test files that the change touches and that are there before it."""
    ahead: Ahead | None = None
    """What the change declares, where that is something else than its base does."""

    def env(self, plan: Plan) -> Env:
        return planning.env(plan, self.archive, self.patch)


def survey(pull: PullRequest, blobs: BlobStore, start: str = "") -> Site:
    """Look at a pull request's base. Same repository state, same site, wherever it is looked at. `start` is the
    commit that goes into the image, where the anchor has turned out to be too old for it."""
    changed = [file.path for file in pull.files if file.sort == "source"]
    with origins.opened(pull.origin) as repo:
        base = trees.at(repo, pull.base_commit)
        found = runnable(base, changed)
        where = dependencies(found)
        start, patch = _start(repo, pull.base_commit, start or anchor(repo, pull.base_commit, where))
        return Site(
            key=_key(pull.repo, base, where),
            plans=tuple(found),
            start=start,
            archive=blobs.put(trees.archive(repo, start)),
            patch=patch,
            tests=tuple(f.path for f in pull.files if f.sort == "test" and base.has(f.path) and is_code(f.path)),
            ahead=look_ahead(repo, pull, base, where, changed),
        )


def runnable(tree: Tree, changed: Sequence[str]) -> list[Plan]:
    """The plans whose test framework can be read."""
    found = plans(tree, changed)
    known = {part.name for part in parts.every("runner")}
    kept = [plan for plan in found if plan.suite.runner in known]
    if not kept:
        unread = ", ".join(sorted({plan.suite.runner for plan in found}))
        raise Rejected("no_recipe", f"nobody reads {unread}" if unread else "no manifest that a recipe writer knows")
    return kept


def dependencies(found: Sequence[Plan]) -> list[str]:
    """The files that decide, for any of these plans, what is installed."""
    return sorted({pattern for plan in found for pattern in plan.dependencies})


def anchor(repo: Path, base: str, where: Sequence[str]) -> str:
    """The oldest commit on the main line with the dependency files of `base`, without a gap."""
    paths = [f":(top,glob){pattern}" for pattern in where]
    changed = git(repo, "rev-list", "-1", "--first-parent", base, "--", *paths).decode().strip()
    return changed or git(repo, "rev-list", "--first-parent", "--max-parents=0", base).decode().split()[-1]


def _start(repo: Path, base: str, wanted: str) -> tuple[str, str]:
    """The commit in the image, and the patch from there to the base. Where there is no such patch, or only a large
    one, or this clone does not have the commit, the base gets an image of its own."""
    try:
        patch = changes.between(repo, wanted, base).decode()
    except (UnicodeDecodeError, GitFailed):
        return base, ""
    return (wanted, patch) if len(patch) <= LARGEST_PATCH else (base, "")


def _key(repo: str, tree: Tree, where: Sequence[str]) -> str:
    files = {path: tree.text(path) for path in tree.matching(*where)}
    return f"swe.environment:{repo}:{digest(RULES, list(where), files)[:20]}"
