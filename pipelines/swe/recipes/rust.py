"""Plans for Rust: crates fetched, tests compiled once, so that the box only compiles what changed."""

from __future__ import annotations

import re
from pathlib import Path

from crucible.datafile import read_file
from crucible.domains.code.suite import Suite
from crucible.record import Record
from pipelines.swe.recipes.plan import Plan
from pipelines.swe.recipes.toolchains import toolchain_versions
from pipelines.swe.recipes.tree import Tree, table_at

HERE = Path(__file__).parent


class Rules(Record):
    """`rust.toml`."""

    dependencies: tuple[str, ...]
    commands: tuple[str, ...]
    command: str
    compiling: str
    """The pattern of a manifest with a crate by whose help tests compile programs of their own."""
    once: str
    """The command that runs the tests of such a repository once."""
    apart: str
    """The pattern of features that do not go together with others, or not with a stable compiler."""


def write_plans(tree: Tree) -> list[Plan]:
    """Plans for the whole workspace with the newest compiler, first with all features that go together, then with the
    default ones; for the root package alone; for the whole workspace with older compilers."""
    if not tree.has("Cargo.toml"):
        return []
    scopes = ["--workspace", ""] if "workspace" in tree.toml("Cargo.toml") else [""]
    featured = [f"{scopes[0]} --features {','.join(names)}".strip()] if (names := _features(tree)) else []
    newest, *older = toolchain_versions("rust")
    ways = [(newest, scope) for scope in (*featured, *scopes)] + [(version, scopes[0]) for version in older]
    proposed = [_plan(version, scope) for version, scope in ways]
    manifests = "\n".join(map(tree.text, tree.matching("Cargo.toml", "*/Cargo.toml")))
    compile_programs = re.search(read_file(HERE / "rust.toml", Rules).compiling, manifests)
    return [_with_first_run(plan) for plan in proposed] if compile_programs else proposed


def _with_first_run(plan: Plan) -> Plan:
    """The plan that also runs the tests once, so that what they compile themselves is in the image."""
    once = read_file(HERE / "rust.toml", Rules).once.replace(
        "{scope}", plan.suite.command.partition("--tests")[2].strip()
    )
    *before, last = plan.commands
    return plan.model_copy(update={"commands": (*before, " ".join(once.split()), last)})


def _features(tree: Tree) -> list[str]:
    """The features of the package that go together; none where all of them are on by default. Code behind a feature is
    not even compiled without it."""
    features = table_at(tree.toml("Cargo.toml"), "features")
    default = set(features.get("default", ()))
    compatible = [name for name in features if not re.fullmatch(read_file(HERE / "rust.toml", Rules).apart, name)]
    return sorted(compatible) if set(compatible) - default else []


def _plan(version: str, scope: str) -> Plan:
    rules = read_file(HERE / "rust.toml", Rules)
    return Plan(
        language="rust",
        toolchain="rust",
        version=version,
        commands=tuple(command.replace("{scope}", scope).rstrip() for command in rules.commands),
        suite=Suite(runner="cargo", command=rules.command.replace("{scope}", scope).rstrip(), timeout=900),
        dependencies=rules.dependencies,
        why=f"cargo {scope}, Rust {version}",
    )
