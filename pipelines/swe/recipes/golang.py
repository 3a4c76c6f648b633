"""Plans for Go: the module's dependencies downloaded, packages and tests compiled once to fill the build cache."""

from __future__ import annotations

import re
from pathlib import Path

from crucible.datafile import whole
from crucible.record import Record
from crucible.suites import Suite
from pipelines.swe.recipes.plan import Plan
from pipelines.swe.recipes.toolchains import versions as versions_of
from pipelines.swe.recipes.tree import Tree
from pipelines.swe.recipes.versions import numbers

HERE = Path(__file__).parent


class Rules(Record):
    """`golang.toml`."""

    dependencies: tuple[str, ...]
    download: str
    warm: str
    adopt: str
    command: str


def plans(tree: Tree) -> list[Plan]:
    """With the newest compiler; one of the module's own time comes next."""
    if ".go" not in tree.suffixes:
        return []
    rules = whole(HERE / "golang.toml", Rules)
    get = rules.download if tree.has("go.mod", "go.work") else rules.adopt.replace("{module}", "example.invalid/module")
    commands = (rules.warm,) if tree.has("vendor/modules.txt") else (get, rules.warm)
    return [
        Plan(
            language="go",
            toolchain="go",
            version=version,
            commands=commands,
            suite=Suite(runner="go", command=rules.command, timeout=600),
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
