"""Plans for whatever has a test target or a test script, in any language."""

from __future__ import annotations

from pathlib import Path

from pipelines.swe.recipes import scripted
from pipelines.swe.recipes.plan import Plan
from pipelines.swe.recipes.tree import Tree


def plans(tree: Tree) -> list[Plan]:
    """The ways of `generic.toml` that the tree calls for."""
    return scripted.plans(tree, Path(__file__).with_suffix(".toml"), "shell")
