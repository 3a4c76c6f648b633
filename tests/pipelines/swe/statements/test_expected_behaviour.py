"""What failing tests expect is shown as its authors wrote it, whole, and of the failing tests only."""

from collections.abc import Iterator, Mapping, Sequence

import pytest

from pipelines.swe.statements.expected_behaviour import find_assertions, title_in_words, write_expected_section
from pipelines.swe.statements.patch_files import read_tests

MOCHA = """describe('parse', function () {
  it('keeps empty keys', function () {
    var options = { strict: true };
    assert.deepEqual(
      parse('=a', options),
      { '': 'a' }
    );
    assert.equal(parse('(').kept, '(');
  });

  it('drops the rest', () => {
    assert.equal(parse('x'), 'y');
  });
});
"""
NEW = "--- a/test/a.js\n+++ b/test/a.js\n@@ -0,0 +1,4 @@\n"


def assertions(failing: Sequence[str], sources: Mapping[str, str], patch: str) -> Iterator[str]:
    return find_assertions(read_tests(failing, sources, patch))


def section(failing: Sequence[str], sources: Mapping[str, str], patch: str, *, enough: int) -> str:
    return write_expected_section(read_tests(failing, sources, patch), enough=enough)


@pytest.mark.parametrize("id", ["test/a.js::parse > keeps empty keys", "keeps empty keys", "parse keeps empty keys"])
def test_a_test_with_a_title_shows_its_assertions_whole(id: str) -> None:
    shown = list(assertions([id], {"test/a.js": MOCHA}, ""))
    assert shown == [
        "var options = { strict: true };",
        "assert.deepEqual(\n  parse('=a', options),\n  { '': 'a' }\n);",
        "assert.equal(parse('(').kept, '(');",
    ]
    new = NEW + "+    assert.equal(parse('(').kept, '(');\n"
    assert list(assertions([id], {"test/a.js": MOCHA}, new)) == shown[2:]


def test_where_no_title_is_found_added_assertions_are_shown() -> None:
    patch = NEW + "+    t.assert.equal(halve(4), 2)\n+    expect(halve(5))\n+      .toBe(2)\n+    other()\n"
    wanted = ["t.assert.equal(halve(4), 2)", "expect(halve(5))\n  .toBe(2)"]
    assert list(assertions(["x"], {"test/a.js": ""}, patch)) == wanted


def test_an_assertion_that_only_compares_names_is_shown_with_what_they_stand_for() -> None:
    patch = NEW + "+  it('halves', () => {\n+    fill(half, 2, 1);\n+    assert.same(halves, half);\n+  });\n"
    shown = section(["a.js::halves"], {}, patch, enough=60)
    assert "it('halves', () => {\n  fill(half, 2, 1);\n  assert.same(halves, half);\n});" in shown


def test_an_assertion_is_shown_with_the_declarations_it_rests_on_each_once() -> None:
    source = (
        "test('two', function (t) {\n\tvar args = [\n\t\t'4'\n\t];\n\tvar two = halve(args, {\n\t\tinto: 2\n\t});\n"
    )
    source += "\tvar other = 1;\n\tt.equal(two.n, 2);\n\tt.equal(two.m, 0);\n\tt.end();\n});\n"
    shown = section(["two"], {"test/a.js": source}, "", enough=60)
    wanted = "var args = [\n\t'4'\n];\nvar two = halve(args, {\n\tinto: 2\n});\nt.equal(two.n, 2);\nt.equal(two.m, 0);"
    assert wanted in shown
    assert "other" not in shown


def test_an_assertion_is_shown_with_the_assignments_it_rests_on() -> None:
    source = "def test_half():\n    other = 1\n    text = '4'\n    found = halve(text)\n    assert found == 2\n"
    shown = list(assertions(["test_a.py::test_half"], {"test_a.py": source}, ""))
    assert shown == ["text = '4'\nfound = halve(text)\nassert found == 2"]


def test_an_assertion_is_shown_with_what_a_test_defines_for_it() -> None:
    source = "def test_half():\n    class Odd(int):\n        x = 1\n    class Other:\n        x = 2\n"
    source += "    assert halve(Odd(3)) == 1\n"
    shown = list(assertions(["test_a.py::test_half"], {"test_a.py": source}, ""))
    assert shown == ["class Odd(int):\n    x = 1\nassert halve(Odd(3)) == 1"]


def test_to_call_a_function_that_asserts_is_an_assertion() -> None:
    source = "def test_half():\n    def same(n, half):\n        assert halve(n) == half\n"
    source += "    same(4, 2)\n    same('6', 3)\n    other(1)\n"
    patch = "--- a/test_a.py\n+++ b/test_a.py\n@@ -3 +3,2 @@\n+    same('6', 3)\n"
    shown = list(assertions(["test_a.py::test_half"], {"test_a.py": source}, patch))
    assert shown == ["def same(n, half):\n    assert halve(n) == half\nsame('6', 3)"]


def test_an_assertion_is_shown_with_what_was_done_where_its_names_were_bound() -> None:
    block = "with caught() as warned:\n    halve('4')\n    assert not other"
    source = f"def test_half():\n    {block.replace(chr(10), chr(10) + '    ')}\n    assert len(warned) == 0\n"
    shown = list(assertions(["test_a.py::test_half"], {"test_a.py": source}, ""))
    assert shown == ["assert not other", f"{block}\nassert len(warned) == 0"]


def test_of_a_longer_test_the_new_part_is_shown_and_of_a_class_its_own() -> None:
    loop = "        for n in (6, 8):\n            assert halve(n) == n / 2\n"
    body = f"    def test_half(self):\n        assert halve(4) == 2\n{loop}"
    source = f"class A:\n{body}class B:\n    def test_half(self):\n        assert other()\n"
    patch = "--- a/test_a.py\n+++ b/test_a.py\n@@ -3 +3,2 @@\n+        for n in (6, 8):\n"
    shown = list(assertions(["test_a.py::A::test_half"], {"test_a.py": source}, patch))
    assert shown == ["for n in (6, 8):\n    ...\nassert halve(n) == n / 2"]


def test_rows_that_are_added_to_a_table_of_parameters_are_shown() -> None:
    row = "        (4, 2),\n"
    source = f"@pytest.mark.parametrize(\n    'n, half',\n    [\n        (2, 1),\n{row}    ],\n)\n"
    source += "def test_half(n, half):\n    assert halve(n) == half\n"
    patch = f"--- a/test_a.py\n+++ b/test_a.py\n@@ -4 +4,2 @@\n+{row}"
    shown = section(["test_a.py::test_half[4-2]"], {"test_a.py": source}, patch, enough=60)
    assert "assert halve(n) == half\nn, half: (4, 2)" in shown
    assert "(2, 1)" not in shown


def test_a_function_shows_its_assertions_that_are_new_and_no_others() -> None:
    new = '    assert_says(\n        halve(3),\n        "odd",\n    );\n'
    source = f"#[test]\nfn halves() {{\n    assert_eq!(halve(2), 1);\n{new}}}\n"
    patch = '--- a/tests/a.rs\n+++ b/tests/a.rs\n@@ -1 +1,2 @@\n+        "odd",\n'
    shown = list(assertions(["a::tests/a.rs::halves"], {"tests/a.rs": source}, patch))
    assert shown == ['assert_says(\n    halve(3),\n    "odd",\n);']


def test_a_go_test_that_grows_shows_every_line_that_is_added_where_they_are_few() -> None:
    patch = """--- a/a_test.go
+++ b/a_test.go
@@ -1,2 +1,3 @@
 type spec struct {
+\tMulti uint32 `split:"true"`
 }
@@ -9,2 +10,5 @@
 \tuse()
+\tif s.Multi != 25 {
+\t\tt.Errorf("expected %d, got %v", 25, s.Multi)
+\t}
 }
--- a/testdata/list.txt
+++ b/testdata/list.txt
@@ -1 +1,2 @@
 a
+MULTI uint32
"""
    shown = section(["x::TestProcess"], {"a_test.go": ""}, patch, enough=60)
    assert 'Multi uint32 `split:"true"`\nif s.Multi != 25 {\n    t.Errorf' in shown
    assert shown.endswith("testdata/list.txt (- before, + after)\n+ MULTI uint32\n```")


def test_a_row_of_go_is_shown_however_short_and_names_of_parts_of_many_tests_are_not() -> None:
    source = "func TestTrim(t *testing.T) {\n\tfor _, one := range []struct {\n\t\tin, out string\n\t}{\n"
    source += '\t\t{".5", "0"},\n\t} {\n\t\tt.Run(one.in, one.test)\n\t}\n}\n'
    patch = '--- a/a_test.go\n+++ b/a_test.go\n@@ -1 +1,2 @@\n+\t\t{".5", "0"},\n'
    parts = [f"m::TestTrim/{n}/AsTypeE" for n in range(3)]
    shown = section(["m::TestTrim", "m::TestTrim/.5", *parts], {"a_test.go": source}, patch, enough=60)
    assert '// TestTrim: AsTypeE\nin, out: {".5", "0"}' in shown
    assert "- as type e" not in shown


def test_a_script_shows_the_assertions_that_are_added_to_it_by_whatever_name_with_their_locals() -> None:
    new = "local odd = 3\nasserteq(halve(odd), 1)\ntest.asserteq(halve(4), 2)\n"
    patch = "--- a/tests/test-a.lua\n+++ b/tests/test-a.lua\n@@ -1 +1,4 @@\n" + "".join(
        f"+{line}\n" for line in new.splitlines()
    )
    shown = section(["tests/test-a.lua"], {"tests/test-a.lua": new}, patch, enough=60)
    assert new.strip() in shown


def test_the_number_that_minitest_gives_a_spec_is_no_part_of_its_name() -> None:
    assert title_in_words("spec/a_spec.rb::Jar#test_0012_ignores empty cookies") == "ignores empty cookies"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("tests/a.py::test_empty_input_is_bad[0 and 1]", "empty input is bad"),
        ("a.b.JarTest::keepsOrder(int)[1]", "keeps order"),
        ("src/a.ts::parse › numbers can be string[]", "parse › numbers can be string[]"),
        ("test/a.js::keeps the rest (once)", "keeps the rest (once)"),
    ],
)
def test_parameters_are_no_part_of_a_name_but_the_end_of_a_title_is(name: str, words: str) -> None:
    assert title_in_words(name) == words


TABLE = """export const CASES = [
  {
    path: "/:a..:b",
    options: { end: false },
    tests: [
      {
        input: "/a",
        expected: false,
      },
      {
        input: "/a..b",
        expected: { a: "a", b: "b" },
      },
    ],
  },
  {
    path: "/other",
    tests: [],
  },
];

describe("match", () => {
  const limit = {
    most: 3,
  };
});
"""


def test_a_new_row_of_a_table_that_tests_go_through_is_shown_with_what_it_stands_under() -> None:
    patch = '--- a/src/a.spec.ts\n+++ b/src/a.spec.ts\n@@ -11,2 +11,2 @@\n         input: "/a..b",\n'
    patch += '-        expected: false,\n+        expected: { a: "a", b: "b" },\n'
    shown = section(["src/a.spec.ts::a > should match '/a..b'"], {"src/a.spec.ts": TABLE}, patch, enough=60)
    row = """{
  path: "/:a..:b",
  options: { end: false },
  tests: [
    ...
    {
      input: "/a..b",
      expected: { a: "a", b: "b" },
    },
  ],
},"""
    assert f"```\n{row}\n```" in shown


def test_a_test_is_found_by_its_title_under_a_name_of_its_own_and_in_the_next_line() -> None:
    source = "localTest(\n  'halves',\n  () => {\n    expect(halve(4)).toBe(2);\n  },\n);\n"
    assert list(assertions(["test/a.ts::halves"], {"test/a.ts": source}, "")) == ["expect(halve(4)).toBe(2);"]


def test_of_a_long_row_of_parameters_what_is_new_is_shown_and_only_what_compares_it() -> None:
    old = "".join(
        f"    'SELECT {n} FROM somewhere that is long enough to fill the row of a table',\n" for n in range(9)
    )
    source = f"@mark.parametrize('wanted', [\n    [\n{old}    'NULLIF(age)',\n    ],\n])\n"
    source += "def test_sql(db, wanted):\n    db.insert(1)\n    assert db.sql() == wanted\n    assert 1 == 1\n"
    patch = "--- a/test_a.py\n+++ b/test_a.py\n@@ -3 +3,2 @@\n+    'NULLIF(age)',\n"
    shown = list(assertions(["test_a.py::test_sql[0]"], {"test_a.py": source}, patch))
    assert shown == ["db.insert(1)\nassert db.sql() == wanted", "wanted: ...\n'NULLIF(age)',\n..."]


def test_what_is_done_to_a_name_before_it_is_compared_is_shown() -> None:
    source = "it('maps', () => {\n  const other = new Map();\n  const map = new Map();\n  map.set('a', 1);\n"
    source += "  other.set('b', 1);\n  map.a = 2;\n  expect(show(map)).toBe('a');\n});\n"
    shown = list(assertions(["test/a.js::maps"], {"test/a.js": source}, ""))
    assert shown == ["const map = new Map();", "map.set('a', 1);", "map.a = 2;", "expect(show(map)).toBe('a');"]


def test_of_a_snapshot_what_is_taken_away_is_shown_as_well() -> None:
    path = "tap-snapshots/test/a.js.test.cjs"
    patch = f'--- a/{path}\n+++ b/{path}\n@@ -1,2 +1 @@\n-  "b": Array [\n-  "brr": "1",\n+  "brr": Array [\n'
    shown = section(["test/a.js > decode"], {path: ""}, patch, enough=60)
    assert f'{path} (- before, + after)\n-   "b": Array [\n-   "brr": "1",\n+   "brr": Array [' in shown


def test_of_tests_with_one_title_the_one_in_the_right_group_is_shown() -> None:
    source = "".join(
        f"describe('{group}', () => {{\n  it('is ${{kind}}', () => {{\n    expect({group}(1)).toBe(2);\n  }});\n}});\n"
        for group in ("halve", "double")
    )
    shown = list(assertions(["test/a.js::double > is odd"], {"test/a.js": source}, ""))
    assert shown == ["expect(double(1)).toBe(2);"]


def test_a_java_test_that_must_not_come_so_far_is_not_shown_without_what_stands_around_it() -> None:
    body = '        try {\n            parse("[1,,");\n            fail("Expected an exception");\n'
    body += "        } catch (Bad e) {\n        }\n"
    test = f"    @Test\n    public void lenientCommas() {{\n{body}"
    for more in ("", '        assertEquals("[1,null]", parse("[1,]"));\n'):
        source = f"class ATest {{\n{test}{more}    }}\n}}\n"
        added = [f"+{line}\n" for line in f"{test}{more}    }}".splitlines()]
        patch = f"--- a/src/test/ATest.java\n+++ b/src/test/ATest.java\n@@ -1,0 +2,{len(added)} @@\n" + "".join(added)
        shown = section(["a.ATest::lenientCommas"], {"src/test/ATest.java": source}, patch, enough=200)
        assert ("fail(" in shown) == ('parse("[1,,");' in shown)
        assert more.strip() in shown


CACHE = """def test_it_forgets_the_oldest():
    noise = 1
    cache = LRUCache(capacity=2)
    cache['a'] = 1
    cache['b'] = 2
    noise += 1
    assert cache.lru == ['a', 'b']
    found = cache.get('a')
    assert cache.lru == ['b', 'a']
    del cache['b']
    cache.resize(1)
    assert found == 1 and cache.lru == ['a']
"""


def test_what_is_done_between_assertions_is_shown_between_them() -> None:
    shown = "\n".join(assertions(["test_c.py::test_it_forgets_the_oldest"], {"test_c.py": CACHE}, ""))
    assert shown.splitlines() == [line.strip() for line in CACHE.splitlines()[1:] if "noise" not in line]
