"""Recipe writers by rule: what a repository declares, turned into plans for an image in which its tests run.

A writer looks at one family of build systems and returns the plans it has for a tree, best first. Which writers are
asked first is decided by the languages of the changed files; which plan is good is decided by running it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from pipelines.swe.families import family_of
from pipelines.swe.recipes import cfamily, generic, golang, java, javascript, lua, perl, php, python, ruby, rust
from pipelines.swe.recipes.plan import Plan
from pipelines.swe.recipes.tree import Tree

WRITERS: Mapping[str, Callable[[Tree], list[Plan]]] = {
    "python": python.plans,
    "javascript": javascript.plans,
    "go": golang.plans,
    "rust": rust.plans,
    "java": java.plans,
    "c": cfamily.plans,
    "ruby": ruby.plans,
    "php": php.plans,
    "perl": perl.plans,
    "lua": lua.plans,
    "generic": generic.plans,
}
"""By family, in the order in which they are asked when the changed files do not tell."""


def plans(tree: Tree, changed: Sequence[str]) -> list[Plan]:
    """The plans for the languages in which the change is written, best first, then the generic ones; where that is
    none, every plan there is."""
    touched = Counter(family_of(path) for path in changed)
    order = sorted(WRITERS, key=lambda name: (-touched[name], list(WRITERS).index(name)))
    found = {name: WRITERS[name](tree) for name in order}
    spoken = [plan for name in order if touched[name] for plan in found[name]]
    if spoken:
        return spoken + (found["generic"] if not touched["generic"] else [])
    return [plan for name in order for plan in found[name]]
