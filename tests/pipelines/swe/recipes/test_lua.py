"""Lua's plain test scripts are tests of their own, beside the specs, in real boxes."""

from collections.abc import Callable

import pytest

from crucible.domains.code.suite import find_runner, run_suite
from crucible.mining import MiningContext
from crucible.sandbox import World
from crucible.store.blobs import Blobs
from pipelines.swe.environment.stage import prepare_environment
from pipelines.swe.model import Candidate
from pipelines.swe.rewards.fail_to_pass import build_task

Files = dict[str, str]

BASE = {
    "lua/a.lua": "return function() return 1 end\n",
    "tests/test-a.lua": 'assert(require("a")() == 1)\n',
    "tests/test-b.lua": 'assert(require("a"))\n',
    "spec/a_spec.lua": 'describe("a", function() it("is true", function() assert.is_true(true) end) end)\n',
}
CHANGE = {
    "lua/a.lua": "return function() return 2 end\n",
    "tests/test-a.lua": 'assert(require("a")() == 2)\n',
}


@pytest.mark.slow
async def test_a_script_that_begins_to_end_well_is_a_test_that_begins_to_pass(
    world: World, blobs: Blobs, change: Callable[[Files, Files], Candidate]
) -> None:
    context = MiningContext(world=world, blobs=blobs, repeats=1)
    [made] = await prepare_environment(change(BASE, CHANGE), context)
    built = await build_task(made, context)
    assert built.fail_to_pass == ("tests/test-a.lua",)
    kept = built.task.checks[0].params["pass_to_pass"]
    assert kept == ["spec/a_spec.lua::a is true", "tests/test-b.lua"]


@pytest.mark.slow
@pytest.mark.parametrize("chosen", [["tests/test-b.lua"], ["spec/a_spec.lua"], ["spec/a_spec.lua", "tests/test-a.lua"]])
async def test_what_is_chosen_is_run_and_nothing_else(
    chosen: list[str], world: World, blobs: Blobs, change: Callable[[Files, Files], Candidate]
) -> None:
    [made] = await prepare_environment(change(BASE, CHANGE), MiningContext(world=world, blobs=blobs, repeats=1))
    async with world.open(made.env) as box:
        report = await run_suite(box, find_runner("busted"), made.suite, chosen)
    assert report.complete
    assert [test.partition("::")[0] for test in sorted(report.outcomes)] == chosen
