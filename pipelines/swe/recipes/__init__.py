"""Recipe writers by rule: what a repository declares, turned into plans for an image in which its tests run.

A writer looks at one family of build systems and returns the plans it has for a tree, best first. Which writers are
asked first is decided by the languages of the changed files; which plan is good is decided by running it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path, PurePosixPath

from crucible.datafile import rows
from crucible.record import Record
from pipelines.swe.recipes import cfamily, generic, golang, java, javascript, lua, perl, php, python, ruby, rust
from pipelines.swe.recipes.plan import Plan
from pipelines.swe.recipes.tree import Tree

HERE = Path(__file__).parent

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


class Family(Record):
    """One row of `families.toml`: the files that are written in a family's languages."""

    name: str
    suffixes: tuple[str, ...]


@cache
def _families() -> Mapping[str, str]:
    found = rows(HERE / "families.toml", "families", Family)
    return {suffix: family.name for family in found for suffix in family.suffixes}


def is_code(path: str) -> bool:
    """Whether a file is written in a language that some writer knows; data beside the tests is not."""
    return PurePosixPath(path).suffix in _families()


def plans(tree: Tree, changed: Sequence[str]) -> list[Plan]:
    """The plans for the languages in which the change is written, best first, then the generic ones; where that is
    none, every plan there is."""
    touched = Counter(_families().get(PurePosixPath(path).suffix, "") for path in changed)
    order = sorted(WRITERS, key=lambda name: (-touched[name], list(WRITERS).index(name)))
    found = {name: WRITERS[name](tree) for name in order}
    spoken = [plan for name in order if touched[name] for plan in found[name]]
    if spoken:
        return spoken + (found["generic"] if not touched["generic"] else [])
    return [plan for name in order for plan in found[name]]
