"""An exported Harbor folder in a real engine: its image builds, its solution earns the reward, nothing earns none."""

from __future__ import annotations

import io
import shlex
import tarfile
from collections.abc import AsyncIterator, Iterator

import docker
import pytest
import pytest_asyncio

from crucible.domains.code.suite import Suite, SuiteParams
from crucible.model import Check, Reference, Task
from crucible.running.run import Run, open_run
from crucible.sandbox import Env, Recipe, World
from crucible.settings import Settings
from tests.exporters import attempts, boxes
from verifiers.twins import draft_twins

pytestmark = pytest.mark.slow

FIX = """diff --git a/adding.py b/adding.py
--- a/adding.py
+++ b/adding.py
@@ -1,2 +1,2 @@
 def add(a, b):
-    return a - b
+    return a + b
"""
BUG = FIX.replace("-    return a - b\n+    return a + b", "-    return b - a\n+    return a - b")
TESTS = """from adding import add

def test_add():
    assert add(1, 2) == 3

def test_zero():
    assert add(1, 0) == 1
"""
PACKAGES = ("git", "python3", "python3-pytest")


def tar(**files: str) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, text in files.items():
            info = tarfile.TarInfo(name.replace("__", "."))
            info.size = len(text)
            archive.addfile(info, io.BytesIO(text.encode()))
    return buffer.getvalue()


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    with open_run(Settings(home=tmp_path_factory.mktemp("home"))) as opened:
        yield opened


@pytest.fixture(scope="module")
def task(run: Run) -> Task:
    commit = "git init -q -b main . && git add -A && git -c user.name=a -c user.email=a@x commit -qm base"
    recipe = Recipe(
        packages=PACKAGES,
        tools=("touch /opt/tool",),
        archives={"/workspace": run.blobs.put(tar(adding__py="def add(a, b):\n    return b - a\n"))},
        commands=(
            f"chown root . && {commit} && git config user.name a && git config user.email a@x && chown -R agent .",
        ),
    )
    params = SuiteParams(
        suite=Suite(),
        tests={"tests/test_add.py": TESTS},
        fail_to_pass=("tests/test_add.py::test_add",),
        pass_to_pass=("tests/test_add.py::test_zero",),
        twins=tuple(
            twin.model_copy(update={"fails": ("tests/test_add.py::test_add",)})
            for twin in draft_twins({"tests/test_add.py": TESTS}, seed="1")
            if twin.test == "test_add"
        ),
    )
    return attempts.task(
        env=Env(recipe=recipe, patch=BUG),
        checks=(Check(verifier="suite", params=params.model_dump(mode="json")),),
        reference=Reference(patch=FIX),
    )


@pytest_asyncio.fixture(scope="module")
async def base(world: World) -> str:
    """An image that has the packages: the folder names one of a registry, which need not be reachable here."""
    return await world.prepare(Env(recipe=Recipe(packages=PACKAGES)))


@pytest_asyncio.fixture(scope="module")
async def made(
    run: Run, task: Task, base: str, engine: docker.DockerClient, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[boxes.Made]:
    """The image, built once: every attempt at it has a container of its own."""
    with boxes.built(engine, await boxes.exported(run, task, tmp_path_factory.mktemp("made") / "out"), base) as found:
        yield found


async def test_the_exported_image_rewards_the_solution_and_nothing_else(
    engine: docker.DockerClient, made: boxes.Made
) -> None:
    assert boxes.reward(engine, made) == 0
    assert boxes.reward(engine, made, "/solution/solve.sh") == 1
    history = ["git", "-C", "/workspace", "rev-list", "--all", "--count"]
    assert engine.containers.run(made.image, history, network_mode="none", remove=True).strip() == b"1"


HOOK = """cat >{file} <<END
import pytest

@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    found = yield
    found.get_result().outcome = "passed"
END
"""
CHEATS = (
    HOOK.format(file="conftest.py"),
    HOOK.format(file="conftest.py") + "echo conftest.py >.gitignore",
    HOOK.format(file="conftest.py") + "git add -A && git checkout -q --orphan new && git commit -qm base",
    "mkdir x\n" + HOOK.format(file="x/lenient.py") + "printf '[pytest]\\naddopts=-p x.lenient\\n' >pytest.ini",
)
SETTING = "printf '[tool.pytest.ini_options]\\naddopts = \"--co\"\\n' >pyproject.toml"


async def test_what_decides_how_tests_run_is_restored(engine: docker.DockerClient, made: boxes.Made) -> None:
    for cheat in CHEATS:
        assert boxes.reward(engine, made, as_agent(cheat)) == 0, cheat
    assert boxes.reward(engine, made, as_agent(SETTING), "/solution/solve.sh") == 1


FORGED = """cat >>adding.py <<END
class Anything:
    __eq__ = lambda self, other: True
add = lambda a, b: Anything()
END
"""


async def test_an_attempt_that_passes_altered_tests_has_no_reward(
    engine: docker.DockerClient, made: boxes.Made
) -> None:
    assert boxes.reward(engine, made, as_agent(FORGED)) == 0


def as_agent(command: str) -> str:
    return f"cd /workspace && runuser -u agent -- sh -ec {shlex.quote(command)}"
