"""Plans for Go: the module's dependencies downloaded, packages and tests compiled once to fill the build cache."""

from __future__ import annotations

import re
from pathlib import Path

from crucible.datafile import read_file
from crucible.domains.code.suite import Suite
from crucible.record import Record
from pipelines.swe.recipes.plan import Plan
from pipelines.swe.recipes.toolchains import toolchain_versions
from pipelines.swe.recipes.tree import Tree
from pipelines.swe.recipes.version_requirements import parse_version

HERE = Path(__file__).parent

UNKNOWN_MODULE = "example.invalid/module"
"""What a module is called whose own name is not to be found."""
PACKAGE = re.compile(r'^package (?P<name>\w+)(?: // import "(?P<path>[\w./-]+)")?', re.MULTILINE)
# matches: package yaml // import "gopkg.in/yaml.v3"
IMPORT = re.compile(r'^(?:import )?\s*(?:[\w.]+ )?"([\w-]+\.[\w.-]+/[\w./-]+)"', re.MULTILINE)
# matches: import "github.com/pkg/errors"  (in a list of imports:)  errs "github.com/pkg/errors"
README_NAME = re.compile(
    r"(?:\bgo (?:get|install)\b|\bimport\b|godoc\.org/|pkg\.go\.dev/)"
    r"[^\n]{0,20}?\b((?:[\w-]+\.)+[a-z]+(?:/[\w.-]*\w){1,2})"
)
# matches: go get -u github.com/pkg/errors  https://godoc.org/github.com/pkg/errors
GO_VERSION = re.compile(r"^(?:go|toolchain go)\s*([\d.]+)", re.MULTILINE)
# matches: go 1.21  toolchain go1.22.1
MOST_FILES_READ = 40
"""Files of Go that are read to find the module's name."""


class Rules(Record):
    """`golang.toml`."""

    dependencies: tuple[str, ...]
    download: str
    warm: str
    adopt: str
    command: str
    unlisted: str
    """Flags where copies of other modules lie in `vendor/` without the list of them that Go expects."""


def write_plans(tree: Tree) -> list[Plan]:
    """A plan with the newest compiler, and one with the oldest compiler that is new enough for the module."""
    if ".go" not in tree.suffixes:
        return []
    rules = read_file(HERE / "golang.toml", Rules)
    download = rules.download if tree.has("go.mod", "go.work") else rules.adopt.replace("{module}", module_name(tree))
    listed = tree.has("vendor/modules.txt")
    flags = rules.unlisted if not listed and any(path.startswith("vendor/") for path in tree.paths) else ""
    steps = (rules.warm,) if listed else (download, rules.warm)
    commands = tuple(step.replace("{flags}", flags) for step in steps)
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
    """The newest version, and the oldest that is as new as the module asks for."""
    versions = toolchain_versions("go")
    declared = GO_VERSION.search(tree.text("go.mod"))
    least = parse_version(declared[1]) if declared else ()
    sufficient = [version for version in versions if parse_version(version)[: len(least)] >= least]
    return list(dict.fromkeys([versions[0], *sufficient[-1:]]))


def module_name(tree: Tree) -> str:
    """What a repository that is older than modules calls itself: by a comment, by what its tests import of it, or in
    its README. Under another name these tests would be of the published code."""
    names = [name for file in tree.matching("*.go")[:MOST_FILES_READ] for name in _package_names(tree.text(file))]
    names += [name for file in tree.matching("README*") for name in README_NAME.findall(tree.text(file))]
    copied = {name for name in names if any(path.startswith(f"vendor/{name}/") for path in tree.paths)}
    return next((name for name in names if name not in copied), UNKNOWN_MODULE)


def _package_names(text: str) -> list[str]:
    """The import paths that one file of Go gives the package it belongs to, or tests from outside."""
    package = PACKAGE.search(text)
    if package and package["path"]:
        return [package["path"]]
    own = package["name"].removesuffix("_test") if package and package["name"].endswith("_test") else ""
    return [path for path in IMPORT.findall(text) if path.rpartition("/")[2] == own]
