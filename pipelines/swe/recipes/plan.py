"""A plan: what one recipe writer proposes for a repository, as data that can be mended; and the recipe it comes to."""

from __future__ import annotations

import shlex
from pathlib import Path

from pydantic import Field

from crucible.domains.code.suite import Suite
from crucible.record import Record
from crucible.sandbox import Env, Recipe
from pipelines.swe.recipes.toolchains import find_toolchain

HERE = Path(__file__).parent

WORKDIR = "/workspace"
"""Where the repository's files are in every image that is built from a plan."""
USER = "agent"
"""Who works in the box: every image has this user."""
HOME = "/home/agent"
"""The home folder of that user."""


class Plan(Record):
    """How a repository is made to run its tests."""

    language: str
    toolchain: str
    version: str = ""
    """Of the toolchain; empty: the usual one."""
    packages: tuple[str, ...] = ()
    """System packages beyond those of the toolchain."""
    tools: tuple[str, ...] = ()
    """Commands beyond those of the toolchain, as root, before the repository's files are there."""
    commands: tuple[str, ...] = ()
    """Commands in the repository, as the agent, with network: whatever the tests need is downloaded here."""
    environment: dict[str, str] = Field(default_factory=dict)
    suite: Suite
    dependencies: tuple[str, ...]
    """Git pathspecs of the files whose change means another image."""
    offline: bool = False
    """It needs system packages only: it can be tried where the language's own registry does not answer."""
    sparing: bool = False
    """It does without what may be out of reach, where others install all that is declared."""
    declared: tuple[str, ...] = ()
    """Packages of the language's own registry that the repository declares anywhere, whether or not they are
    installed: what a skipped test lacks is looked for here."""
    why: str = ""


def make_recipe(plan: Plan, archive: str) -> Recipe:
    """The recipe of a plan; `archive` is the blob of the repository's tar."""
    toolchain = find_toolchain(plan.toolchain, plan.version)
    return Recipe(
        base=toolchain.base,
        packages=tuple(dict.fromkeys((*toolchain.packages, *plan.packages))),
        tools=(*toolchain.tools, *plan.tools),
        archives={WORKDIR: archive},
        commands=(
            f"chown -R {USER}:{USER} .",
            *map(run_as_agent, (read_script("stage.sh"), *plan.commands, read_script("seal.sh"))),
        ),
        environment=toolchain.environment | plan.environment,
        user=USER,
    )


def make_env(plan: Plan, archive: str, patch: str) -> Env:
    """The env of a plan; `patch` is what changed since the tree in the archive."""
    limits = find_toolchain(plan.toolchain, plan.version).limits
    return Env(recipe=make_recipe(plan, archive), patch=patch, workdir=WORKDIR, limits=limits)


def run_as_agent(command: str) -> str:
    """The command that runs another one as the agent's user. What the agent is to read and write must be its own from
    the start: handing it over later would store every file of a layer a second time."""
    return f"exec runuser -u {USER} -- env HOME={HOME} /bin/sh -ec {shlex.quote(command)}"


def read_script(name: str) -> str:
    """The text of a shell script that lies beside this module: `stage.sh` or `seal.sh`."""
    return (HERE / name).read_text()
