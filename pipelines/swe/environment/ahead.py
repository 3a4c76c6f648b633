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
from pipelines.swe.recipes import plans
from pipelines.swe.recipes.manifests import declared
from pipelines.swe.recipes.plan import Plan
from pipelines.swe.recipes.tree import Tree, fits, tree_at
from pipelines.swe.repository import changes
from pipelines.swe.repository.git import is_text

LARGEST = 60_000
"""Characters of the patch: it is a word of a command, and an engine takes no longer ones."""


class Ahead(Record):
    """The dependency files of a change."""

    patch: str
    """From the base's files to the change's."""
    paths: tuple[str, ...]
    added: tuple[str, ...]
    """Those that the base does not have."""
    plans: tuple[Plan, ...]
    """How the tree with the change in it would be installed."""

    def over(self, plan: Plan, known: Sequence[Plan]) -> Plan | None:
        """A plan of the base with the second installation after it; `known` are the base's as they were proposed:
        what a plan has beyond them was mended, and must come last again."""
        later = self._like(plan)
        if later is None or not later.commands:
            return None
        proposed = {command for one in known for command in one.commands}
        mends = [command for command in plan.commands if command not in proposed]
        found = {
            "packages": tuple(dict.fromkeys((*plan.packages, *later.packages))),
            "commands": (*plan.commands, _laid(self.patch), *later.commands, *mends, _taken_back(self.added)),
            "why": f"{plan.why}; with what the change declares",
        }
        return plan.model_copy(update=found)

    def _like(self, plan: Plan) -> Plan | None:
        """The plan of the same kind; failing that, the best one in the same language. None where the files that the
        change touches do not matter to it."""
        if not any(fits(path, pattern) for path in self.paths for pattern in plan.dependencies):
            return None
        alike = [one for one in self.plans if (one.language, one.offline) == (plan.language, plan.offline)]
        return next((one for one in alike if plan.why.startswith(one.why)), alike[0] if alike else None)


def look_ahead(repo: Path, pull: PullRequest, base: Tree, where: Sequence[str], changed: Sequence[str]) -> Ahead | None:
    """The dependency files in which a change declares something else; None where it does in none, or in too many."""
    head = tree_at(repo, pull.merge_commit)
    known = [file for file in pull.files if not file.special and any(fits(file.path, one) for one in where)]
    said = {file.path: [declared(file.path, tree.text(file.path)) for tree in (base, head)] for file in known}
    files = [file for file in known if said[file.path][0] != said[file.path][1]]
    patch = changes.read_patch(repo, pull.base_commit, pull.merge_commit, [file.path for file in files])
    if not files or len(patch) > LARGEST or not is_text(patch):
        return None
    return Ahead(
        patch=patch.decode(),
        paths=tuple(file.path for file in files),
        added=tuple(file.path for file in files if file.status == "added"),
        plans=tuple(plans(head, changed)),
    )


def _laid(patch: str) -> str:
    return f"printf %s {shlex.quote(patch)} | git apply --whitespace=nowarn -"


def _taken_back(added: Sequence[str]) -> str:
    """The base's files as they were. The index holds them, and nothing but them."""
    return f"git checkout -q -- . && rm -f -- {shlex.join(added)}".removesuffix(" && rm -f -- ")
