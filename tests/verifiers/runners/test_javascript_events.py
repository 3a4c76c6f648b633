"""What JavaScript's frameworks report is held against what was seen as their tests ran, in a real box."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from crucible.domains.code.suite import Report, Status, Suite, find_runner, run_suite
from crucible.sandbox import Env, Limits, Recipe, Sandbox, World
from pipelines.swe.recipes.toolchains import find_toolchain
from tests.patience import HUNG
from tests.verifiers.attempts import SEALED
from verifiers.readers.live_events import read_events

pytestmark = pytest.mark.slow

NODE = find_toolchain("node", "")
CASES = """
const {one} = require('../code.cjs')
describe('outer', () => {
  it('adds', () => { expect(one()).toBe(1) })
  it.skip('later', () => {})
  describe('deep\\nline', () => { it('again', () => { expect(one()).toBe(1) }) })
})
"""
PLAIN = """
const {test} = require('node:test'), {equal} = require('node:assert'), {one} = require('../code.cjs')
test('adds', () => equal(one(), 1))
test('again', () => equal(one(), 1))
"""
RECIPE = Recipe(
    base=NODE.base,
    packages=NODE.packages,
    tools=NODE.tools,
    files={
        "/workspace/package.json": '{"name": "a", "private": true}',
        "/workspace/code.cjs": "",
        "/workspace/jest/a.test.js": CASES,
        "/workspace/vitest/a.spec.mjs": CASES.replace(
            "const {one} = require('../code.cjs')",
            "import {describe, it, expect} from 'vitest'\nimport {one} from '../code.cjs'",
        ),
        "/workspace/node/a.cjs": PLAIN,
    },
    commands=("npm install --silent jest@29 vitest@3", "echo node_modules > .gitignore", f"chown root . && {SEALED}"),
    environment=NODE.environment,
)
RIGHT = "exports.one = () => 1\n"
COMMANDS = {
    "jest": "npx jest -i --rootDir=/workspace/jest",
    "vitest": "npx vitest --dir vitest",
    "node": "node --test node/a.cjs",
}


@pytest.fixture
async def box(world: World) -> AsyncIterator[Sandbox]:
    limits = Limits(memory_mb=3072, pids=512)
    async with world.open(Env(recipe=RECIPE, limits=limits)) as opened:
        yield opened


async def run_with(box: Sandbox, runner: str, code: str) -> Report:
    await box.write("code.cjs", code.encode())
    return await run_suite(box, find_runner(runner), Suite(command=COMMANDS[runner], timeout=HUNG))


async def read_said(box: Sandbox) -> dict[str, Status]:
    """What the framework said of each test while it ran."""
    [folder] = (await box.exec("dirname /tmp/*/events")).out.split()
    return read_events(await box.read(f"{folder}/events.taken"))


@pytest.mark.parametrize("runner", COMMANDS)
async def test_an_honest_run_is_read_as_it_was(runner: str, box: Sandbox) -> None:
    right = await run_with(box, runner, RIGHT)
    assert right.complete, right.log
    assert (right.disputed, right.has_failures) == ((), False)
    passed = {test.replace("\n", "\\n") for test, status in right.outcomes.items() if status == "passed"}
    assert len(passed) == 2
    if runner != "node":
        assert {test for test, status in (await read_said(box)).items() if status == "passed"} == passed
    wrong = await run_with(box, runner, "exports.one = () => 2\n")
    assert (wrong.complete, wrong.disputed) == (True, ())
    assert "passed" not in wrong.outcomes.values()


JEST_LEAVES = """
const fs = require('fs')
const test = (title, above) => ({title, ancestorTitles: above, status: 'passed'})
const assertionResults = [test('adds', ['outer']), test('again', ['outer', 'deep\\nline'])]
const file = {name: '/workspace/jest/a.test.js', status: 'passed', assertionResults}
for (const place of fs.readdirSync('/tmp')) {
  const report = `/tmp/${place}/report`
  if (fs.existsSync(report)) fs.appendFileSync(report, JSON.stringify({numTotalTests: 2, testResults: [file]}))
}
process.reallyExit(0)
"""
NODE_ADDS = """
const fs = require('fs')
for (const place of fs.readdirSync('/tmp')) {
  const report = `/tmp/${place}/report`
  if (!fs.existsSync(report)) continue
  const tests = ['adds', 'again'].map((name) => ({file: '/workspace/node/a.cjs', name, status: 'passed', kind: 'test'}))
  for (const test of tests) fs.appendFileSync(report, JSON.stringify(test) + '\\n')
}
process.exit(0)
"""


async def test_a_report_of_tests_that_jest_did_not_run_is_disputed(box: Sandbox) -> None:
    report = await run_with(box, "jest", JEST_LEAVES)
    assert report.complete, report.why
    assert len(report.disputed) == 2
    assert "passed" not in report.outcomes.values()


async def test_lines_that_a_test_adds_to_the_report_of_node_are_counted(box: Sandbox) -> None:
    report = await run_with(box, "node", NODE_ADDS)
    assert not report.complete
    assert "its reporter wrote" in report.why
