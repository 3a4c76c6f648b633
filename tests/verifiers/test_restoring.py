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
        "/workspace/src/pluggy/t/b.py": "",
        "/workspace/tests/test_a.py": "kept = True\n",
        "/workspace/setup.cfg": "[metadata]\nname = x\n\n[tool:pytest]\naddopts = -q\n",
    },
    commands=(f"chown root . && git init -q -b main . && git add -A && {COMMIT} && chown -R agent .",),
)


async def undone(world: World, path: str, content: str) -> bool:
    async with world.open(Env(recipe=RECIPE)) as box:
        await box.write(path, content.encode())
        return path in await restore_protected(box)


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


@pytest.mark.parametrize(
    ("path", "restored"),
    [
        ("src/spec/escape.js", False),
        ("src/spec/escape.spec.js", True),
        ("src/spec/jest.config.js", True),
        ("src/spec/node_modules/a.js", True),
        ("src/pluggy/t/a.py", True),
        ("spec/a.rb", True),
        ("tests/sub/tests/a.py", True),
    ],
)
async def test_a_new_folder_below_code_may_be_called_like_one_of_tests(path: str, restored: bool, world: World) -> None:
    assert await undone(world, path, "new = True\n") is restored


async def test_files_are_read_as_the_base_has_them_however_long_they_are_together(world: World) -> None:
    async with world.open(Env(recipe=RECIPE)) as box:
        await box.exec("echo '{}' > package.json; seq 40000 > long; git add -A; git commit -qm later")
        long = [f"none{number}" for number in range(150)]
        found = await read_base_files(box, ["package.json", "Cargo.toml", "long", *long])
    assert found == {"package.json": json.dumps(PACKAGE), "Cargo.toml": CARGO, "long": None} | dict.fromkeys(long)


async def run_and_restore(world: World, script: str) -> tuple[tuple[str, ...], str]:
    """What is restored after a script has run, and what is then in the workdir."""
    async with world.open(Env(recipe=RECIPE)) as box:
        assert (await box.exec(script)).ok
        restored = await restore_protected(box)
        return restored, (await box.exec("git status --porcelain --ignored; git diff HEAD")).out


HIDDEN = {
    "a name with a space and b/ in it": ("mkdir -p 'x b/y' && echo > 'x b/y/conftest.py'", "x b/y/conftest.py"),
    "a name in quotes": ("mkdir -p '\"q\"' && echo > '\"q\"/conftest.py'", '"q"/conftest.py'),
    "a name with a line end": ("mkdir -p 'a\nb' && echo > 'a\nb/conftest.py'", "a\nb/conftest.py"),
    "a name that is no UTF-8": (r"d=$(printf 'caf\351'); mkdir $d && echo > $d/conftest.py", "caf\udce9/conftest.py"),
    "a file that git ignores": ("echo conftest.py > .gitignore; echo > conftest.py", "conftest.py"),
    "a repository of its own": ("mkdir -p n && git -C n init -q && echo > n/conftest.py", "n/conftest.py"),
    "a link in place of the tests": ("mv tests other && ln -s other tests", "tests"),
    "a module of Python's own name": ("echo > unittest.py", "unittest.py"),
    "a package of Python's own name": ("mkdir -p src/json && echo > src/json/__init__.py", "src/json/__init__.py"),
    "a compiled module": ("echo > re.cpython-311-x86_64-linux-gnu.so", "re.cpython-311-x86_64-linux-gnu.so"),
    "a link to a module": ("echo > a.txt && ln -s a.txt ast.py", "ast.py"),
}


KEPT_BY_TOOLS = {
    "python": ("pkg/__pycache__/a.cpython-311.pyc", "a.pyc"),
    "javascript": ("node_modules/.vite/deps/a.js", ".cache/babel/a.json", "tsconfig.tsbuildinfo"),
    "rust": ("target/debug/deps/a-1f", "crates/a/target/release/a", "target/.rustc_info.json"),
    "java": ("target/classes/A.class", "target/test-classes/ATest.class", ".gradle/a.bin", "build/classes/A.class"),
    "c": ("src/a.o", "src/.libs/a.so", "build/CMakeFiles/a", "build/CMakeCache.txt"),
    "ruby": ("tmp/cache/bootsnap/a",),
    "php": (".phpunit.result.cache",),
}
OWN = ("src/target/a.rs", "build/webpack.js", "cache/a.go", "lib/object.rb")


async def test_what_tools_keep_of_earlier_runs_is_not_used(world: World) -> None:
    kept = [path for paths in KEPT_BY_TOOLS.values() for path in paths]
    async with world.open(Env(recipe=RECIPE)) as box:
        for path in (*kept, *OWN):
            await box.write(path, b"poisoned")
        assert set(await restore_protected(box)) == set(kept)
        left = (await box.exec("find . -type f -not -path './.git/*' | xargs grep -l poisoned")).out.split()
    assert sorted(left) == sorted(f"./{path}" for path in OWN)


@pytest.mark.parametrize("way", HIDDEN)
async def test_a_protected_path_is_found_however_it_is_hidden(way: str, world: World) -> None:
    script, path = HIDDEN[way]
    restored, left = await run_and_restore(world, script)
    assert path in restored
    assert "conftest.py" not in left.replace("+conftest.py", "")
    assert "tests/test_a.py" not in left


async def test_modules_beside_a_package_may_be_called_as_they_like(world: World) -> None:
    script = "mkdir -p pkg && touch pkg/__init__.py pkg/json.py pkg/types.py notes.json json.txt && mkdir -p re/data"
    restored, left = await run_and_restore(world, script)
    assert not restored
    assert "pkg/" in left


async def test_settings_of_the_test_run_go_and_the_rest_of_the_file_stays(world: World) -> None:
    async with world.open(Env(recipe=RECIPE)) as box:
        mixed = {**PACKAGE, "version": "2.0.0", "scripts": {"test": "true", "build": "esbuild"}, "mocha": {}}
        await box.write("package.json", json.dumps(mixed).encode())
        await box.write("setup.cfg", b"[metadata]\nname = y\n\n[tool:pytest]\naddopts = -p green\n")
        await box.write("pyproject.toml", b'[tool.pytest.ini_options]\naddopts = "-p green"\n[tool.black]\nx = 1\n')
        assert set(await restore_protected(box)) == {"package.json", "setup.cfg", "pyproject.toml"}
        scripts = {"test": "jest", "build": "esbuild"}
        assert json.loads(await box.read("package.json")) == {**PACKAGE, "version": "2.0.0", "scripts": scripts}
        assert await box.read("setup.cfg") == b"[metadata]\nname = y\n[tool:pytest]\naddopts = -q\n"
        assert await box.read("pyproject.toml") == b"[tool.black]\nx = 1\n"
