"""How assertions are altered in languages without a grammar."""

from __future__ import annotations

import pytest

from tests.verifiers.twins.drafted import altered_texts, replacements
from verifiers.twins import draft_twins

LUA = "it('works', function()\n  {}\nend)\n"
CSHARP = "[Fact]\npublic void Works()\n{{\n    {}\n}}\n"
SWIFT = "func testWorks() {{\n    {}\n}}\n"
BATS = '@test "works" {{\n  {}\n}}\n'
PERL = "use Test::More;\n{}\n"
KOTLIN = "@Test\nfun works() {{\n    {}\n}}\n"


@pytest.mark.parametrize(
    ("path", "frame", "claim", "value"),
    [
        ("a_spec.lua", LUA, "assert.are.equal(47, f(1))", "47"),
        ("a_spec.lua", LUA, "assert.same({ 'a', 47 }, f(1))", "47"),
        ("ATest.cs", CSHARP, 'Assert.Equal("abc", f(1));', '"abc"'),
        ("ATest.cs", CSHARP, "f(1).Should().Be(47);", "47"),
        ("ATests.swift", SWIFT, "XCTAssertEqual(f(1), 47)", "47"),
        ("a.bats", BATS, '[ "$status" -eq 47 ]', "47"),
        ("a.bats", BATS, 'assert_output "abc"', '"abc"'),
        ("t/a.t", PERL, "is f(1), 47, 'it works';", "47"),
        ("t/a.t", PERL, "is_deeply(f(1), [47, 'abc'], 'it works');", "47"),
        ("ATest.kt", KOTLIN, "assertEquals(47, f(1))", "47"),
        ("ATest.kt", KOTLIN, 'f(1) shouldBe "abc"', '"abc"'),
    ],
)
def test_an_expected_value_is_altered(path: str, frame: str, claim: str, value: str) -> None:
    replaced = [old for old, _ in replacements(path, frame.format(claim))]
    assert value in replaced
    assert "1" not in replaced


@pytest.mark.parametrize(
    ("path", "frame", "claim", "turned"),
    [
        ("a_spec.lua", LUA, "assert.is_true(f())", "assert.is_false(f())"),
        ("ATest.cs", CSHARP, "Assert.True(f());", "Assert.False(f());"),
        ("ATests.swift", SWIFT, "XCTAssertNil(f())", "XCTAssertNotNil(f())"),
        ("a.bats", BATS, '[ "$a" = "$b" ]', '[ "$a" != "$b" ]'),
        ("t/a.t", PERL, "ok(f(), 'it works');", "ok(!f(), 'it works');"),
        ("ATest.kt", KOTLIN, "assertTrue(f())", "assertFalse(f())"),
    ],
)
def test_a_condition_is_turned_round(path: str, frame: str, claim: str, turned: str) -> None:
    assert frame.format(turned) in altered_texts(path, frame.format(claim))


def test_every_assertion_in_perl_is_a_test_of_its_own() -> None:
    text = PERL.format("is f(1), 3, 'one';\nis f(2), 4, 'two';")
    assert {twin.test for twin in draft_twins({"t/a.t": text}, seed="1")} == {"one", "two"}


def test_assertions_outside_of_tests_stay() -> None:
    text = "local function check(x)\n  assert.are.equal(3, x)\nend\n" + LUA.format("assert.are.equal(47, f(1))")
    assert {twin.line for twin in draft_twins({"a_spec.lua": text}, seed="1")} == {5}
