"""What a change asks for beyond its base: its own dependency files, laid over the base's for a second installation.

An image that held only what the base declares could not measure a change that adds a dependency. Afterwards the base's
files are put back: what the change declares is for the solver to find out, that it can be had is not.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from crucible.record import Record
from pipelines.swe.model import PullRequest
from pipelines.swe.recipes import propose_plans
from pipelines.swe.recipes.manifests import dependency_content
from pipelines.swe.recipes.plan import Plan
from pipelines.swe.recipes.tree import Tree, matches_pathspec, tree_at
from pipelines.swe.repository import changes

LARGEST_PATCH = 60_000
"""Bytes of the patch: it is a word of a command, and an engine takes no longer ones."""


class ChangeDependencies(Record):
    """The dependency files of a change, and how a tree with them is installed."""

    patch: str
    """From the base's files to the change's."""
    paths: tuple[str, ...]
    added: tuple[str, ...]
    """Those that the base does not have."""
    plans: tuple[Plan, ...]
    """How the tree with the change in it would be installed."""

    def add_to(self, plan: Plan, proposed: Sequence[Plan]) -> Plan | None:
        """A plan of the base with the second installation after it; `proposed` are the base's plans as recipe writers
        wrote them: what a plan has beyond them was mended, and must come last again. None where the change's files do
        not matter to this plan."""
        second = self._matching_plan(plan)
        if second is None or not second.commands:
            return None
        commands_before_mends = {command for original in proposed for command in original.commands}
        mends = [command for command in plan.commands if command not in commands_before_mends]
        lay = f"printf %s {shlex.quote(self.patch)} | git apply --whitespace=nowarn -"
        # The index holds the base's files, and nothing but them.
        put_back = f"git checkout -q -- . && rm -f -- {shlex.join(self.added)}".removesuffix(" && rm -f -- ")
        return plan.model_copy(
            update={
                "packages": tuple(dict.fromkeys((*plan.packages, *second.packages))),
                "commands": (*plan.commands, lay, *second.commands, *mends, put_back),
                "why": f"{plan.why}; with what the change declares",
            }
        )

    def _matching_plan(self, plan: Plan) -> Plan | None:
        """The plan of the same kind; failing that, the best one in the same language. None where the files that the
        change touches do not matter to it."""
        if not any(matches_pathspec(path, pattern) for path in self.paths for pattern in plan.dependencies):
            return None
        alike = [other for other in self.plans if (other.language, other.offline) == (plan.language, plan.offline)]
        return next((other for other in alike if plan.why.startswith(other.why)), alike[0] if alike else None)


def find_change_dependencies(
    repo: Path, pull: PullRequest, base: Tree, patterns: Sequence[str], changed: Sequence[str]
) -> ChangeDependencies | None:
    """The dependency files (those that match `patterns`) in which a change declares something else than its base. None
    where it does in none, or where the patch is too large or no text."""
    head = tree_at(repo, pull.merge_commit)
    files = [
        file
        for file in pull.files
        if not file.special
        and any(matches_pathspec(file.path, pattern) for pattern in patterns)
        and dependency_content(file.path, base.text(file.path)) != dependency_content(file.path, head.text(file.path))
    ]
    patch = changes.read_patch(repo, pull.base_commit, pull.merge_commit, [file.path for file in files])
    if not files or len(patch) > LARGEST_PATCH:
        return None
    try:
        text = patch.decode()
    except UnicodeDecodeError:
        return None
    return ChangeDependencies(
        patch=text,
        paths=tuple(file.path for file in files),
        added=tuple(file.path for file in files if file.status == "added"),
        plans=tuple(propose_plans(head, changed)),
    )
