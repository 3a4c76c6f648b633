"""Rewards of the routes beside fixes, by execution on an authored repository, proven sound."""

from __future__ import annotations

import subprocess
from pathlib import Path
from unittest.mock import AsyncMock

import pytest
import pytest_asyncio

from crucible.domains.code.check_params import Fact, SpeedParams, StructureParams
from crucible.domains.code.suite import Report, Status, SuiteParams
from crucible.errors import Rejected
from crucible.judging.cascade import Judging
from crucible.judging.soundness import Play, prove
from crucible.mining import MiningContext, Route
from crucible.sandbox import World
from crucible.store.blobs import Blobs
from pipelines.swe.model import Candidate, Overlay, PullRequest
from pipelines.swe.rewards import measure as measuring
from pipelines.swe.rewards.classify import Split, classify
from pipelines.swe.rewards.structural_goals import find_altered, find_goals
from pipelines.swe.statements.stage import write_statement
from pipelines.swe.transforms import TRANSFORMS
from tests.pipelines.swe.conftest import built, mined

LONG = "def area(kind):\n" + "".join(f"    if kind == {n}:\n        return {n}\n" for n in range(6))


def test_goals_are_what_is_false_before_and_true_after() -> None:
    before = {"a.py": LONG + "\n\ndef old():\n    pass\n", "b.py": None, "c.py": "X = 1\n"}
    after = {"a.py": "def area(kind):\n    return kind\n", "b.py": "def old():\n    pass\n", "c.py": None}
    found = find_goals(before, after)
    assert Fact(what="file", path="b.py") in found
    assert Fact(what="no_file", path="c.py") in found
    assert Fact(what="no_name", path="a.py", name="old") in found
    assert Fact(what="name", path="b.py", name="old") in found
    assert Fact(what="lines", path="a.py", name="area", most=7) in found
    assert Fact(what="branches", path="a.py", name="area", most=3) in found
    assert len(found) == 6


def test_private_helpers_are_nobodys_goal() -> None:
    assert find_goals({"a.py": "def f():\n    pass\n"}, {"a.py": "def f():\n    pass\n\n\ndef _g():\n    pass\n"}) == ()


SUMS = "def total(n):\n    found = 0\n    for k in range(n):\n        for _ in range(60):\n            found += k\n"
TEXT = "The numbers of a month are added up again and again when the desk closes, and everybody has to wait for it. "
BASE = {
    "LICENSE": Path("sample_data/swe/shelf/base/LICENSE").read_text(),
    "sums.py": f"{SUMS}    return found // 60\n\n\ndef mean(n):\n    return total(n) / n + 1\n"
    "\n\ndef low(n):\n    return n > 3\n",
    "tests/test_sums.py": "from sums import total\n\n\ndef test_total():\n    assert total(120_000) == 7199940000\n",
}
STEPS = [
    ("A library of sums", BASE),
    (
        f"perf: add up in one go (#1)\n\n{TEXT}",
        {
            "sums.py": BASE["sums.py"].replace(
                f"{SUMS}    return found // 60", "def total(n):\n    return sum(range(n))"
            ),
            "tests/test_sums.py": BASE["tests/test_sums.py"] + "\n\ndef test_none():\n    assert total(0) == 0\n",
        },
    ),
    (
        f"fix: the mean is one too high (#2)\n\nThe mean of the first is one too high: mean(3) is 2, not 1. {TEXT}",
        {"tests/test_mean.py": "from sums import mean\n\n\ndef test_mean():\n    assert mean(3) == 1\n"},
    ),
    (
        f"fix: low numbers are not low (#3)\n\nlow(2) says no, though 2 is lower than 3, and low(5) says yes. {TEXT}",
        {"tests/test_low.py": "from sums import low\n\n\ndef test_low():\n    assert low(2)\n    assert not low(5)\n"},
    ),
    (
        f"refactor: means have a module of their own (#4)\n\n{TEXT}",
        {
            "means.py": "from sums import total\n\n\ndef mean(n):\n    return total(n) / n\n",
            "sums.py": "def total(n):\n    return sum(range(n))\n\n\ndef low(n):\n    return n < 3\n",
            "tests/test_mean.py": "from means import mean\n\n\ndef test_mean():\n    assert mean(3) == 1\n",
        },
    ),
]
STEPS.append(
    (
        f"Three is low as well (#5)\n\nlow(3) shall be true from now on, and low(4) false as before. {TEXT}",
        {
            "sums.py": "def total(n):\n    return sum(range(n))\n\n\ndef low(n):\n    return n <= 3\n",
            "tests/test_low.py": "from sums import low\n\n\ndef test_low():\n    assert low(3) and not low(4)\n",
            "benchmarks/bench_low.py": "from sums import low\n\nlow(3)\n",
        },
    )
)
STEPS[2][1]["sums.py"] = STEPS[1][1]["sums.py"].replace(" / n + 1", " / n")
STEPS[3][1]["sums.py"] = STEPS[2][1]["sums.py"].replace("n > 3", "n < 3")


GO = "package sums\n\n// Total adds up all numbers below n.\nfunc Total(n int) int {\n"
GO_SLOW = "\tfound := 0\n\tfor k := range n {\n\t\tfor range k {\n\t\t\tfound++\n\t\t}\n\t}\n\treturn found\n}\n"
GO_TEST = (
    'package sums\n\nimport "testing"\n\nfunc TestTotal(t *testing.T) {\n'
    "\tif Total(40000) != 799980000 {\n\t\tt.Fatal(Total(40000))\n\t}\n}\n"
)
GO_NONE = "\nfunc TestNone(t *testing.T) {\n\tif Total(0) != 0 {\n\t\tt.Fatal(Total(0))\n\t}\n}\n"
GO_STEPS = [
    (
        "A library of sums",
        {"LICENSE": BASE["LICENSE"], "go.mod": "module example.org/sums\n\ngo 1.23\n"}
        | {"day/sums.go": GO + GO_SLOW, "day/sums_test.go": GO_TEST},
    ),
    (
        f"perf: add up in one go (#1)\n\n{TEXT}",
        {"day/sums.go": f"{GO}\treturn n * (n - 1) / 2\n}}\n", "day/sums_test.go": GO_TEST + GO_NONE},
    ),
]


def committed(folder: Path, steps: list[tuple[str, dict[str, str]]]) -> str:
    """An authored repository."""
    git = ("git", "-C", str(folder), "-c", "user.name=Ada", "-c", "user.email=ada@sums.example")
    subprocess.run([*git, "init", "-q", "-b", "main"], check=True)
    for message, files in steps:
        for path, text in files.items():
            (folder / path).parent.mkdir(exist_ok=True)
            (folder / path).write_text(text)
        subprocess.run([*git, "add", "-A"], check=True)
        subprocess.run([*git, "commit", "-q", "-m", message], check=True)
    return str(folder)


@pytest_asyncio.fixture(scope="module")
async def sums(tmp_path_factory: pytest.TempPathFactory, no_world: MiningContext) -> dict[int, PullRequest]:
    """The authored repository's pull requests, mined from its history."""
    folder = committed(tmp_path_factory.mktemp("sums"), STEPS)
    return {pull.number: pull for pull in await mined(folder, no_world)}


@pytest.mark.slow
async def test_an_optimisation_becomes_a_sound_task(
    sums: dict[int, PullRequest], context: MiningContext, play: Play, world: World, blobs: Blobs
) -> None:
    task = (await built(sums[1], context)).task
    assert (task.kind, [check.verifier for check in task.checks]) == ("performance", ["suite", "speed"])
    await prove(task, play, Judging(world, blobs), repeats=1, probes=False)


@pytest.mark.slow
async def test_an_optimisation_in_go_is_timed_by_its_own_tests_without_building_them(
    tmp_path: Path, context: MiningContext, play: Play, world: World, blobs: Blobs
) -> None:
    [pull] = await mined(committed(tmp_path, GO_STEPS), context)
    task = (await built(pull, context)).task
    params = SpeedParams.model_validate(task.checks[1].params)
    assert params.command == "(cd ./day && /tmp/timed/0 -test.run '^(TestTotal|TestNone)$')"
    await prove(task, play, Judging(world, blobs), repeats=1, probes=False)


@pytest.mark.slow
async def test_a_fix_that_calls_itself_an_optimisation_is_told_by_its_tests(
    sums: dict[int, PullRequest], context: MiningContext
) -> None:
    made = await built(sums[3].model_copy(update={"title": "perf: low numbers"}), context)
    assert made.task.kind in ("bugfix", "other")
    assert made.fail_to_pass
    assert "no performance: " in made.candidate.route.why


@pytest.mark.slow
async def test_what_is_called_tests_and_changes_source_as_well_is_told_by_its_tests(
    sums: dict[int, PullRequest], context: MiningContext
) -> None:
    made = await built(sums[3].model_copy(update={"title": "Test low numbers"}), context)
    assert made.fail_to_pass == ("tests/test_low.py::test_low",)
    assert "no test: " in made.candidate.route.why
    with pytest.raises(Rejected, match="behaviour_unsaid"):
        await built(sums[5].model_copy(update={"title": "Test improvements"}), context)


@pytest.mark.slow
async def test_a_change_that_only_touches_a_benchmark_has_not_claimed_to_leave_behaviour_as_it_is(
    sums: dict[int, PullRequest], context: MiningContext
) -> None:
    made = await built(sums[5], context)
    assert made.candidate.route.why.startswith("no performance: ")
    assert made.fail_to_pass == ("tests/test_low.py::test_low",)
    assert not made.tells_expected


@pytest.mark.slow
async def test_an_optimisation_that_is_no_faster_is_judged_by_the_tests_it_makes_pass_and_tells_what_they_expect(
    sums: dict[int, PullRequest], context: MiningContext, play: Play, world: World, blobs: Blobs
) -> None:
    pull = sums[5].model_copy(
        update={"title": "perf: compare once", "body": "It is compared more often than it need. " * 12}
    )
    [made] = await write_statement(await built(pull, context), context)
    assert made.fail_to_pass == ("tests/test_low.py::test_low",)
    assert "no performance: " in made.candidate.route.why
    assert "assert low(3)" in made.task.instruction
    await prove(made.task, play, Judging(world, blobs), repeats=1, probes=False)


def test_definitions_that_read_otherwise_are_the_callers() -> None:
    members = "class A:\n    def g(self):\n        return 1\n\n    def h(self):\n        return 2\n"
    old = {"a.py": f"def f():\n    return 1\n\n\n{members}"}
    new = {"a.py": "from b import one\n\n\n" + old["a.py"].replace("return 1", "return one()")}
    assert find_altered(old, new) == [("a.py", "A.g"), ("a.py", "f")]
    java = "class A {\n    static int g() {\n        return 1;\n    }\n}\n"
    assert find_altered({"A.java": java}, {"A.java": java.replace("1", "B.one()")}) == [("A.java", "g")]
    assert find_altered({"b.go": "func F() {\n\tg()\n}\n"}, {"b.go": "func F() {\n\th()\n}\n"}) == [("b.go", "F")]


@pytest.mark.slow
async def test_a_refactoring_becomes_a_sound_task(
    sums: dict[int, PullRequest], context: MiningContext, play: Play, world: World, blobs: Blobs
) -> None:
    task = (await built(sums[4], context)).task
    params = StructureParams.model_validate(task.checks[0].params)
    assert Fact(what="no_name", path="sums.py", name="mean") in params.facts
    assert "- `mean` is defined in `means.py`" in task.instruction
    await prove(task, play, Judging(world, blobs), repeats=1, probes=False)


@pytest.mark.slow
async def test_neighbours_become_one_sound_task(
    sums: dict[int, PullRequest], context: MiningContext, play: Play, world: World, blobs: Blobs
) -> None:
    task = await TRANSFORMS["merge"](await built(sums[3], context), context)
    params = SuiteParams.model_validate(task.checks[0].params)
    assert set(params.fail_to_pass) == {"tests/test_low.py::test_low", "tests/test_mean.py::test_mean"}
    assert "mean(3) is 2" in task.instruction
    assert "low(2) says no" in task.instruction
    await prove(task, play, Judging(world, blobs), repeats=1, probes=False)


Ends = dict[str, list[dict[str, Status]]]


async def measured(ends: Ends, pull: PullRequest, monkeypatch: pytest.MonkeyPatch) -> Split:
    """What is told of a change with which runs of each kind end so, one after the other."""

    async def run(kind: str, *_: object) -> Report:
        return Report(outcomes=ends[kind].pop(0), complete=True)

    monkeypatch.setattr(measuring, "run_kind", run)
    candidate = Candidate(pull=pull, route=Route(kind="bugfix", confidence=1, why=""))
    context = MiningContext(world=AsyncMock(), blobs=None, repeats=1)  # type: ignore[arg-type]
    return classify(await measuring.measure_runs(candidate, Overlay(), context))


def breaking(second: Status) -> Ends:
    """A test fails with the change, and then does as it is said here."""
    golden: list[dict[str, Status]] = [{"slow": "failed", "new": "passed"}, {"slow": second, "new": "passed"}]
    return {"base": [{"slow": "passed"}], "tested": [{"slow": "passed", "new": "failed"}], "golden": golden}


async def test_what_fails_but_once_with_a_change_is_not_broken_by_it(
    sums: dict[int, PullRequest], monkeypatch: pytest.MonkeyPatch
) -> None:
    split = await measured(breaking("passed"), sums[3], monkeypatch)
    assert (split.fail_to_pass, split.pass_to_pass, split.flaky) == (("new",), (), ("slow",))


async def test_what_fails_twice_with_a_change_is_broken_by_it(
    sums: dict[int, PullRequest], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(Rejected, match="golden_fails"):
        await measured(breaking("failed"), sums[3], monkeypatch)


async def test_a_test_that_passed_waits_for_the_change_only_if_it_fails_without_it_twice(
    sums: dict[int, PullRequest], monkeypatch: pytest.MonkeyPatch
) -> None:
    ends: Ends = {
        "base": [{"slow": "passed", "old": "passed"}],
        "tested": [
            dict.fromkeys(("slow", "old", "new"), "failed"),
            {"slow": "passed", "old": "failed", "new": "failed"},
        ],
        "golden": [dict.fromkeys(("slow", "old", "new"), "passed")],
    }
    split = await measured(ends, sums[3], monkeypatch)
    assert (split.fail_to_pass, split.flaky) == (("new", "old"), ("slow",))
