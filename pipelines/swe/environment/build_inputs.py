"""What the image of a pull request is built from: the plans for its repository, and the tree that goes into the image.

Neighbours agree on the commit in the image (`anchors`), so they need none of their own unless their dependencies
differ.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from crucible import parts
from crucible.errors import Rejected
from crucible.mining import BlobStore
from crucible.record import Record, digest
from crucible.sandbox import Env
from pipelines.swe.environment.anchors import choose_image_commit, find_anchor
from pipelines.swe.environment.change_dependencies import ChangeDependencies, find_change_dependencies
from pipelines.swe.families import is_code
from pipelines.swe.model import PullRequest
from pipelines.swe.recipes import propose_plans
from pipelines.swe.recipes.manifests import dependency_content
from pipelines.swe.recipes.plan import Plan, make_env
from pipelines.swe.recipes.tree import Tree, tree_at
from pipelines.swe.repository import origins, trees

RULES_VERSION = 4
"""Part of every key: raise it when what was learnt by older rules is to be forgotten."""


class BuildInputs(Record):
    """What the repair loop starts from."""

    key: str
    """The repository, and the state of what decides its image: neighbours agree on it."""
    plans: tuple[Plan, ...]
    start: str
    """The commit in the image."""
    archive: str
    """The blob of that commit's tree, as a tar."""
    patch: str
    """From the commit in the image to the base."""
    tests: tuple[str, ...]
    """The test files that the change touches and that are there before it."""
    test_places: tuple[str, ...] = ()
    """Where the test files are that the change leaves: the files that are there before it, and the nearest folders of
    those that are not; empty for the root."""
    change_dependencies: ChangeDependencies | None = None
    """What the change declares, where that is something else than its base does."""

    def env(self, plan: Plan) -> Env:
        """The env that a plan comes to, with the base's tree in it."""
        return make_env(plan, self.archive, self.patch)


def gather_build_inputs(pull: PullRequest, blobs: BlobStore, start: str = "") -> BuildInputs:
    """Look at a pull request's base. The same state of a repository gives the same inputs, on whichever machine.
    `start` is the commit that goes into the image, where the anchor has turned out to be too old for it."""
    changed = [file.path for file in pull.files if file.sort == "source"]
    with origins.open_repository(pull.origin) as repo:
        base = tree_at(repo, pull.base_commit)
        plans = runnable_plans(base, changed)
        patterns = sorted({pattern for plan in plans for pattern in plan.dependencies})
        anchor = start or find_anchor(repo, pull.base_commit, patterns)
        start, patch = choose_image_commit(repo, pull.base_commit, anchor)
        return BuildInputs(
            key=_memory_key(pull.repo, base, patterns, plans),
            plans=tuple(plans),
            start=start,
            archive=blobs.put(trees.archive(repo, start)),
            patch=patch,
            tests=tuple(f.path for f in pull.files if f.sort == "test" and base.has(f.path) and is_code(f.path)),
            test_places=_test_places(pull, base),
            change_dependencies=find_change_dependencies(repo, pull, base, patterns, changed),
        )


def _test_places(pull: PullRequest, base: Tree) -> tuple[str, ...]:
    """Each test file that the change leaves, or the nearest folder of it that the base has."""
    tests = [
        file.path for file in pull.files if file.sort == "test" and file.status != "deleted" and is_code(file.path)
    ]
    return tuple(dict.fromkeys(path if base.has(path) else _nearest_folder(path, base) for path in tests))


def _nearest_folder(path: str, base: Tree) -> str:
    folder = posixpath.dirname(path)
    while folder and not any(other.startswith(f"{folder}/") for other in base.paths):
        folder = posixpath.dirname(folder)
    return folder


def runnable_plans(tree: Tree, changed: Sequence[str]) -> list[Plan]:
    """The plans whose test framework some runner can read. Rejected where there is none."""
    proposed = propose_plans(tree, changed)
    runners = {part.name for part in parts.every("runner")}
    runnable = [plan for plan in proposed if plan.suite.runner in runners]
    if not runnable:
        unread = ", ".join(sorted({plan.suite.runner for plan in proposed}))
        raise Rejected("no_recipe", f"nobody reads {unread}" if unread else "no manifest that a recipe writer knows")
    return runnable


def _memory_key(repo: str, tree: Tree, patterns: Sequence[str], plans: Sequence[Plan]) -> str:
    """Under which name is remembered which plan works: equal where the dependency files and the plans are."""
    contents = {path: dependency_content(path, tree.text(path)) for path in tree.matching(*patterns)}
    return f"swe.environment:{repo}:{digest(RULES_VERSION, list(patterns), contents, *plans)[:20]}"
