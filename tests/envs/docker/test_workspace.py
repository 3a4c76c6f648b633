"""A task's patch on a shared image: the base is all there is, also to whoever looks for more than named commits."""

import pytest

from crucible.sandbox import Env, Recipe, World
from tests.crucible.toys import FIX

pytestmark = pytest.mark.slow

COMMIT = "git config user.name a && git config user.email a@x && git add -A && git commit -qm base && rm -rf .git/logs"
RECIPE = Recipe(
    packages=("git", "perl"),
    files={"/workspace/state": "broken\n"},
    commands=(f"chown root . && git init -q -b main . && {COMMIT} && git gc -q --prune=now && chown -R agent .",),
)
OBJECTS = "git cat-file --batch-all-objects --batch-check='%(objecttype)' | sort; cat state"


async def test_what_the_image_had_before_the_patch_cannot_be_found(world: World) -> None:
    async with world.open(Env(recipe=RECIPE, patch=FIX)) as box:
        found = (await box.exec(OBJECTS)).out.split()
        kept = await box.exec("git cat-file -e $(echo broken | git hash-object --stdin)")
    assert found == ["blob", "commit", "tree", "fixed"]
    assert not kept.ok
