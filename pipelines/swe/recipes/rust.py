"""Plans for Rust: crates fetched, tests compiled once, so that the box only compiles what changed."""

from __future__ import annotations

import re
from pathlib import Path

from crucible.datafile import whole
from crucible.domains.code.suite import Suite
from crucible.record import Record
from pipelines.swe.recipes.plan import Plan
from pipelines.swe.recipes.toolchains import versions
from pipelines.swe.recipes.tree import Tree

HERE = Path(__file__).parent


class Rules(Record):
    """`rust.toml`."""

    dependencies: tuple[str, ...]
    commands: tuple[str, ...]
    command: str
    compiling: str
    """A manifest with a crate by whose help tests compile programs of their own."""
    once: str
    """What is done once for these."""
    apart: str
    """Features that do not go together with others, or not with a stable compiler."""


def plans(tree: Tree) -> list[Plan]:
    """The whole workspace with the newest compiler, with all features that go together and with those it has by
    default; the root package alone; an older compiler."""
    if not tree.has("Cargo.toml"):
        return []
    scopes = ["--workspace", ""] if "workspace" in tree.toml("Cargo.toml") else [""]
    featured = [f"{scopes[0]} --features {','.join(names)}".strip()] if (names := _features(tree)) else []
    newest, *older = versions("rust")
    ways = [(newest, scope) for scope in (*featured, *scopes)] + [(version, scopes[0]) for version in older]
    found = [_plan(version, scope) for version, scope in ways]
    manifests = "\n".join(map(tree.text, tree.matching("Cargo.toml", "*/Cargo.toml")))
    compiling = re.search(whole(HERE / "rust.toml", Rules).compiling, manifests)
    return [_compiled(plan) for plan in found] if compiling else found


def _compiled(plan: Plan) -> Plan:
    """The plan whose tests have been run once, so that what they compile is there."""
    once = whole(HERE / "rust.toml", Rules).once.replace("{scope}", plan.suite.command.partition("--tests")[2].strip())
    *before, last = plan.commands
    return plan.model_copy(update={"commands": (*before, " ".join(once.split()), last)})


def _features(tree: Tree) -> list[str]:
    """What the package has beyond its default: code behind a feature is not even compiled without it."""
    told = tree.toml("Cargo.toml").get("features", {})
    named = told if isinstance(told, dict) else {}
    default = set(named.get("default", ()))
    more = [name for name in named if not re.fullmatch(whole(HERE / "rust.toml", Rules).apart, name)]
    return sorted(more) if set(more) - default else []


def _plan(version: str, scope: str) -> Plan:
    rules = whole(HERE / "rust.toml", Rules)
    return Plan(
        language="rust",
        toolchain="rust",
        version=version,
        commands=tuple(command.replace("{scope}", scope).rstrip() for command in rules.commands),
        suite=Suite(runner="cargo", command=rules.command.replace("{scope}", scope).rstrip(), timeout=900),
        dependencies=rules.dependencies,
        why=f"cargo {scope}, Rust {version}",
    )
