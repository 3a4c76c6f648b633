"""Images: one per recipe, built once, described by data, and collected when the disk budget asks for it."""

import asyncio
import os
import secrets
from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import docker
import pytest
import pytest_asyncio

from crucible.errors import RecipeError, SandboxError
from crucible.sandbox import Env, Recipe, World
from crucible.settings import DockerSettings, Settings
from crucible.store.blobs import Blobs
from envs.docker.world import docker as docker_world
from envs.engine import Engine, connect, open_engine
from envs.images.build import ImageBuilder, image_name
from envs.images.collect import collect_images
from envs.images.dockerfile import pack_context, render_dockerfile
from envs.images.uses import last_use, note_use

BASE = f"crucible-test-{secrets.token_hex(6)}"
"""A base of this run's own: its images have names that no other run builds, collects or removes."""
TINY = Recipe(base=BASE, commands=("echo made > /made",))


@pytest_asyncio.fixture(scope="module")
async def engine(world: World) -> AsyncIterator[Engine]:
    """The engine, with an image to build tiny ones on."""
    usual = await world.prepare()
    async with open_engine() as opened:
        await opened.call(opened.api.tag, usual, BASE, "latest")
        yield opened
        await opened.call(opened.api.remove_image, BASE)


def test_the_same_recipe_gives_the_same_bytes_whatever_the_order_of_its_keys() -> None:
    one = Recipe(environment={"A": "1", "B": "2"}, files={"/x": "x", "/y": "y"})
    other = Recipe(files={"/y": "y", "/x": "x"}, environment={"B": "2", "A": "1"})
    assert image_name(one, "/w") == image_name(other, "/w")
    text = render_dockerfile(one, "base", "/w", {})
    assert pack_context(one, text, {}, b"") == pack_context(one, text, {}, b"")


def test_another_recipe_or_workdir_is_another_image() -> None:
    names = {image_name(recipe, workdir) for recipe in (TINY, Recipe(user="other")) for workdir in ("/a", "/b")}
    assert len(names) == 4


def test_commands_with_quotes_and_newlines_stay_one_layer_each() -> None:
    text = render_dockerfile(Recipe(commands=("echo 'a\nb' \"c\"", "true")), "base", "/w", {})
    assert [line.startswith("RUN") for line in text.splitlines()].count(True) == 3


async def test_many_askers_cause_one_build(engine: Engine, blobs: Blobs, tmp_path: Path) -> None:
    builder = ImageBuilder(engine, blobs, Settings(home=tmp_path))
    builds: list[str] = []
    build = builder._build

    async def counted(recipe: Recipe, workdir: str, name: str) -> None:
        builds.append(name)
        await build(recipe, workdir, name)

    builder._build = counted  # type: ignore[method-assign]
    names = await asyncio.gather(*(builder.ensure_image(TINY, "/many") for _ in range(5)))
    assert len(set(names)) == 1
    assert len(builds) == 1
    await engine.call(engine.api.remove_image, names[0])


async def test_an_image_that_somebody_removed_is_built_again_for_the_next_who_asks(
    engine: Engine, blobs: Blobs, tmp_path: Path
) -> None:
    env = Env(recipe=TINY, workdir="/removed")
    async with docker_world(Settings(home=tmp_path, docker=DockerSettings(pool=0)), blobs) as world:
        name = await world.prepare(env)
        await engine.call(engine.api.remove_image, name)
        with pytest.raises(SandboxError, match="is gone"):
            async with world.open(env):
                pass
        async with world.open(env) as box:
            assert (await box.exec("cat /made")).out == "made\n"
    await engine.call(engine.api.remove_image, name)


async def test_a_command_that_fails_is_a_recipe_error_with_the_end_of_the_log(world: World) -> None:
    broken = Env(recipe=Recipe(commands=("echo about to break; exit 3",)))
    with pytest.raises(RecipeError, match="non-zero code: 3") as caught:
        await world.prepare(broken)
    assert "about to break" in caught.value.log


@pytest.mark.parametrize(
    "said",
    [
        "E: Temporary failure resolving the mirror",
        "npm error code ERR_SOCKET_TIMEOUT",
        "npm error code E503",
        "ERROR: HTTP error 502 while getting a wheel",
    ],
)
async def test_a_network_that_fails_during_a_build_is_not_the_recipes_fault(world: World, said: str) -> None:
    broken = Env(recipe=Recipe(commands=(f"echo '{said}' >&2; exit 100",)))
    with pytest.raises(SandboxError, match="the network failed"):
        await world.prepare(broken)


async def test_one_host_of_source_code_that_does_not_answer_is_told_as_what_is_missing(world: World) -> None:
    broken = Env(recipe=Recipe(commands=("echo 'ENOTFOUND codeload.github.com' >&2; exit 1",)))
    with pytest.raises(RecipeError):
        await world.prepare(broken)


async def test_what_a_script_of_a_package_cannot_fetch_is_not_a_network_that_is_down(world: World) -> None:
    said = "npm error command sh -c node scripts/postinstall\\nnpm error getaddrinfo ENOTFOUND sites.example"
    broken = Env(recipe=Recipe(commands=(f"printf '{said}' >&2; exit 1",)))
    with pytest.raises(RecipeError):
        await world.prepare(broken)


async def test_a_build_past_its_deadline_is_a_recipe_error(blobs: Blobs, tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, docker=DockerSettings(build_seconds=1, pool=0))
    async with docker_world(settings, blobs) as world:
        with pytest.raises(RecipeError, match="did not end within its time"):
            await world.prepare(Env(recipe=Recipe(commands=("sleep 50",))))


async def test_a_base_nobody_has_is_a_recipe_error(world: World) -> None:
    with pytest.raises(RecipeError, match="cannot be had"):
        await world.prepare(Env(recipe=Recipe(base="crucible-no-such-base:none")))


async def test_over_budget_the_longest_unused_image_goes_and_a_needed_one_stays(
    engine: Engine, blobs: Blobs, tmp_path: Path
) -> None:
    builder = ImageBuilder(engine, blobs, Settings(home=tmp_path))
    names = [await builder.ensure_image(TINY, f"/collect{number}") for number in range(3)]
    for age, name in zip((300, 200, 100), names, strict=True):
        note_use(tmp_path, name)
        stamp = next(path for path in (tmp_path / "images").iterdir() if path.name.endswith(name[-20:]))
        moment = last_use(tmp_path, name) - age
        os.utime(stamp, (moment, moment))
    with _engine_with_only(names) as api:
        gone = await engine.call(collect_images, api, tmp_path, 0, [names[0]])
    assert [line.split()[1] for line in gone] == [names[1], names[2]]
    assert [await engine.has_image(name) for name in names] == [True, False, False]
    await engine.call(engine.api.remove_image, names[0])


async def test_an_image_of_another_home_is_as_old_as_its_making(engine: Engine, blobs: Blobs, tmp_path: Path) -> None:
    builder = ImageBuilder(engine, blobs, Settings(home=tmp_path / "theirs"))
    names = [await builder.ensure_image(TINY, f"/shared{number}") for number in range(2)]
    note_use(tmp_path, names[1])
    [stamp] = (tmp_path / "images").iterdir()
    os.utime(stamp, (1_000_000_000, 1_000_000_000))
    with _engine_with_only(names) as api:
        gone = await engine.call(collect_images, api, tmp_path, 0)
    assert [line.split()[1] for line in gone] == [names[1], names[0]]


@contextmanager
def _engine_with_only(names: Collection[str]) -> Iterator[docker.APIClient]:
    """The engine, listing these images and no others: a budget of nothing must not reach what other runs are using."""
    with closing(connect()) as api:
        every = api.df
        api.df = lambda: {"Images": [image for image in every()["Images"] if set(image["RepoTags"] or ()) & set(names)]}
        yield api
