"""How assertions of JavaScript and TypeScript tests are altered."""

from __future__ import annotations

import re

import pytest

from crucible.domains.code.suite import Suite
from crucible.sandbox import World
from pipelines.swe.recipes.plan import Plan, make_env
from tests.verifiers.twins.drafted import altered_texts, replacements
from verifiers.twins import draft_twins
from verifiers.twins.places.syntax_rules import rules_for


def wrap(claim: str) -> str:
    return f"describe('shelf', () => {{\n  it('works', async () => {{\n    {claim}\n  }})\n}})\n"


@pytest.mark.parametrize(
    ("claim", "reversed_claim"),
    [
        ("assert.equal(f(), g())", "assert.notEqual(f(), g())"),
        ("assert(f())", "assert(!(f()))"),
        ("assert.ok(f(), 'why')", "assert.ok(!(f()), 'why')"),
        ("expect(f()).toBe(g())", "expect(f()).not.toBe(g())"),
        ("expect(f()).not.toBe(g())", "expect(f()).toBe(g())"),
        ("expect(f()).to.be.true", "expect(f()).to.be.false"),
        ("t.truthy(f())", "t.falsy(f())"),
        ("await assert.rejects(f())", "await assert.doesNotReject(f())"),
    ],
)
@pytest.mark.parametrize("path", ["a.test.js", "a.test.ts"])
def test_a_condition_is_turned_round(path: str, claim: str, reversed_claim: str) -> None:
    assert wrap(reversed_claim) in altered_texts(path, wrap(claim))


@pytest.mark.parametrize(
    ("claim", "value"),
    [
        ("assert.equal(f(), 47)", "47"),
        ("assert.deepEqual(f(1), { a: [47] })", "47"),
        ("expect(f('é')).toEqual({ a: 'ab', b: null })", "ab"),
        ("expect(f()).to.have.lengthOf(47)", "47"),
        ("f().should.equal('ab')", "ab"),
        ("t.is(f(), `ab`)", "ab"),
        ("assert.throws(() => f(), /bad/)", "bad"),
        ("const expected = [47]; assert.deepEqual(f(), expected)", "47"),
        ("assert(f() === 47)", "47"),
        ("expect(f()).toEqual('')", "''"),
    ],
)
def test_an_expected_value_is_altered(claim: str, value: str) -> None:
    assert value in [old for old, _ in replacements("a.test.mjs", wrap(claim))]


def test_a_test_is_named_with_what_stands_around_it() -> None:
    assert {twin.test for twin in draft_twins({"a.test.js": wrap("assert.equal(f(), 1)")}, seed="1")} == {
        "shelf > works"
    }


def test_a_test_without_an_assertion_gets_one_like_those_of_its_file() -> None:
    text = "test('a', () => {\n  run()\n})\ntest('b', () => {\n  expect(run()).toBe(1)\n})\n"
    inverted = [twin for twin in draft_twins({"a.test.js": text}, seed="1") if twin.test == "a"]
    assert len(inverted) == 1
    assert inverted[0].text.startswith("\n  expect(")


def test_a_script_of_assertions_is_one_test() -> None:
    twins = draft_twins({"test/run.js": "const assert = require('assert')\nassert.equal(f(), 47)\n"}, seed="1")
    assert {twin.test for twin in twins} == {""}


def test_assertions_outside_of_tests_stay_where_there_are_tests() -> None:
    text = "function check(x) { assert.equal(x, 3) }\n" + wrap("assert.equal(f(), 1)")
    assert {twin.line for twin in draft_twins({"a.test.js": text}, seed="1")} == {4}


@pytest.mark.parametrize(
    ("claim", "value"),
    [
        ("assert.deepEqual(f(), EXPECTED)", "EXPECTED"),
        ("expect(f()).to.deep.equal(g())", "g()"),
        ("expect(f()).toStrictEqual({ ...a })", "{ ...a }"),
        ("assert.strictEqual(f(), EXPECTED)", "EXPECTED"),
        ("expect(f()).toBe(a.b)", "a.b"),
    ],
)
def test_an_expected_value_that_is_not_written_out_becomes_another(claim: str, value: str) -> None:
    others = dict(replacements("a.test.js", wrap(claim)))
    assert value in others
    assert f"({value})" in others[value] or others[value] == f"[{value}].concat(0)"


OTHER = """
const assert = require('assert')
const other = (v) => OTHER
for (const v of [5, 'a', true, new Date(5e9), [1, 2], [], { a: { b: 1 } }, {}, new Set([1]), new Map([[1, 2]]), 5n]) {
  assert.notDeepEqual(other(v), v)
  assert.equal(Object.getPrototypeOf(Object(other(v))), Object.getPrototypeOf(Object(v)))
}
assert.deepEqual(other(null), [null])
"""


async def test_that_value_is_of_the_same_kind_when_the_test_runs(world: World) -> None:
    rules = rules_for("a.js")
    assert rules is not None
    node = make_env(Plan(language="javascript", toolchain="node", suite=Suite(), dependencies=()), "", "")
    recipe = node.recipe.model_copy(update={"archives": {}, "commands": ()})
    async with world.open(node.model_copy(update={"recipe": recipe})) as box:
        await box.write("a.js", OTHER.replace("OTHER", rules.other[0].replace("{value}", "v")).encode())
        done = await box.exec("node a.js")
    assert done.ok, done.err


@pytest.mark.parametrize(
    ("value", "pattern"),
    [
        ("new Date(2024, 1, 29)", r"new Date\((?!2024, 1, 29)\d+, \d+, \d+\)"),
        ("new Date('2024-02-29')", r"new Date\('\d{4}-\d\d-\d\d'\)"),
        ("[new Set([1, 2])]", r"\[new Set\(\[\d, \d\]\)\]"),
        ("BigInt('47')", r"BigInt\('\d\d'\)"),
    ],
)
def test_what_types_of_the_language_make_is_another_of_the_kind(value: str, pattern: str) -> None:
    claim = wrap(f"assert.deepEqual(f(), {value})")
    texts = [new for old, new in replacements("a.test.js", claim) if old == value]
    assert texts
    assert all(re.fullmatch(pattern, text) and text != value for text in texts)
