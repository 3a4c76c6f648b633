"""Expected outputs and rows of fixtures are told where no assertion is."""

from pipelines.swe.statements.records import shown

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
    assert shown(both) == ["tests/one.txt (- before, + after)", "- normal.ini: e=2", "+ normal.ini: e=1"]


def test_rows_that_are_added_to_a_fixture_are_told_and_no_other_code() -> None:
    assert shown(ROWS) == ["['~1', '>=1.0.0-0'],"]


def test_a_file_that_goes_and_one_that_is_no_test_say_nothing() -> None:
    gone = "diff --git a/tests/a.txt b/tests/a.txt\n--- a/tests/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-x 1\n"
    assert shown(gone + OUTPUT.replace("tests/", "notes/").format(name="one")) == []
