"""Recipe writers by rule: what a repository declares, turned into plans for an image in which its tests run.

A writer looks at one family of build systems and returns the plans it has for a tree, best first. Which writers are
asked first is decided by the languages of the changed files; which plan is good is decided by running it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from pipelines.swe.families import family_of
from pipelines.swe.recipes import cfamily, golang, java, javascript, python, rust
from pipelines.swe.recipes.plan import Plan
from pipelines.swe.recipes.table_plans import write_table_plans
from pipelines.swe.recipes.tree import Tree

WRITERS: Mapping[str, Callable[[Tree], list[Plan]]] = {
    "python": python.write_plans,
    "javascript": javascript.write_plans,
    "go": golang.write_plans,
    "rust": rust.write_plans,
    "java": java.write_plans,
    "c": cfamily.write_plans,
    "ruby": partial(write_table_plans, "ruby"),
    "php": partial(write_table_plans, "php"),
    "perl": partial(write_table_plans, "perl"),
    "lua": partial(write_table_plans, "lua"),
    "generic": partial(write_table_plans, "generic", toolchain="shell"),
}
"""By family, in the order in which they are asked when the changed files do not decide it. `generic` is for whatever
has a test target or a test script, in any language."""


def propose_plans(tree: Tree, changed: Sequence[str]) -> list[Plan]:
    """The plans for the languages in which the changed files are written, best first, then the generic ones; where
    there are none, every plan of every writer."""
    touched = Counter(family_of(path) for path in changed)
    order = sorted(WRITERS, key=lambda name: (-touched[name], list(WRITERS).index(name)))
    plans = {name: WRITERS[name](tree) for name in order}
    preferred = [plan for name in order if touched[name] for plan in plans[name]]
    if preferred:
        return preferred + (plans["generic"] if not touched["generic"] else [])
    return [plan for name in order for plan in plans[name]]
