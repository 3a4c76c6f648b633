"""Variants of the sample's tasks, in real boxes, each proven sound as any task is."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
import pytest_asyncio

from crucible.domains.code.check_params import NewTestsParams, ReviewParams
from crucible.domains.code.suite import SuiteParams
from crucible.errors import Rejected
from crucible.judging.cascade import Judging
from crucible.judging.soundness import Play, prove
from crucible.mining import MiningContext
from crucible.sandbox import World
from crucible.settings import Settings
from crucible.store.blobs import Blobs
from pipelines.swe.model import Built, PullRequest
from pipelines.swe.settings import TransformSettings
from pipelines.swe.transforms import TRANSFORMS, order_transforms, transform
from pipelines.swe.transforms.faults import limit_patience
from pipelines.swe.transforms.injection import describe_failures
from tests.pipelines.swe.conftest import built, mined

pytestmark = pytest.mark.slow


@pytest_asyncio.fixture(scope="module")
async def fix(pulls: dict[int, PullRequest], world: World, blobs: Blobs) -> Built:
    """A fix as a draft, of which several variants are made."""
    return await built(pulls[11], MiningContext(world=world, blobs=blobs, repeats=1))


@pytest.mark.parametrize(("name", "number"), [("injection", 11), ("inversion", 11), ("review", 5)])
async def test_a_variant_is_sound(
    name: str,
    number: int,
    pulls: dict[int, PullRequest],
    fix: Built,
    context: MiningContext,
    play: Play,
    world: World,
    blobs: Blobs,
) -> None:
    draft = fix if number == 11 else await built(pulls[number], context)
    task = await TRANSFORMS[name](draft, context)
    proven = await prove(task, play, Judging(world, blobs), repeats=1, probes=name == "review")
    assert proven.task.id == task.id
    assert proven.proof.twins or name != "injection"
    if name == "inversion":
        tests = NewTestsParams.model_validate(task.checks[0].params)
        assert ["def _other(" in written for written in (tests.rewrite, *tests.wrong)] == [True, False, True, True]
        assert "_first == _second" in tests.wrong[2] or ".eq(_first, _second)" in tests.wrong[2]
    if name == "injection":
        params = SuiteParams.model_validate(task.checks[0].params)
        assert params.fail_to_pass
        assert params.pass_to_pass
        assert not [
            line for line in task.reference.patch.splitlines() if line[:2] == "+ " and line[1:] in task.instruction
        ]
    if name == "review":
        [finding] = json.loads(task.reference.files["review.json"])
        assert f"+++ b/{finding['path']}" in task.instruction
        trees = ReviewParams.model_validate(task.checks[0].params).trees
        assert trees.others
        assert "def _other(" in trees.right_rewrite
        assert "def _other(" in trees.faulty_rewrite


@pytest.mark.parametrize(("sample", "number", "path"), [("tally", 2, "duration.go"), ("crumb", 2, "src/compile.js")])
async def test_tests_that_are_to_be_written_must_execute_the_fix(
    sample: str,
    number: int,
    path: str,
    no_world: MiningContext,
    context: MiningContext,
    play: Play,
    world: World,
    blobs: Blobs,
) -> None:
    [pull] = [pull for pull in await mined(f"sample_data/swe/{sample}", no_world) if pull.number == number]
    task = await TRANSFORMS["inversion"](await built(pull, context), context)
    assert path in NewTestsParams.model_validate(task.checks[0].params).changed
    await prove(task, play, Judging(world, blobs), repeats=1, probes=False)


async def test_a_fault_that_never_ends_is_not_waited_for(fix: Built) -> None:
    assert limit_patience(fix.candidate, 2.0).suite.timeout == 26
    assert limit_patience(fix.candidate, 500.0) == fix.candidate


async def test_who_wants_no_variants_gets_the_task_alone(fix: Built, no_world: MiningContext) -> None:
    none = Settings(sections={"transforms": TransformSettings(variants=0)})
    assert await transform(fix, replace(no_world, settings=none)) == [fix.task]


async def test_a_small_change_makes_no_review(pulls: dict[int, PullRequest], context: MiningContext) -> None:
    with pytest.raises(Rejected, match="too_guessable"):
        await TRANSFORMS["review"](await built(pulls[4], context), context)


def test_every_task_has_its_own_order_of_transforms() -> None:
    orders = {tuple(order_transforms(f"task-{number}")) for number in range(40)}
    assert len(orders) == len(TRANSFORMS)
    assert order_transforms("task-1") == order_transforms("task-1")


def test_a_failing_test_is_described_without_its_place() -> None:
    log = "tests/t.py:4: in test_x\nE   assert 3 == 2\nE    +  where 3 = f()\nE   shelf/a.py:7: SyntaxError"
    said = describe_failures(["tests/t.py::test_a_colon_is_text[x]"], log)
    assert "a colon is text" in said
    assert "assert 3 == 2" in said
    assert "shelf/a.py" not in said
