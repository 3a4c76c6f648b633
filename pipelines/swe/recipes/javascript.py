"""Plans for JavaScript and TypeScript: the package manager by its lock file, the framework by the test script."""

from __future__ import annotations

import json
import re
import shlex
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from crucible.datafile import read_file
from crucible.domains.code.suite import Suite
from crucible.record import Record
from pipelines.swe.recipes.javascript_frameworks import find_suite
from pipelines.swe.recipes.plan import Plan
from pipelines.swe.recipes.toolchains import toolchain_versions
from pipelines.swe.recipes.tree import Tree, table_at
from pipelines.swe.recipes.version_requirements import choose_version, parse_version

HERE = Path(__file__).parent

INSTALL_WITHOUT_SCRIPTS = "npm install --no-save --legacy-peer-deps --ignore-scripts --no-package-lock"
VERSION_START = re.compile(r"v?\d")
# matches the beginning of: v18.2.0  20  (and not of `lts/iron`)


class Manager(Record):
    """One package manager, and how it installs: what its lock file says, otherwise what is declared."""

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
    """Packages for working on a project, with wildcards: tests do not need them."""
    elsewhere: str
    """The pattern of a requirement that does not come from a registry."""
    apart: str
    """The command that installs in another folder and brings the packages over; `{package}` is filled in."""
    relaxed: tuple[str, ...]
    """Five commands: set `package.json` aside, allow any version of `{name}`, leave `{name}` out, install, put the file
    back."""
    managers: tuple[Manager, ...]


@cache
def load_rules() -> Rules:
    """The rules of `javascript.toml`, read once."""
    return read_file(HERE / "javascript.toml", Rules)


def write_plans(tree: Tree) -> list[Plan]:
    """Plans that install what the lock file says; what is declared; the same without install scripts; and only what
    tests may need. None where no test framework is to be seen."""
    package = tree.json("package.json")
    if not package:
        return []
    manager, version = _find_manager(tree, package)
    suite = find_suite(tree, package, manager.run)
    if suite is None:
        return []
    locked = any(tree.has(lock) for lock in manager.locks)
    ways = [manager.locked] if locked or manager.name == "berry" else []
    ways += [manager.loose, INSTALL_WITHOUT_SCRIPTS]
    sparing = _install_needed(package)
    tools = tuple(tool.replace("{version}", version) for tool in manager.tools)
    node = _node_version(tree, package)
    return [_plan(manager, tools, node, way, suite, way in sparing) for way in (*ways, *sparing)]


def _install_needed(package: dict[str, Any]) -> list[str]:
    """The command that installs all but what is only for working on the project and what does not come from a
    registry: either may be beyond reach by now. None where all is needed, or where packages are each other's."""
    declared = {**table_at(package, "devDependencies"), **table_at(package, "dependencies")}
    needed = {name: version for name, version in declared.items() if not _is_unneeded(name, str(version))}
    if needed == declared or "workspaces" in package:
        return []
    return [load_rules().apart.replace("{package}", shlex.quote(json.dumps({"dependencies": needed}))).strip()]


def _is_unneeded(name: str, requirement: str) -> bool:
    """Whether tests do without a package, or it does not come from a registry."""
    is_idle = any(fnmatchcase(name, pattern) for pattern in load_rules().idle)
    return is_idle or bool(re.match(load_rules().elsewhere, requirement))


def _plan(manager: Manager, tools: tuple[str, ...], node: str, way: str, suite: Suite, sparing: bool) -> Plan:
    return Plan(
        language="javascript",
        toolchain="node",
        version=node,
        tools=tools,
        commands=(way,),
        suite=suite,
        dependencies=load_rules().dependencies,
        sparing=sparing,
        why=f"{manager.name}: {way}",
    )


def _find_manager(tree: Tree, package: dict[str, Any]) -> tuple[Manager, str]:
    """The package manager and its version: the one that the project names, otherwise the one whose lock file is there;
    npm when in doubt."""
    managers = {manager.name: manager for manager in load_rules().managers}
    name, _, version = str(package.get("packageManager", "")).partition("@")
    version = version.partition("+")[0]
    if name == "yarn" and parse_version(version) >= (2,):
        return managers["berry"], version
    if name in managers:
        return managers[name], version or managers[name].version
    by_lock = (manager for manager in load_rules().managers if any(tree.has(lock) for lock in manager.locks))
    chosen = next(by_lock, managers["npm"])
    if chosen.name == "yarn" and tree.has(".yarnrc.yml"):
        chosen = managers["berry"]
    return chosen, chosen.version


def _node_version(tree: Tree, package: dict[str, Any]) -> str:
    """The version of Node that the project pins, or one that its `engines` admits."""
    pinned = (tree.text(".nvmrc") or tree.text(".node-version")).strip()
    if VERSION_START.match(pinned):
        requirement = f"^{pinned.lstrip('v')}"
    else:
        requirement = str(table_at(package, "engines").get("node", ""))
    return choose_version(requirement, toolchain_versions("node"))
