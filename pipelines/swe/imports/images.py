"""Rows whose repository is in an image: the tree is there already, with what its tests need."""

from __future__ import annotations

import shlex
from pathlib import Path

from crucible.datafile import whole
from crucible.domains.code import patches
from crucible.domains.code.suite import Suite
from crucible.errors import Rejected
from crucible.mining import MiningContext
from crucible.record import Record
from crucible.sandbox import Env, Recipe, Sandbox
from pipelines.swe.imports.instance import Instance
from pipelines.swe.model import Overlay
from pipelines.swe.rewards.measure import apply

HERE = Path(__file__).parent


class ImageRules(Record):
    """`images.toml`: where such images keep things."""

    workdir: str
    path: str
    command: str


def rules() -> ImageRules:
    return whole(HERE / "images.toml", ImageRules)


def env_of(instance: Instance) -> Env:
    """The image, its tree handed to the agent with one commit for a history."""
    seal = (HERE.parent / "recipes" / "seal.sh").read_text("utf-8")
    stage = (HERE / "stage.sh").read_text("utf-8")
    sealed = f"exec runuser -u agent -- env HOME=/home/agent /bin/sh -ec {shlex.quote(f'{stage}{seal}')}"
    recipe = Recipe(
        base=instance.image,
        commands=("rm -rf .git && chown -R agent:agent .", sealed),
        environment={"PATH": rules().path},
    )
    return Env(recipe=recipe, workdir=rules().workdir)


def suite_of() -> Suite:
    return Suite(runner="pytest", command=rules().command)


async def overlay_of(instance: Instance, env: Env, context: MiningContext) -> Overlay:
    """The row's test files as they are once its test patch is applied."""
    changed = patches.changes(instance.test_patch)
    async with context.world.open(env) as box:
        await apply(box, instance.test_patch)
        listed = (await box.exec("git ls-files -z -- '*conftest.py'")).out.split("\0")
        present = {change.path for change in changed if not change.gone} | {path for path in listed if path}
        tests = {path: await _text(box, path) for path in sorted(present)}
    return Overlay(tests=tests, deleted=tuple(sorted(change.path for change in changed if change.gone)))


async def _text(box: Sandbox, path: str) -> str:
    try:
        return (await box.read(path)).decode()
    except (OSError, ValueError) as wrong:
        raise Rejected("tests_not_text", f"{path}: {wrong}"[:300]) from wrong
