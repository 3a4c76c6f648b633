"""Plans are tried in real boxes, mended, remembered, and told to the neighbours; a network fault is told to nobody."""

import asyncio
import json
import os
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from crucible.acting import Ask, Reply
from crucible.domains.code.suite import find_runner, run_suite
from crucible.errors import RecipeError, Rejected, SandboxError
from crucible.mining import MiningContext, Route
from crucible.model import Task, Usage
from crucible.sandbox import Env, Recipe, Sandbox, World
from crucible.settings import Settings
from crucible.store.blobs import Blobs
from crucible.store.ledger import open_ledger
from crucible.store.memory import LedgerMemory
from pipelines.swe.environment.stage import prepare_environment
from pipelines.swe.model import Candidate, ChangedFile, PullRequest
from pipelines.swe.settings import RepairSettings

OK = "def test_a(): pass\n"


class Counting:
    """A world that counts what is built of it, and can be told to break."""

    def __init__(self, world: World, break_on: Callable[[Recipe], Exception | None] = lambda recipe: None) -> None:
        self.world = world
        self.break_on = break_on
        self.recipes: list[Recipe] = []

    async def prepare(self, env: Env | None = None, *, boxes: int = 0) -> str:
        assert env is not None
        if env.recipe not in self.recipes:
            self.recipes.append(env.recipe)
        if fault := self.break_on(env.recipe):
            raise fault
        return await self.world.prepare(env)

    @asynccontextmanager
    async def open(self, env: Env, **_: object) -> AsyncIterator[Sandbox]:
        async with self.world.open(env) as box:
            yield box


def candidate(folder: Path, files: dict[str, str], number: int = 1) -> Candidate:
    """A pull request on a repository whose newest commit holds these files too."""
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content)
    who = [w for key in ("user.name=a", "user.email=a@x") for w in ("-c", key)]
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "x"]):
        done = ["git", "-C", str(folder), *who, *words]
        subprocess.run(done, check=True, env={"PATH": os.environ["PATH"], "HOME": str(folder)})
    head = subprocess.run(["git", "-C", str(folder), "rev-parse", "HEAD"], capture_output=True, text=True, check=True)
    changed = (
        ChangedFile(path="a.py", status="modified", sort="source"),
        ChangedFile(path="test_a.py", status="modified", sort="test"),
    )
    base = head.stdout.strip()
    pull = PullRequest(
        repo="x", number=number, title="x", base_commit=base, merge_commit=base, origin=str(folder), files=changed
    )
    return Candidate(pull=pull, route=Route(kind="bugfix", confidence=1, why=""))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "repository"
    made.mkdir()
    return made


async def test_a_network_that_is_down_is_raised_and_not_remembered(folder: Path, blobs: Blobs) -> None:
    down = Counting(None, lambda recipe: SandboxError("the network failed"))  # type: ignore[arg-type]
    context = MiningContext(world=down, blobs=blobs)  # type: ignore[arg-type]
    with pytest.raises(SandboxError):
        await prepare_environment(candidate(folder, {"a.py": "", "test_a.py": OK}), context)
    assert context.memory.recall("x") is None
    with pytest.raises(SandboxError):
        await prepare_environment(candidate(folder, {"a.py": "x = 1"}), context)


async def test_what_does_not_build_is_rejected_with_its_diagnosis_and_neighbours_are_told(
    folder: Path, blobs: Blobs, tmp_path: Path
) -> None:
    broken = RecipeError("the image does not build", "fatal error: strange.h: No such file or directory")
    world = Counting(None, lambda recipe: broken)  # type: ignore[arg-type]
    context = MiningContext(world=world, blobs=blobs)  # type: ignore[arg-type]
    url = f"sqlite:///{tmp_path}/ledger.sqlite"
    with open_ledger(url, blobs) as ledger:
        memory = LedgerMemory(ledger)
        with pytest.raises(Rejected) as caught:
            await prepare_environment(candidate(folder, {"a.py": "", "test_a.py": OK}), replace(context, memory=memory))
        ledger.put(memory.take_notes())
    assert caught.value.reason == "recipe_failed"
    assert caught.value.detail.startswith("missing_header: ")
    tried = len(world.recipes)
    with open_ledger(url, blobs) as ledger, pytest.raises(Rejected, match="strange"):
        await prepare_environment(
            candidate(folder, {"a.py": "x = 1"}, 2), replace(context, memory=LedgerMemory(ledger))
        )
    assert len(world.recipes) == tried


@pytest.mark.slow
async def test_a_base_whose_anchor_is_too_old_gets_an_image_that_neighbours_share(
    world: World, blobs: Blobs, folder: Path
) -> None:
    build = '[project]\nname = "a"\nversion = "1"\n[build-system]\nrequires = ["flit_core"]\n'
    build += 'build-backend = "flit_core.buildapi"\n[project.scripts]\na = "a:main"\n'
    build = build.replace('version = "1"', 'version = "1"\ndescription = "a"')
    candidate(folder, {"pyproject.toml": build, "notes.txt": "the module comes later\n"})
    one = candidate(folder, {"a.py": "", "test_a.py": OK}, 2)
    two = candidate(folder, {"a.py": "x = 1\n"}, 3)
    context = MiningContext(world=world, blobs=blobs, settings=Settings(sections={"repair": RepairSettings(rounds=0)}))
    [first], [second] = await prepare_environment(one, context), await prepare_environment(two, context)
    assert first.env.patch == ""
    assert second.env.recipe == first.env.recipe
    assert "x = 1" in second.env.patch
    other = MiningContext(world=world, blobs=blobs, settings=Settings(sections={"repair": RepairSettings(rounds=0)}))
    [late], [early] = await prepare_environment(two, other), await prepare_environment(one, other)
    assert late.env.patch == early.env.patch == ""  # a later tree may hold the solution of an earlier task


LOST = RecipeError("no", "getaddrinfo ENOTFOUND codeload.github.com")


def linted(folder: Path, tape: str = "1") -> Candidate:
    """A pull request on a JavaScript project that declares a linter."""
    declared = {"scripts": {"test": "tape test"}, "devDependencies": {"eslint": "1", "tape": tape}}
    asks = candidate(folder, {"a.js": "", "test_a.js": "", "package.json": json.dumps(declared)})
    changed = (ChangedFile(path="a.js", status="modified", sort="source"),)
    return asks.model_copy(update={"pull": asks.pull.model_copy(update={"files": changed})})


async def test_where_something_is_out_of_reach_plans_that_want_it_too_are_passed_over_by_neighbours_as_well(
    folder: Path, blobs: Blobs
) -> None:
    world = Counting(None, lambda recipe: LOST)  # type: ignore[arg-type]
    context = MiningContext(world=world, blobs=blobs)  # type: ignore[arg-type]
    for tape in ("1", "2"):
        with pytest.raises(SandboxError, match="out of reach"):
            await prepare_environment(linted(folder, tape), context)
    assert ["/tmp/apart" in str(recipe.commands) for recipe in world.recipes][:3] == [False, True, True]


class Advice:
    """A teacher that always gives the same answer."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.asked = 0

    async def reply(self, task: Task, ask: Ask) -> Reply:
        self.asked += 1
        return Reply(text=self.text, usage=Usage(cost_usd=1.0))


async def test_a_model_is_asked_where_no_rule_helps_and_only_while_there_is_money(folder: Path, blobs: Blobs) -> None:
    world = Counting(None, lambda recipe: RecipeError("no", "nothing that anybody knows"))  # type: ignore[arg-type]
    teacher = Advice('{"packages": ["libmystery-dev"]}')
    repair = RepairSettings(rounds=4, teacher="x", usd=0.5)
    context = MiningContext(world=world, blobs=blobs, settings=Settings(sections={"repair": repair}), teacher=teacher)  # type: ignore[arg-type]
    with pytest.raises(Rejected, match="recipe_failed"):
        await prepare_environment(candidate(folder, {"a.py": "", "test_a.py": OK, "setup.py": ""}), context)
    assert teacher.asked == 1
    assert "libmystery-dev" in world.recipes[1].packages


@pytest.mark.slow
async def test_a_missing_module_is_mended_and_neighbours_at_once_build_one_image(
    world: World, blobs: Blobs, folder: Path
) -> None:
    asks = candidate(folder, {"a.py": "", "test_a.py": "import yaml\ndef test_a(): pass\n"})
    later = candidate(folder, {"a.py": "x = 1\n"}, 2)
    counting = Counting(world)
    context = MiningContext(world=counting, blobs=blobs)  # type: ignore[arg-type]
    one, two = await asyncio.gather(prepare_environment(asks, context), prepare_environment(later, context))
    assert one[0].env.recipe == two[0].env.recipe
    assert len(counting.recipes) == 2  # as declared, and mended
    assert one[0].repair_rounds == two[0].repair_rounds == 1
    assert "x = 1" in two[0].env.patch


@pytest.mark.slow
async def test_a_plan_under_which_most_tests_fail_is_mended_and_the_better_one_taken(
    world: World, blobs: Blobs, folder: Path
) -> None:
    tests = OK + "def test_b():\n    import yaml\ndef test_c():\n    import nothing_of_that_name_anywhere_x\n"
    counting = Counting(world)
    asks = candidate(folder, {"a.py": "", "test_a.py": tests})
    [made] = await prepare_environment(asks, MiningContext(world=counting, blobs=blobs))  # type: ignore[arg-type]
    assert "PyYAML" in str(made.env.recipe)
    assert made.repair_rounds == 1


BENCHMARKS = {"benchmarks/conftest.py": "def pytest_benchmark_update_json(config): pass\n", "benchmarks/test_b.py": OK}
ZONES = """import pytest
try:
    import six
except ImportError:
    six = None
@pytest.mark.skipif(six is None, reason="six unavailable")
def test_zone(): assert six.PY3
@pytest.mark.skipif(True, reason="nothing_of_that_name_anywhere_x is not installed")
def test_never(): pass
"""


@pytest.mark.slow
async def test_what_skipped_tests_lack_is_installed_where_the_repository_declares_it(
    world: World, blobs: Blobs, folder: Path
) -> None:
    tox = "[testenv]\ndeps = pytest\n[testenv:zones]\ndeps =\n    six==0.0.1\n"  # a version that never was
    files = {"a.py": "", "test_a.py": OK, "test_zones.py": ZONES, "tox.ini": tox, **BENCHMARKS}
    counting = Counting(world)
    [made] = await prepare_environment(candidate(folder, files), MiningContext(world=counting, blobs=blobs))  # type: ignore[arg-type]
    assert made.env.recipe.commands[-2].endswith(" six'")
    assert made.repair_rounds == 2
    assert made.suite.command.endswith(
        " --ignore=benchmarks"
    )  # nobody says where tests are, and its hook stopped pytest
    assert len(counting.recipes) == 3  # as it is, in the version that is declared, in any version
    async with world.open(made.env) as box:
        report = await run_suite(box, find_runner("pytest"), made.suite)
    assert report.passed("test_zones.py::test_zone")


@pytest.mark.slow
async def test_pytest_is_given_the_paths_that_the_project_gives_it_and_those_that_the_change_touches(
    world: World, blobs: Blobs, folder: Path
) -> None:
    files = {"a.py": "", "test_a.py": OK, "tests/test_b.py": OK, "Makefile": "test:\n\tpytest tests\n", **BENCHMARKS}
    asks = candidate(folder, files)
    context = MiningContext(world=world, blobs=blobs)
    [made] = await prepare_environment(asks, context)
    assert (made.suite.paths, made.repair_rounds) == (("tests", "test_a.py"), 0)

    async def paths_with(*tests: str) -> tuple[str, ...]:
        changed = tuple(ChangedFile(path=path, status="added", sort="test") for path in tests)
        other = asks.model_copy(
            update={"pull": asks.pull.model_copy(update={"files": (*asks.pull.files[:1], *changed)})}
        )
        return (await prepare_environment(other, context))[0].suite.paths

    assert await paths_with("tests/new/test_c.py") == ("tests",)
    assert await paths_with("benchmarks/new/test_c.py") == ("tests", "benchmarks")
    assert await paths_with("new/test_c.py", "tests/test_d.py") == ()


@pytest.mark.slow
async def test_a_suite_that_hangs_is_narrowed_to_the_tests_that_were_touched(
    world: World, blobs: Blobs, folder: Path
) -> None:
    files = {"a.py": "", "test_a.py": OK, "test_b.py": "import time\ndef test_b(): time.sleep(9999)\n"}
    [made] = await prepare_environment(candidate(folder, files), MiningContext(world=Hurried(world), blobs=blobs))  # type: ignore[arg-type]
    assert made.suite.paths == ("test_a.py",)


class Hurried(Counting):
    """A world in which no command takes longer than a few seconds."""

    @asynccontextmanager
    async def open(self, env: Env, **_: object) -> AsyncIterator[Sandbox]:
        async with self.world.open(env) as box:
            whole = box.exec

            async def hurried(command: str, *, timeout: float | None = None, **more: object) -> object:
                return await whole(command, timeout=min(timeout or 20.0, 20.0), **more)  # type: ignore[arg-type]

            box.exec = hurried  # type: ignore[method-assign, assignment]
            yield box


@pytest.mark.slow
@pytest.mark.parametrize(
    ("test", "reason"),
    [
        ("import nothing_of_that_name_anywhere_x\ndef test_a(): pass\n", "tests_do_not_run"),
        ("x = 1\n", "tests_do_not_run"),
        ("import os\nos._exit(0)\n", "tests_do_not_run"),
    ],
)
async def test_tests_that_do_not_run_are_a_recorded_reason(
    world: World, blobs: Blobs, folder: Path, test: str, reason: str
) -> None:
    context = MiningContext(world=world, blobs=blobs, settings=Settings(sections={"repair": RepairSettings(rounds=0)}))
    with pytest.raises(Rejected) as caught:
        await prepare_environment(candidate(folder, {"a.py": "", "test_a.py": test}), context)
    assert caught.value.reason == reason
    assert caught.value.detail
