"""The building site of a pull request: the plans for its repository, and the tree that goes into the image.

Neighbours agree on the commit in the image (`anchors`), so they need none of their own unless their dependencies
differ.
"""

from __future__ import annotations

from collections.abc import Sequence

from crucible import parts
from crucible.errors import Rejected
from crucible.mining import BlobStore
from crucible.record import Record, digest
from crucible.sandbox import Env
from pipelines.swe.environment import anchors
from pipelines.swe.environment.ahead import Ahead, look_ahead
from pipelines.swe.families import is_code
from pipelines.swe.model import PullRequest
from pipelines.swe.recipes import plan as planning
from pipelines.swe.recipes import plans
from pipelines.swe.recipes.manifests import declared
from pipelines.swe.recipes.plan import Plan
from pipelines.swe.recipes.tree import Tree, tree_at
from pipelines.swe.repository import origins, trees

RULES = 3
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
    with origins.open_repository(pull.origin) as repo:
        base = tree_at(repo, pull.base_commit)
        found = runnable(base, changed)
        where = dependencies(found)
        start, patch = anchors.start(repo, pull.base_commit, start or anchors.anchor(repo, pull.base_commit, where))
        return Site(
            key=_key(pull.repo, base, where, found),
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


def _key(repo: str, tree: Tree, where: Sequence[str], found: Sequence[Plan]) -> str:
    said = {path: declared(path, tree.text(path)) for path in tree.matching(*where)}
    return f"swe.environment:{repo}:{digest(RULES, list(where), said, *found)[:20]}"
