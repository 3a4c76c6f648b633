"""The package cache: what was fetched once comes from it, and builds go on without it."""

import asyncio
import secrets
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from crucible.errors import RecipeError
from crucible.sandbox import Env, Recipe, World
from crucible.settings import DockerSettings, Settings
from crucible.store.blobs import Blobs
from envs.docker.world import docker as docker_world
from envs.engine import Engine, open_engine
from envs.packages.settings import PackageSettings

pytestmark = pytest.mark.slow

INSTALL = "/v/bin/pip install -q --no-deps iniconfig"
FETCH = f"""mirror=$(grep -rhom1 'http://[^ ]*' /etc/apt/sources.list* | head -n 1)
place=$mirror/pool/main/h/hello/hello_2.10.orig.tar.gz
python3 -c "import urllib.request as u; print('cache says', u.urlopen('$place').headers['X-Cache'])"
{INSTALL} && exit 3
"""
"""Fetches a file over plain HTTP and a package over an encrypted connection, and tells whether the cache had it."""


@pytest.fixture(scope="module")
def volume() -> str:
    return f"crucible-test-{secrets.token_hex(4)}"


@pytest_asyncio.fixture(scope="module")
async def engine(volume: str) -> AsyncIterator[Engine]:
    """The engine, on which no volume of this run is left."""
    async with open_engine() as opened:
        yield opened
        await opened.call(opened.api.remove_volume, volume, force=True)


@pytest_asyncio.fixture
async def cached(engine: Engine, volume: str, blobs: Blobs, tmp_path: Path) -> AsyncIterator[World]:
    """A world whose builds go through a cache of the test's own."""
    sections = {"packages": PackageSettings(cache=True, volume=volume, disk_mb=500)}
    settings = Settings(home=tmp_path, docker=DockerSettings(pool=0), sections=sections)
    async with docker_world(settings, blobs) as opened:
        yield opened


@pytest_asyncio.fixture(scope="module")
async def base(world: World, plain: Env) -> str:
    """An image that has pip, so that no build has to make that first."""
    return await world.prepare(Env(recipe=plain.recipe.model_copy(update={"tools": ("python3 -m venv /v",)})))


def _recipe(base: str, *commands: str) -> Recipe:
    """A recipe that no layer of an earlier run fits."""
    return Recipe(base=base, commands=(f": {secrets.token_hex(8)}", *commands))


async def _build(world: World, base: str, *commands: str) -> str:
    """What is printed by a build that fails in the end."""
    with pytest.raises(RecipeError) as caught:
        await world.prepare(Env(recipe=_recipe(base, *commands)))
    return caught.value.log


async def test_what_one_build_fetched_the_next_has_from_the_cache(
    cached: World, base: str, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = await _build(cached, base, FETCH), await _build(cached, base, FETCH)
    assert "cache says MISS" in first
    assert "cache says HIT" in second
    assert "without the package cache" not in caplog.text


async def test_the_packages_outlive_the_cache_and_a_dead_cache_fails_no_build(
    cached: World, base: str, engine: Engine, volume: str
) -> None:
    assert "cache says HIT" in await _build(cached, base, FETCH)
    await engine.call(engine.api.kill, f"{volume}-cache")
    assert "cache says None" in await _build(cached, base, FETCH)


async def test_a_cache_that_dies_during_a_build_is_left_out_and_the_build_succeeds(
    cached: World, base: str, engine: Engine, volume: str
) -> None:
    recipe = _recipe(base, f"sleep 3; {INSTALL} --retries 0")
    await _build(cached, base, "exit 3")  # the cache is there now
    building = asyncio.create_task(cached.prepare(Env(recipe=recipe)))
    await asyncio.sleep(1.5)
    await engine.call(engine.api.kill, f"{volume}-cache")
    assert await building
