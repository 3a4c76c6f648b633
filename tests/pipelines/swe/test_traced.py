"""Which lines of JavaScript were executed, as V8 tells it in a real box."""

import pytest

from crucible.domains.code.coverage import run_traced
from crucible.domains.code.suite import Suite, find_runner
from crucible.sandbox import Env, World
from pipelines.swe.recipes.plan import Plan, make_env

SUITE = Suite(runner="node", command="node --test")
SUMS = """exports.sum = (a, b) => {
  if (a < 0) {
    return 0;
  }
  return a + b;
};
exports.never = () => {
  return 1;
};
"""
TEST = "require('node:test')('sums', () => require('node:assert').equal(require('./sums.js').sum(1, 2), 3));\n"


@pytest.fixture
def node() -> Env:
    return make_env(Plan(language="javascript", toolchain="node", suite=SUITE, dependencies=()), "", "")


async def test_a_line_that_no_test_reaches_is_not_seen(world: World, node: Env) -> None:
    recipe = node.recipe.model_copy(update={"archives": {}, "commands": ()})
    async with world.open(node.model_copy(update={"recipe": recipe})) as box:
        await box.write("sums.js", SUMS.encode())
        await box.write("idle.js", b"exports.x = 1;\n")
        await box.write("sums.test.js", TEST.encode())
        report, seen = await run_traced(box, find_runner("node"), SUITE, ["sums.js", "idle.js", "gone.js"])
    assert report.complete
    assert seen == {"sums.js": {1, 2, 5, 6, 7, 9}}
