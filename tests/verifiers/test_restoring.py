"""Settings of the test run inside a file that holds others are restored with it; the others alone are left."""

import json

import pytest

from crucible.sandbox import Env, Recipe, World
from verifiers.restoring import read_base_files, restore_protected

pytestmark = pytest.mark.slow

PACKAGE = {"version": "1.0.0", "scripts": {"test": "jest", "build": "tsc"}, "jest": {"bail": False}}
CARGO = '[package]\nname = "x"\nversion = "0.1.0"\n'
COMMIT = "git -c user.name=a -c user.email=a@x commit -qm base"
RECIPE = Recipe(
    packages=("git", "perl"),
    files={
        "/workspace/package.json": json.dumps(PACKAGE),
        "/workspace/Cargo.toml": CARGO,
        "/workspace/src/pluggy/a.py": "",
    },
    commands=(f"chown root . && git init -q -b main . && git add -A && {COMMIT} && chown -R agent .",),
)


async def undone(world: World, path: str, content: str) -> bool:
    async with world.open(Env(recipe=RECIPE)) as box:
        await box.write(path, content.encode())
        restored = await restore_protected(box, [path])
        return restored == (path,)


@pytest.mark.parametrize(
    "changed",
    [
        json.dumps({**PACKAGE, "jest": {"testMatch": ["none"]}}),
        json.dumps({**PACKAGE, "scripts": {"test": "true", "build": "tsc"}}),
        json.dumps({**PACKAGE, "scripts": {"test": "jest", "build": "tsc", "pretest": "cp a b"}}),
        json.dumps({**PACKAGE, "mocha": {"require": "./green.js"}}),
        "[]",
        "{ not json",
        "[" * 100_000,
    ],
)
async def test_a_package_whose_test_settings_differ_is_restored(changed: str, world: World) -> None:
    assert await undone(world, "package.json", changed)


async def test_other_settings_are_the_attempts_own(world: World) -> None:
    assert not await undone(world, "package.json", json.dumps({**PACKAGE, "version": "1.0.1", "type": "module"}))
    assert not await undone(world, "Cargo.toml", CARGO.replace("0.1.0", "0.2.0"))


async def test_a_crate_that_names_its_own_tests_is_restored(world: World) -> None:
    assert await undone(world, "Cargo.toml", f'{CARGO}\n[[test]]\nname = "it"\nharness = false\n')


@pytest.mark.parametrize(
    ("path", "restored"),
    [
        ("src/pluggy/a.py", False),
        ("src/pluggy/new.py", False),
        ("src/pluggy/conftest.py", True),
        ("pluggy/a.py", True),
        ("src/pluggy.py", True),
        ("src/_pytest/a.py", True),
    ],
)
async def test_a_part_of_the_runner_is_the_attempts_own_only_where_the_base_has_it(
    path: str, restored: bool, world: World
) -> None:
    assert await undone(world, path, "new = True\n") is restored


async def test_files_are_read_as_the_base_has_them_however_long_they_are_together(world: World) -> None:
    async with world.open(Env(recipe=RECIPE)) as box:
        await box.exec("echo '{}' > package.json; seq 40000 > long; git add -A; git commit -qm later")
        long = [f"none{number}" for number in range(150)]
        found = await read_base_files(box, ["package.json", "Cargo.toml", "long", *long])
    assert found == {"package.json": json.dumps(PACKAGE), "Cargo.toml": CARGO, "long": None} | dict.fromkeys(long)
