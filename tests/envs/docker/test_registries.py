"""A box whose network is `packages` reaches what its package managers install from, and nothing else."""

from __future__ import annotations

import shlex

import pytest

from crucible.sandbox import Env, Network, Networks, Recipe, World

PACKAGES = Networks(attempting=Network(mode="packages"))
ASK = "import urllib.request as r; r.urlopen('http://example.com/', timeout=20)"


@pytest.mark.slow
async def test_packages_can_be_fetched_and_other_hosts_cannot(world: World, plain: Env) -> None:
    tools = ("python3 -m venv /opt/venv",)
    recipe = Recipe(
        packages=plain.recipe.packages, tools=tools, environment={"PATH": "/opt/venv/bin:/usr/local/bin:/usr/bin:/bin"}
    )
    async with world.open(Env(recipe=recipe, networks=PACKAGES)) as box:
        fetched = await box.exec("pip download -q --no-deps --dest /tmp/got cowsay", timeout=300)
        assert fetched.ok, fetched.err
        refused = await box.exec(f"python3 -c {shlex.quote(ASK)}")
        assert not refused.ok
        assert "403" in refused.err


async def test_an_image_without_package_managers_reaches_nothing(world: World, plain: Env) -> None:
    async with world.open(plain.model_copy(update={"networks": PACKAGES})) as box:
        refused = await box.exec(f"python3 -c {shlex.quote(ASK)}")
        assert "403" in refused.err
