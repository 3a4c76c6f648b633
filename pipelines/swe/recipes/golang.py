"""Plans for Go: the module's dependencies downloaded, packages and tests compiled once to fill the build cache."""

from __future__ import annotations

import re
from pathlib import Path

from crucible.datafile import whole
from crucible.domains.code.suite import Suite
from crucible.record import Record
from pipelines.swe.recipes.plan import Plan
from pipelines.swe.recipes.toolchains import versions as versions_of
from pipelines.swe.recipes.tree import Tree
from pipelines.swe.recipes.versions import numbers

HERE = Path(__file__).parent

UNKNOWN = "example.invalid/module"
PACKAGE = re.compile(r'^package (?P<name>\w+)(?: // import "(?P<path>[\w./-]+)")?', re.MULTILINE)
IMPORT = re.compile(r'^(?:import )?\s*(?:[\w.]+ )?"([\w-]+\.[\w.-]+/[\w./-]+)"', re.MULTILINE)
TOLD = re.compile(
    r"(?:\bgo (?:get|install)\b|\bimport\b|godoc\.org/|pkg\.go\.dev/)"
    r"[^\n]{0,20}?\b((?:[\w-]+\.)+[a-z]+(?:/[\w.-]*\w){1,2})"
)
"""A name in a README: how the package is installed, imported, or looked up."""
MOST = 40
"""Files that are read to find a name."""


class Rules(Record):
    """`golang.toml`."""

    dependencies: tuple[str, ...]
    download: str
    warm: str
    adopt: str
    command: str
    unlisted: str
    """What is asked for besides where copies of other modules lie about that Go has no list of."""


def plans(tree: Tree) -> list[Plan]:
    """With the newest compiler; one of the module's own time comes next."""
    if ".go" not in tree.suffixes:
        return []
    rules = whole(HERE / "golang.toml", Rules)
    get = rules.download if tree.has("go.mod", "go.work") else rules.adopt.replace("{module}", module(tree))
    listed = tree.has("vendor/modules.txt")
    flags = rules.unlisted if not listed and any(path.startswith("vendor/") for path in tree.paths) else ""
    commands = tuple(one.replace("{flags}", flags) for one in ((rules.warm,) if listed else (get, rules.warm)))
    return [
        Plan(
            language="go",
            toolchain="go",
            version=version,
            commands=commands,
            suite=Suite(runner="go", command=rules.command.replace("{flags}", flags), timeout=600),
            dependencies=rules.dependencies,
            why=f"modules, with Go {version}",
        )
        for version in _versions(tree)
    ]


def _versions(tree: Tree) -> list[str]:
    """The newest, and the first that is as new as the module asks for."""
    known = versions_of("go")
    stated = re.search(r"^(?:go|toolchain go)\s*([\d.]+)", tree.text("go.mod"), re.MULTILINE)
    wanted = numbers(stated[1]) if stated else ()
    enough = [version for version in known if numbers(version)[: len(wanted)] >= wanted]
    return list(dict.fromkeys([known[0], *enough[-1:]]))


def module(tree: Tree) -> str:
    """What a repository that is older than modules calls itself: by a comment, by what its tests import of it, or in
    its README. Under another name these tests would be of the published code."""
    found = [path for file in tree.matching("*.go")[:MOST] for path in _named(tree.text(file))]
    found += [path for file in tree.matching("README*") for path in TOLD.findall(tree.text(file))]
    copied = {path for path in found if any(one.startswith(f"vendor/{path}/") for one in tree.paths)}
    return next((path for path in found if path not in copied), UNKNOWN)


def _named(text: str) -> list[str]:
    """The names that one file gives the package beside it."""
    package = PACKAGE.search(text)
    if package and package["path"]:
        return [package["path"]]
    own = package["name"].removesuffix("_test") if package and package["name"].endswith("_test") else ""
    return [path for path in IMPORT.findall(text) if path.rpartition("/")[2] == own]
