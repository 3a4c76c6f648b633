"""What becomes of tests in languages that have a grammar when they are made siblings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from crucible.domains.code.siblings import Sibling
from crucible.domains.code.suite import Suite, SuiteParams
from verifiers.siblings.asking import find_lines, lay_siblings, select_siblings
from verifiers.siblings.drafting import draft_siblings
from verifiers.siblings.laying import lay_recorder

JAVASCRIPT = """import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add, half } from '../add.js';

const cases = [['two', 2, 4], ['nine', 9, 18]];

test('adds', () => {
  assert.equal(add(5, `${2}x`), 7);
  assert.throws(() => half('b'), /no number/);
  assert(add(20) === 40 && !half(3));
});

test.each([[30, 15], [50, 25]])('halves %i', async (given, wanted) => {
  await expect(half(given, { name: 'a', 'key': 8 })).resolves.toBe(wanted);
  expect(() => half('c')).not.toThrow();
});

test('cases', () => {
  for (const [name, given, wanted] of cases) assert.equal(add(given, [7, 8]), wanted);
});

test('claims nothing', () => { half(2); });
"""

GO = """package add

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

var cases = []struct {
	name string
	given int
	want int
}{{"two", 2, 4}, {"nine", 9, 18}}

func TestAdds(t *testing.T) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got, err := Add(c.given); err != nil || got != c.want {
				t.Errorf("%d is wrong at 77", got)
			}
		})
	}
	assert.Equal(t, 40, Add(20<<3))
}
"""

PYTHON = """from datetime import date
from shelf import Loan, due, owed

FIRST = Loan("emma", date(2024, 8, 31))
OPEN = open_shelf(FIRST)


def test_due():
    assert due(date(2024, 8, 31), 1) == date(2024, 9, 30)


def test_owed():
    assert owed([FIRST], OPEN) == 40
"""

RUBY = """require 'add'

describe 'numbers' do
  it 'are added' do
    expect(add(5, key: 'six')).to eq(11)
    expect { add }.to raise_error(ArgumentError)
    expect(add(1.5)).not_to be_nil
  end
end

class TestAdd < Minitest::Test
  def test_cases
    { 'two' => 4, 'nine' => 18 }.each { |given, wanted| assert_equal wanted, add(given) }
    problem = assert_raises(ArgumentError) { add('x', 7) }
    assert problem.message == 'no number'
    assert_nil add("#{2}y")
  end
end
"""

JAVA = """package acme.add;

class AddTest {
    @Test
    void adds() {
        assertEquals(7, Add.of(5, List.of(2, 3)));
        assertTrue(Add.one(20) == 40 && !Add.isOdd(3));
        assertThat(Add.one(4)).isNotNull().isEqualTo(8);
        assertThat(Add.one(5), is(10));
        KeyError gone = assertThrows(KeyError.class, () -> Add.one(6));
    }
}
"""

PHP = """<?php
namespace Acme;

final class AddTest extends TestCase
{
    public function testAdds(): void
    {
        $this->assertSame(7, add(5, ['key' => 2, 8 => 3]));
        self::assertTrue(add(20) === 40 || isOdd(3));
        foreach ([[2, 4], [9, 18]] as [$given, $wanted]) {
            self::assertSame($wanted, add($given));
        }
        $this->expectException(KeyError::class);
    }
}
"""


def draft(path: str, text: str, runner: str, *names: str) -> list[Sibling]:
    wanted = tuple(f"{path}::{name}" for name in names)
    return draft_siblings(SuiteParams(suite=Suite(runner=runner), tests={path: text}, fail_to_pass=wanted))


def body(sibling: Sibling) -> str:
    return sibling.text.replace(sibling.name, "NAME")


def test_assertions_in_javascript_become_notes() -> None:
    [adds] = [body(each) for each in draft("a.test.js", JAVASCRIPT, "node", "adds") if each.kind == "same"]
    assert '_noteAnswer("NAME", 0, add(5, `${2}x`));' in adds
    assert "_noteThrown(\"NAME\", 1, () => half('b'));" in adds
    assert 'void (_noteAnswer("NAME", 2, add(20)) === 40 && !_noteAnswer("NAME", 3, !!(half(3))));' in adds
    assert adds.startswith("test('NAME', () => { try {")


def test_one_row_of_a_table_is_taken_with_other_inputs() -> None:
    drafted = draft("a.test.js", JAVASCRIPT, "jest", "halves 30", "cases")
    assert {each.test for each in drafted} == {"halves %i", "cases"}
    for each in drafted:
        if each.kind == "same":
            assert "[[30, 15], [50, 25]]" in each.text or "of cases" in each.text
        else:
            assert not (", 15" in each.text and ", 25]" in each.text)
            assert not ("'two'" in each.text and "'nine'" in each.text)
    near = [body(each) for each in drafted if each.kind == "near" and each.test == "halves %i"]
    assert all('_noteResolved("NAME", 0, half(given, { name: \'' in text and "'key': " in text for text in near)
    assert not all("'key': 8" in text for text in near)


def test_conditions_in_go_note_and_hold_never() -> None:
    drafted = draft("a_test.go", GO, "go", "TestAdds")
    [same] = [body(each) for each in drafted if each.kind == "same"]
    condition = '(_noteAnswer("NAME", 0, err) != nil || _noteAnswer("NAME", 1, got) != c.want) && false {'
    assert condition in same
    assert '_noteAnswer("NAME", 2, Add(20<<3)); if false { assert.Equal(t, 40, Add(20<<3)) }' in same
    assert same.count('defer _noteRaised("NAME", -1)') == 2
    others = [body(each) for each in drafted if each.kind in ("near", "larger")]
    assert others
    for text in others:
        assert '{"two", ' in text or '{"nine", ' in text
        assert "<<3)" in text
        assert "at 77" in text
        assert "range cases" not in text
    laid = lay_siblings({"a_test.go": GO}, drafted, "/tmp/notes")
    assert laid["asks_other_inputs_add_test.go"].startswith("package add\n")


def test_every_row_of_a_table_is_asked_about() -> None:
    texts = [each.text for each in draft("a_test.go", GO, "go", "TestAdds") if each.kind == "near"]
    assert len(texts) > 8
    assert all(any(f'"{name}", ' in text for text in texts) for name in ("two", "nine"))


def test_of_a_date_one_part_is_altered_alone() -> None:
    drafted = [body(each) for each in draft("test_a.py", PYTHON, "pytest", "test_due")]
    alone = [text for text in drafted if "date(2024, 8, 31)" not in text and ", 8, 31)" in text]
    assert alone
    assert any("date(2024, 8, 31)" not in text and ", 8, 31)" not in text for text in drafted)


def test_a_name_of_the_file_that_is_made_of_constants_has_others() -> None:
    drafted = [body(each) for each in draft("test_a.py", PYTHON, "pytest", "test_owed") if each.kind == "near"]
    assert drafted
    for text in drafted:
        assert "FIRST = Loan('" in text
        assert "FIRST = Loan('emma', date(2024, 8, 31))" not in text
        assert "OPEN = " not in text


def test_what_is_noted_in_python_is_plain_and_does_not_hang_on_how_a_type_prints_itself() -> None:
    known: dict[str, Any] = {}
    exec(lay_recorder("test_a.py", "", "/tmp/notes")["test_a.py"], known)

    class Text(str):
        def __repr__(self) -> str:
            return "odd"

    @dataclass
    class Term:
        text: str
        origin: object = field(default=None, compare=False)

    plain = known["_make_plain"]
    assert plain(Text("a")) == plain("a")
    assert plain([Term("a", 1)]) == plain([Term("a", 2)]) != plain([Term("b", 1)])


def test_assertions_in_ruby_become_notes() -> None:
    drafted = draft("spec/a_spec.rb", RUBY, "rspec", "numbers are added", "TestAdd#test_cases")
    added, cases = [body(each) for each in drafted if each.kind == "same"]
    assert "_note_answer(\"NAME\", 0, add(5, key: 'six'))\n" in added
    assert '_note_raised("NAME", 1) { add }\n' in added
    assert '_note_answer("NAME", 2, add(1.5))\n' in added
    assert '_note_answer("NAME", 0, add(given)) }' in cases
    assert "problem = _note_raised(\"NAME\", 1) { add('x', 7) }" in cases
    assert "(_note_answer(\"NAME\", 2, problem.message) == 'no number')" in cases
    assert '_note_answer("NAME", 3, add("#{2}y"))' in cases
    near = [body(each) for each in drafted if each.kind == "near" and "wanted" in each.text]
    assert near
    assert all(("=> 4" in text) != ("=> 18" in text) for text in near)


def test_assertions_in_java_become_statements_of_a_class_of_their_own() -> None:
    drafted = draft("src/test/java/acme/add/AddTest.java", JAVA, "maven", "acme.add.AddTest::adds")
    [same] = [body(each) for each in drafted if each.kind == "same"]
    assert '_Asks.note("NAME", 0, Add.of(5, List.of(2, 3)));' in same
    assert '_Asks.take(_Asks.note("NAME", 1, Add.one(20)) == 40 && !_Asks.note("NAME", 2, Add.isOdd(3)));' in same
    assert '_Asks.note("NAME", 3, Add.one(4));' in same
    assert '_Asks.note("NAME", 4, Add.one(5));' in same
    assert 'KeyError gone = _Asks.raised("NAME", 5, () -> Add.one(6));' in same
    assert all("List.of(2, 3)" not in body(each) for each in drafted if each.kind == "larger")
    beside = lay_recorder("a/AddTest.java", JAVA, "/tmp/notes")["a/_Asks.java"]
    assert beside.startswith("package acme.add;")
    assert "package" not in lay_recorder("AddTest.java", "class AddTest {}", "/tmp/notes")["_Asks.java"]


def test_assertions_in_php_become_notes() -> None:
    drafted = draft("tests/AddTest.php", PHP, "phpunit", "AddTest::testAdds")
    [same] = [body(each) for each in drafted if each.kind == "same"]
    assert "_note_answer(\"NAME\", 0, add(5, ['key' => 2, 8 => 3]));" in same
    assert '(_note_answer("NAME", 1, add(20)) === 40 || _note_answer("NAME", 2, !!(isOdd(3))));' in same
    others = [body(each) for each in drafted if each.kind in ("near", "larger")]
    assert others
    assert all("'key' =>" in text for text in others)
    assert not all("8 => " in text for text in others)
    assert not any("], [" in text for text in others)


def test_a_test_that_claims_nothing_has_no_siblings_and_neither_has_a_text_that_is_no_code() -> None:
    assert draft("a.test.js", JAVASCRIPT, "node", "claims nothing") == []
    assert draft("a.test.js", "test('adds', () => {", "node", "adds") == []
    assert draft("a.test.pl", "is(1, 2);", "prove", "adds") == []


def test_siblings_stand_behind_their_test_and_note_with_what_the_file_can_load() -> None:
    drafted = draft("a.test.js", JAVASCRIPT, "node", "adds", "cases")
    params = SuiteParams(tests={"a.test.js": JAVASCRIPT}, fail_to_pass=())
    laid = lay_siblings(params.tests, drafted, "/tmp/notes")["a.test.js"].splitlines()
    for name, lines in find_lines(params, drafted).items():
        assert name in laid[lines.start - 1]
        assert laid[lines.stop - 2].endswith("});")
    assert "import * as _files from 'node:fs'" in laid
    assert lay_recorder("a.ts", "const a = 1;", "/tmp/notes")["a.ts"].startswith("// @ts-nocheck\nconst a")
    assert "require('fs').appendFileSync('/tmp/notes'" in lay_recorder("a.cjs", "const a = 1;", "/tmp/notes")["a.cjs"]


def test_a_framework_that_cannot_select_runs_everything_and_one_that_is_not_known_nothing() -> None:
    assert select_siblings(Suite(runner="mocha", command="npx mocha")) == "npx mocha -g asks_other_inputs"
    assert select_siblings(Suite(runner="minitest", command="rake test")) == "rake test"
    assert select_siblings(Suite(runner="ctest", command="ctest")) == ""
