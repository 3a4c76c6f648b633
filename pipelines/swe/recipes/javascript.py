"""Plans for JavaScript and TypeScript: the package manager by its lock file, the framework by the test script."""

from __future__ import annotations

import json
import re
import shlex
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from crucible.datafile import whole
from crucible.domains.code.suite import Suite
from crucible.record import Record
from pipelines.swe.recipes import frameworks, versions
from pipelines.swe.recipes.plan import Plan
from pipelines.swe.recipes.toolchains import versions as versions_of
from pipelines.swe.recipes.tree import Tree, table

HERE = Path(__file__).parent


class Manager(Record):
    """One package manager."""

    name: str
    locks: tuple[str, ...]
    tools: tuple[str, ...]
    locked: str
    loose: str
    run: str
    version: str


class Rules(Record):
    """`javascript.toml`."""

    dependencies: tuple[str, ...]
    idle: tuple[str, ...]
    elsewhere: str
    apart: str
    relaxed: tuple[str, ...]
    managers: tuple[Manager, ...]


@cache
def rules() -> Rules:
    """The rules, read once."""
    return whole(HERE / "javascript.toml", Rules)


def plans(tree: Tree) -> list[Plan]:
    """What the lock file says; what is declared; that without anybody's install scripts; what tests may need of it."""
    package = tree.json("package.json")
    if not package:
        return []
    manager, version = _manager(tree, package)
    locked = any(tree.has(lock) for lock in manager.locks)
    ways = [manager.locked] if locked or manager.name == "berry" else []
    ways += [manager.loose, "npm install --no-save --legacy-peer-deps --ignore-scripts --no-package-lock"]
    spared = _apart(package)
    suite = frameworks.suite(tree, package, manager.run)
    tools = tuple(tool.replace("{version}", version) for tool in manager.tools)
    node = _node(tree, package)
    return [_plan(manager, tools, node, way, suite, way in spared) for way in (*ways, *spared)] if suite else []


def _apart(package: dict[str, Any]) -> list[str]:
    """Without what is only for working on the project, and without what does not come from a registry: either may
    be beyond reach by now. Nothing to be gained where all is needed, or where packages are each other's."""
    declared = {**table(package, "devDependencies"), **table(package, "dependencies")}
    needed = {name: wanted for name, wanted in declared.items() if not _is_idle(name, str(wanted))}
    if needed == declared or "workspaces" in package:
        return []
    return [rules().apart.replace("{package}", shlex.quote(json.dumps({"dependencies": needed}))).strip()]


def _is_idle(name: str, wanted: str) -> bool:
    return any(fnmatchcase(name, one) for one in rules().idle) or bool(re.match(rules().elsewhere, wanted))


def _plan(manager: Manager, tools: tuple[str, ...], node: str, way: str, suite: Suite, sparing: bool) -> Plan:
    return Plan(
        language="javascript",
        toolchain="node",
        version=node,
        tools=tools,
        commands=(way,),
        suite=suite,
        dependencies=rules().dependencies,
        sparing=sparing,
        why=f"{manager.name}: {way}",
    )


def _manager(tree: Tree, package: dict[str, Any]) -> tuple[Manager, str]:
    """The manager that the project names, otherwise the one whose lock file is there; npm when in doubt."""
    known = {manager.name: manager for manager in rules().managers}
    named, _, version = str(package.get("packageManager", "")).partition("@")
    version = version.partition("+")[0]
    if named == "yarn" and versions.numbers(version) >= (2,):
        return known["berry"], version
    if named in known:
        return known[named], version or known[named].version
    by_lock = (manager for manager in rules().managers if any(tree.has(lock) for lock in manager.locks))
    chosen = next(by_lock, known["npm"])
    if chosen.name == "yarn" and tree.has(".yarnrc.yml"):
        chosen = known["berry"]
    return chosen, chosen.version


def _node(tree: Tree, package: dict[str, Any]) -> str:
    """The version the project works with, or one that its `engines` admits."""
    pinned = (tree.text(".nvmrc") or tree.text(".node-version")).strip()
    wanted = pinned if re.match(r"v?\d", pinned) else str(table(package, "engines").get("node", ""))
    return versions.choose(f"^{pinned.lstrip('v')}" if wanted == pinned and pinned else wanted, versions_of("node"))
