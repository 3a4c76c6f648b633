"""Plans for JavaScript and TypeScript: the package manager by its lock file, the framework by the test script."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from crucible.datafile import whole
from crucible.record import Record
from crucible.suites import Suite
from pipelines.swe.recipes import scripts, versions
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


class Framework(Record):
    """One test framework."""

    runner: str
    programs: tuple[str, ...]
    command: str


class Rules(Record):
    """`javascript.toml`."""

    dependencies: tuple[str, ...]
    wrappers: tuple[str, ...]
    reporting: tuple[str, ...]
    taking: tuple[str, ...]
    managers: tuple[Manager, ...]
    frameworks: tuple[Framework, ...]


@cache
def rules() -> Rules:
    """The rules, read once."""
    return whole(HERE / "javascript.toml", Rules)


def plans(tree: Tree) -> list[Plan]:
    """What the lock file says; what is declared; that without anybody's install scripts."""
    package = tree.json("package.json")
    if not package:
        return []
    manager, version = _manager(tree, package)
    locked = any(tree.has(lock) for lock in manager.locks)
    ways = [manager.locked] if locked or manager.name == "berry" else []
    ways += [manager.loose, "npm install --no-save --legacy-peer-deps --ignore-scripts --no-package-lock"]
    suite = _suite(tree, package, manager)
    tools = tuple(tool.replace("{version}", version) for tool in manager.tools)
    node = _node(tree, package)
    return [_plan(manager, tools, node, way, suite) for way in ways] if suite else []


def _plan(manager: Manager, tools: tuple[str, ...], node: str, way: str, suite: Suite) -> Plan:
    return Plan(
        language="javascript",
        toolchain="node",
        version=node,
        tools=tools,
        commands=(way,),
        suite=suite,
        dependencies=rules().dependencies,
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


def _suite(tree: Tree, package: dict[str, Any], manager: Manager) -> Suite | None:
    """The framework's own command, out of the test script; otherwise the framework that is installed."""
    known = table(package, "scripts")
    chain = scripts.chain(known, "test")
    build = _build(tree, package, chain, manager)
    for words in chain:
        found = _framework(words)
        if found:
            return Suite(runner=found[0], command=found[1], build=build, timeout=600)
    installed = {**table(package, "devDependencies"), **table(package, "dependencies")}
    for framework in rules().frameworks:
        if set(framework.programs) & installed.keys():
            return Suite(runner=framework.runner, command=framework.command, build=build, timeout=600)
    return Suite(runner="node", command="node --test", build=build, timeout=600) if tree.matching(*NODE) else None


NODE = ("test.js", "test.mjs", "**/*.test.js", "**/*.test.mjs", "test/*.js", "test/*.mjs")


def _framework(words: list[str]) -> tuple[str, str] | None:
    """Runner and command, when these words start a framework that is known."""
    settings, rest = scripts.settings(words, rules().wrappers)
    if "node" in rest[:1] and any(word == "--test" for word in rest):
        return "node", scripts.joined(settings, [w for w in rest if not w.startswith("--test-reporter")])
    for place, word in enumerate(rest):
        program = Path(word).name.removesuffix(".js") if "node_modules/" in word else word
        for framework in rules().frameworks:
            if program in framework.programs and not word.startswith("-"):
                words = scripts.without(rest[place + 1 :], rules().reporting, rules().taking)
                words = [w for w in words if framework.runner != "vitest" or w not in ("run", "watch")]
                flags = [w for w in rest[:place] if w.startswith("--experimental") or w.startswith("--import")]
                told = [*settings, f"NODE_OPTIONS={' '.join(flags)}"] if flags else settings
                return framework.runner, scripts.joined(told, framework.command.split(" ") + words)
    return None


def _build(tree: Tree, package: dict[str, Any], chain: list[list[str]], manager: Manager) -> str:
    """The build, where the tests ask for it or would load what only it makes."""
    if "build" not in table(package, "scripts"):
        return ""
    asked = any(word in ("build", "tsc") for words in chain for word in words)
    entry = str(package.get("main", "")).removeprefix("./")
    made = re.match(r"(dist|lib|build|out|es|cjs)/", entry) and not tree.has(entry, f"{entry}.js", f"{entry}/index.js")
    return f"{manager.run} build" if asked or made else ""
