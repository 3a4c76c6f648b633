"""Copies of a test, each altered in another place, stand beside it and are run with it."""

from __future__ import annotations

import ast
import re
from itertools import islice
from random import Random

import pytest

from crucible.domains.code.altering import group_by_test
from crucible.domains.code.suite import Report, Status, Suite, SuiteParams
from crucible.domains.code.twins import Twin
from verifiers.twins import apply_twins, draft_twins
from verifiers.twins.copies.names import name_copies
from verifiers.twins.copies.spreading import CopiedTest, list_denied, list_idle, list_run, spread_copies
from verifiers.twins.grading.draws import draw_runs
from verifiers.twins.grading.judging import describe_unlike, find_unlike
from verifiers.twins.names import is_in_test, last_word
from verifiers.twins.values.other_values import list_variants

PATH = "tests/test_sums.py"
TEXT = """import pytest


class TestSums:
    @pytest.mark.slow
    def test_adds(self):
        assert add(1, 2) == 3
        assert add(2, 2) == 4
        assert add(3, 2) == 5
        assert add(4, 2) == 6


def test_adds_2():
    assert add(0, 0) == 0
"""
ID = f"{PATH}::TestSums::test_adds"


def alter(value: int, text: str = "70", *, is_proven: bool = False) -> Twin:
    at = TEXT.index(f"== {value}\n") + 3
    line = TEXT.count("\n", 0, at) + 1
    return Twin(
        path=PATH, start=at, end=at + 1, text=text, test="TestSums::test_adds", line=line,
        is_value=True, fails=(ID,), is_proven=is_proven, is_copied=True,
    )  # fmt: skip


def params(*twins: Twin) -> SuiteParams:
    return SuiteParams(suite=Suite(), tests={PATH: TEXT}, fail_to_pass=(ID,), twins=twins)


def test_an_assertion_that_is_turned_round_is_not_turned_round_once_more() -> None:
    path, text = "a.test.js", "test('adds', () => {\n  assert.equal(add(1), 5)\n  assert.equal(add(2), 7)\n})\n"
    tests = SuiteParams(suite=Suite(), tests={path: text}, fail_to_pass=(f"{path}::adds",))
    drafted = [twin.model_copy(update={"is_copied": True}) for twin in draft_twins({path: text}, seed="1")]
    turned = next(twin for twin in drafted if twin.text == "notEqual" and twin.line == 2)
    added = spread_copies(tests, [turned], [twin for twin in drafted if twin is not turned], Random(1))
    altered = apply_twins({path: text}, [turned, *added])[path].split("test(")[1]
    assert "assert.notEqual(add(1), 5)" in altered
    assert altered.count("notEqual") == 2


def test_each_copy_fails_in_one_place_and_the_right_value_stands_nowhere() -> None:
    added = spread_copies(params(), [alter(3, "30")], [alter(4, "40"), alter(6, "60"), alter(5, "50")], Random(1))
    text = apply_twins({PATH: TEXT}, [alter(3, "30"), *added])[PATH]
    made = next(node for node in ast.parse(text).body if isinstance(node, ast.ClassDef))
    functions = {node.name: node for node in made.body if isinstance(node, ast.FunctionDef)}
    asserted = {
        name: [line.partition(") ")[2] for line in ast.unparse(node).splitlines() if "assert" in line]
        for name, node in functions.items()
    }
    at_40, at_60, at_50 = (copy.test.removeprefix("TestSums::") for copy in list_copies(added))
    assert asserted == {
        "test_adds": ["== 30", "!= 40", "!= 50", "!= 60"],
        at_40: ["!= 30", "== 40", "!= 50", "!= 60"],
        at_60: ["!= 30", "!= 40", "!= 50", "== 60"],
        at_50: ["!= 30", "!= 40", "== 50", "!= 60"],
    }
    assert all(node.decorator_list for node in functions.values())
    assert [copy.fails for copy in list_copies(added)] == [(f"{PATH}::{copy.test}",) for copy in list_copies(added)]


def list_copies(added: list[Twin]) -> list[CopiedTest]:
    return [twin for twin in added if isinstance(twin, CopiedTest)]


def test_every_assertion_of_a_test_is_altered_in_every_grading() -> None:
    twins = (alter(3, is_proven=True), alter(4, is_proven=True), alter(5), alter(6))
    for seed in range(20):
        runs = draw_runs(params(*twins), Random(seed))
        places = [twin.altered if isinstance(twin, CopiedTest) else twin for run in runs for twin in run]
        assert {twin.start for twin in places if twin.is_value} == {twin.start for twin in twins}


def test_a_copy_that_passes_is_told_with_what_was_altered_in_it() -> None:
    task, [copy] = params(alter(5)), list_copies(spread_copies(params(), [alter(3)], [alter(5)], Random(1)))
    [name] = copy.fails
    report = Report(outcomes={ID: "passed", name: "passed"}, complete=True)
    assert find_unlike(task, [copy], report) == [name]
    assert "in a copy of the test, `5` was changed to `70`" in describe_unlike(task, [copy], report, [name])
    failed = Report(outcomes={ID: "passed", name: "failed"}, complete=True)
    assert find_unlike(task, [copy], failed) == []


def test_what_right_code_passes_tells_nothing_and_what_is_not_run_neither() -> None:
    copies = list_copies(spread_copies(params(), [alter(3)], [alter(4), alter(5), alter(6)], Random(1)))
    report = Report(outcomes={copies[0].fails[0]: "failed", copies[1].fails[0]: "passed"}, complete=True)
    assert [twin.start for twin in list_idle(copies, report)] == [alter(5).start]
    assert [twin.start for twin in list_run(copies, report)] == [alter(4).start, alter(5).start]


IN_OTHER_LANGUAGES = {
    "sums.test.js": """describe('sums', () => {
  it('adds two numbers', async () => {
    assert.equal(add(1, 2), 31);
    expect(add('ü', 3)).toBe(41);
    expect(add(3, 3)).to.equal(51);
  });
});
""",
    "sums_test.go": """package sums

func TestAdds(t *testing.T) {
\tif got := Add(1, 2); got != 31 {
\t\tt.Errorf("got %d", got)
\t}
\tif Add(2, 2) != 41 || Add(2, 3) != 51 {
\t\tt.Fatal("no")
\t}
}
""",
    "test_sums.rb": """class TestSums < Minitest::Test
  def test_adds
    assert_equal 31, add(1, 2)
    expect(add(2, 2)).to eq(41)
    add(2, 2).must_equal 51
  end
end
""",
    "SumsTest.java": """import static org.junit.jupiter.api.Assertions.*;
class SumsTest {
    @Test
    void adds() {
        assertEquals(31, add(1, 2));
        assertEquals(41, add(2, 2));
        assertThat(add(1, 4)).isEqualTo(51);
    }
}
""",
    "src/sums.rs": """mod tests {
    #[test]
    fn adds() {
        assert_eq!(add(1, 2), 31);
        assert_eq!(add(1, 3), 41);
        assert!(add(1, 4) == 51);
    }
}
""",
    "SumsTest.php": """<?php
class SumsTest extends TestCase {
    /** @test */
    public function adds(): void
    {
        $this->assertSame(31, add(1, 2));
        self::assertEquals(41, add(1, 3));
        $this->assertCount(51, add(1, 4));
    }
}
""",
    "sums.cc": """TEST_CASE("adds two") {
  REQUIRE(add(1, 2) == 31);
  REQUIRE(add(1, 3) == 41);
  EXPECT_EQ(add(1, 4), 51);
}
""",
}


@pytest.mark.parametrize("path", IN_OTHER_LANGUAGES)
def test_in_other_languages_too_each_copy_fails_in_one_place_and_the_right_value_stands_nowhere(path: str) -> None:
    text = IN_OTHER_LANGUAGES[path]
    by_value = {text[twin.start : twin.end]: twin for twin in draft_twins({path: text}, seed="1") if twin.is_value}
    chosen, *others = (by_value[value].model_copy(update={"text": f"{value}0"}) for value in ("31", "41", "51"))
    task = SuiteParams(suite=Suite(), tests={path: text}, fail_to_pass=(chosen.test,), twins=(chosen, *others))
    added = spread_copies(task, [chosen], others, Random(1))
    laid = apply_twins({path: text}, [chosen, *added])[path]
    turned = ("!=", "Not", "not", "_ne!", "refute", "wont", "_NE", "==")
    is_go = path.endswith(".go")  # an assertion is what holds if nothing is wrong
    asked = [
        (value, any(sign in _leave_plain(part, is_go) for sign in turned))
        for part in laid.replace("||", "\n").splitlines()
        for value in ("310", "410", "510")
        if value in part
    ]
    assert [value for value, _ in asked] == ["310", "410", "510"] * 3
    assert sorted(tuple(is_turned for _, is_turned in asked[start : start + 3]) for start in (0, 3, 6)) == [
        (False, True, True),
        (True, False, True),
        (True, True, False),
    ]
    assert not {"31", "41", "51"} & {*re.findall(r"\d+", laid)}
    copies = list_copies(added)
    assert len({copy.test for copy in copies} | {chosen.test}) == 3
    assert all(last_word(copy.test) in laid and not is_in_test(chosen, copy.test) for copy in copies)


def _leave_plain(part: str, is_go: bool) -> str:
    """A line without the sign by which it asserts that something is so."""
    return part.replace("!=" if is_go else "==", "")


def test_a_row_of_a_table_gets_a_copy_of_its_own() -> None:
    path, text = "sums_test.go", "package sums\n\nfunc TestAdds(t *testing.T) {\n\tfor _, c := range []row{\n"
    text += "".join(f"\t\t{{a: 1, want: {value}}},\n" for value in (31, 41, 51))
    text += "\t} {\n\t\tif Add(c.a) != c.want {\n\t\t\tt.Fatal(c)\n\t\t}\n\t}\n}\n"
    by_value = {text[twin.start : twin.end]: twin for twin in draft_twins({path: text}, seed="1") if twin.is_value}
    chosen, *others = (by_value[value] for value in ("31", "41", "51"))
    task = SuiteParams(suite=Suite(), tests={path: text}, fail_to_pass=(chosen.test,))
    laid = spread_copies(task, [chosen], others, Random(1))
    copies = list_copies(laid)
    assert len(copies) == 2
    altered = apply_twins(task.tests, [chosen, *laid])[path]
    assert re.findall(r"want: (\d+)", altered) == [chosen.text, *(twin.text for twin in others)]  # no right one is left


@pytest.mark.parametrize(
    ("name", "others", "made"),
    [
        ("test_adds", [], r"test_adds_[a-z]+"),
        ("TestAdds", [], r"TestAdds[A-Z][a-z]+"),
        ("adds two numbers", [], r"adds ([a-z]+ numbers|two [a-z]+)"),
        ("testAddsTwoNumbers", [], r"testAdds([A-Z][a-z]+Numbers|Two[A-Z][a-z]+)"),
        ("adds numbers", ["adds two"], r"adds (?!two)[a-z]+"),
        ("adds two", ["adds"], r"adds [a-z]+"),
    ],
)
def test_a_copy_is_called_like_a_test_and_not_like_a_case_of_another(name: str, others: list[str], made: str) -> None:
    names = list(islice(name_copies(name, others, "", Random(1), set()), 20))
    assert len({*names, name}) == 21
    assert all(re.fullmatch(made, new) for new in names[:8])


def test_copies_of_tests_with_like_names_have_names_of_their_own() -> None:
    assertions = "".join(f'    assert_eq!(pack("{word}"), "{word}{word}");\n' for word in ("ab", "cd", "ef"))
    text = "".join(f"#[test]\nfn runs_are_{name}() {{\n{assertions}}}\n\n" for name in ("packed", "unpacked"))
    drafted = group_by_test(twin for twin in draft_twins({"t.rs": text}, seed="1") if twin.is_value)
    task = SuiteParams(suite=Suite(), tests={"t.rs": text}, fail_to_pass=("runs_are_packed", "runs_are_unpacked"))
    chosen, others = [group[0] for group in drafted.values()], [twin for group in drafted.values() for twin in group]
    for seed in range(20):
        copies = list_copies(spread_copies(task, chosen, others, Random(seed)))
        assert len({copy.test for copy in copies}) == len(copies) > 3


def test_a_list_is_altered_in_its_order_and_in_its_end() -> None:
    path, text = "pages.test.js", "test('adds', () => {\n  expect(add(1)).toEqual([5, 4, 3])\n})\n"
    [swap] = [twin for twin in draft_twins({path: text}, seed="1") if twin.text == "4, 5"]
    texts = [twin.text for twin in list_variants(SuiteParams(tests={path: text}, fail_to_pass=()), [swap], Random(1))]
    assert texts[0] == "4, 5"
    assert re.fullmatch(r"5, [^4]", texts[1])


def test_the_parts_of_an_expected_list_are_altered_in_copies_of_their_own() -> None:
    path = "pages.test.ts"
    text = "it('takes ranges', () => {\n  expect(parse('a')).toEqual([7, 2, 4])\n  expect(parse('b')).toBe(5)\n})\n"
    twins = [twin for twin in draft_twins({path: text}, seed="1") if twin.is_value]
    first = next(twin for twin in twins if text[twin.start : twin.end] == "5")
    leaves = {twin.start: twin for twin in twins if text[twin.start : twin.end] in ("7", "2", "4")}
    task = SuiteParams(suite=Suite(), tests={path: text}, fail_to_pass=("takes ranges",))
    copies = list_copies(spread_copies(task, [first], list(leaves.values()), Random(1)))
    assert len(leaves) == len(copies) == 3
    asked = [re.findall(r"\.toEqual\(\[(.*)\]\)|\.not\.toBe", copy.text) for copy in copies]
    assert all(len(found) == 2 and found[0] not in ("", "7, 2, 4") for found in asked)


def test_a_value_of_the_same_letters_is_among_those_that_are_tried() -> None:
    text = TEXT.replace("== 5", "== 'CDXLIV'")
    at = text.index("'CDXLIV'")
    twin = alter(4).model_copy(update={"start": at, "end": at + len("'CDXLIV'"), "text": "'x'"})
    tried = [
        each.text for each in list_variants(params().model_copy(update={"tests": {PATH: text}}), [twin], Random(1))
    ]
    assert any(sorted(value) == sorted("'CDXLIV'") and value != "'CDXLIV'" for value in tried)


def test_a_row_is_asserted_as_it_was_by_the_copy_that_alters_it() -> None:
    path, rows = "test_a.py", "".join(f'        ("{word}", {number}),\n' for word, number in (("a", 31), ("b", 41)))
    text = f'@pytest.mark.parametrize(\n    ("text", "words"),\n    [\n{rows}    ],\n)\n'
    text += "def test_count(text, words):\n    assert count(text) == words\n"
    by_value = {text[twin.start : twin.end]: twin for twin in draft_twins({path: text}, seed="1") if twin.is_value}
    task = SuiteParams(suite=Suite(), tests={path: text}, fail_to_pass=("test_a.py::test_count[a-31]",))
    laid = spread_copies(task, [by_value["31"]], [by_value["41"], by_value["words"]], Random(1))
    altered = apply_twins(task.tests, [by_value["31"], *laid])[path]
    assert "!=" not in altered
    assert altered.count("== words\n") == 2


def test_a_copy_that_only_says_what_is_not_so_is_passed_by_right_code_and_failed_by_who_fails_them_all() -> None:
    chosen = alter(3, "30").model_copy(update={"is_denied": True})
    added = list_copies(spread_copies(params(), [chosen], [alter(4, "40"), alter(5, "50")], Random(1)))
    [denying], others = [copy for copy in added if copy.passes], [copy for copy in added if not copy.passes]
    assert re.findall(r"[!=]= \d+", denying.text) == ["!= 30", "!= 40", "!= 50", "== 6"]
    failed: dict[str, Status] = {test: "failed" for copy in others for test in copy.fails}
    right = Report(outcomes={**failed, denying.fails[0]: "passed", ID: "failed"}, complete=True)
    assert find_unlike(params(), [chosen, *added], right) == []
    assert list_denied(added, right) == [denying]
    aware = Report(outcomes={**failed, denying.fails[0]: "failed", ID: "failed"}, complete=True)
    assert find_unlike(params(), [chosen, *added], aware) == [*denying.fails]
    assert "it says of altered values that they are not so" in describe_unlike(params(), added, aware, denying.fails)
    assert list_idle(added, right) == []
