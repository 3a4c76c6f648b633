"""Rows whose repository is in an image: the tree is there already, with what its tests need."""

from __future__ import annotations

from pathlib import Path

from crucible.datafile import read_file
from crucible.domains.code import patches
from crucible.domains.code.suite import Suite
from crucible.errors import Rejected
from crucible.mining import MiningContext
from crucible.record import Record
from crucible.sandbox import Env, Recipe, Sandbox
from pipelines.swe.imports.instance import Instance
from pipelines.swe.model import Overlay
from pipelines.swe.recipes.plan import USER, read_script, run_as_agent
from pipelines.swe.rewards.measure import apply_or_reject

HERE = Path(__file__).parent


class ImageRules(Record):
    """`images.toml`: where such images keep things."""

    workdir: str
    path: str
    command: str


def load_rules() -> ImageRules:
    """The rules of `images.toml`."""
    return read_file(HERE / "images.toml", ImageRules)


def env_of(instance: Instance) -> Env:
    """The env of the row's image, its tree handed to the agent with one commit for a history."""
    stage = (HERE / "stage.sh").read_text("utf-8")
    recipe = Recipe(
        base=instance.image,
        commands=(f"rm -rf .git && chown -R {USER}:{USER} .", run_as_agent(f"{stage}{read_script('seal.sh')}")),
        environment={"PATH": load_rules().path},
    )
    return Env(recipe=recipe, workdir=load_rules().workdir)


def image_suite() -> Suite:
    """The suite of every such image: its tests are run by pytest."""
    return Suite(runner="pytest", command=load_rules().command)


async def overlay_of(instance: Instance, env: Env, context: MiningContext) -> Overlay:
    """The row's test files as they are once its test patch is applied."""
    changed = patches.changes(instance.test_patch)
    async with context.world.open(env) as box:
        await apply_or_reject(box, instance.test_patch)
        listed = (await box.exec("git ls-files -z -- '*conftest.py'")).out.split("\0")
        present = {change.path for change in changed if not change.gone} | {path for path in listed if path}
        tests = {path: await _read_text(box, path) for path in sorted(present)}
    return Overlay(tests=tests, deleted=tuple(sorted(change.path for change in changed if change.gone)))


async def _read_text(box: Sandbox, path: str) -> str:
    """The text of a test file in the box. Rejected where it is missing or no text."""
    try:
        return (await box.read(path)).decode()
    except (OSError, ValueError) as wrong:
        raise Rejected("tests_not_text", f"{path}: {wrong}"[:300]) from wrong
