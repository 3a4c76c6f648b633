"""Expected outputs and rows of fixtures are told where no assertion is."""

from pipelines.swe.statements.data_rows import changed_data, new_table_rows
from pipelines.swe.statements.patch_files import read_patch, read_tests

OUTPUT = """diff --git a/tests/{name}.txt b/tests/{name}.txt
--- a/tests/{name}.txt
+++ b/tests/{name}.txt
@@ -1,3 +1,3 @@
 ... a=1;
-normal.ini: e=2
+normal.ini: e=1
"""
ROWS = """diff --git a/test/fixtures/ranges.js b/test/fixtures/ranges.js
--- a/test/fixtures/ranges.js
+++ b/test/fixtures/ranges.js
@@ -1,2 +1,5 @@
 module.exports = [
-  ['~0', '<1'],
+  // a comment
+  ['~1', '>=1.0.0-0'],
+  more(),
 ]
"""


def test_what_goes_from_an_output_and_what_comes_is_told_once() -> None:
    both = OUTPUT.format(name="one") + OUTPUT.format(name="two")
    assert changed_data(read_patch(both)) == [
        "tests/one.txt (- before, + after)",
        "- normal.ini: e=2",
        "+ normal.ini: e=1",
    ]


def test_rows_that_are_added_to_a_fixture_are_told_and_no_other_code() -> None:
    assert changed_data(read_patch(ROWS)) == ["['~1', '>=1.0.0-0'],"]


def test_a_file_that_goes_and_one_that_is_no_test_say_nothing() -> None:
    gone = "diff --git a/tests/a.txt b/tests/a.txt\n--- a/tests/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-x 1\n"
    assert changed_data(read_patch(gone + OUTPUT.replace("tests/", "notes/").format(name="one"))) == []


TABLE = """export const CASES = [
  { path: "/other" },
];

describe("match", () => {
  const limit = {
    most: 3,
  };
});
"""


def test_what_code_holds_is_no_row_of_a_table() -> None:
    patch = "--- a/src/a.spec.ts\n+++ b/src/a.spec.ts\n@@ -6,0 +7 @@\n+    most: 3,\n"
    assert new_table_rows(read_tests([], {"src/a.spec.ts": TABLE}, patch)) == ""
