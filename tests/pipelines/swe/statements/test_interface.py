"""What only the change brings and the tests use is told: names, members, keys, files."""

from pipelines.swe.statements.interface import Interface, IsKnown, find_missing_interface
from pipelines.swe.statements.patch_files import read_tests

NEW = "--- a/test/a.js\n+++ b/test/a.js\n@@ -0,0 +1,4 @@\n"


def missing(patch: str, test_patch: str, statement: str, is_known: IsKnown) -> Interface:
    return find_missing_interface(patch, read_tests([], {}, test_patch), statement, is_known)


def test_a_key_that_only_the_change_brings_is_told() -> None:
    patch = NEW.replace("test/", "lib/") + "+  var skip = options.skipNulls;\n+  var mine = 1;\n"
    tests = NEW + "+  assert.equal(stringify(x, { skipNulls: true }), '');\n"
    assert missing(patch, tests, "Leave null out", lambda word: False).members == ("skipNulls",)
    assert missing(patch, tests, "Leave null out", lambda word: True).is_empty


def test_what_go_tests_use_of_their_own_package_is_told_however_it_is_written() -> None:
    patch = "--- a/a.go\n+++ b/a.go\n@@ -1 +1,9 @@\n+const (\n+\tmostOf = 16\n+)\n+var errOdd = odd()\n"
    patch += "+type OddError struct {\n+\tKey string\n+\tlimit int\n+}\n+\tother = half(mostOf)\n"
    tests = "--- a/a_test.go\n+++ b/a_test.go\n@@ -1 +1,2 @@\n"
    tests += '+\tif err != errOdd || half.limit != mostOf || other == (OddError{Key: "a"}) {\n'
    found = missing(patch, tests, "", lambda word: word == "Key")
    told = ["mostOf = 16", "var errOdd = odd()", "type OddError struct", "OddError: Key string", "OddError: limit int"]
    assert list(found.signatures) == told


def test_what_a_new_interface_asks_of_the_tests_is_told() -> None:
    patch = "--- a/a.go\n+++ b/a.go\n@@ -1 +1,9 @@\n+type Timer interface {\n+\tStart(of int)\n+\tC() <-chan int\n+}\n"
    patch += "+func use(timer Timer) {\n+\tStart(2)\n+}\n"
    tests = "--- a/a_test.go\n+++ b/a_test.go\n@@ -1 +1,2 @@\n"
    tests += "+func (t *mine) Start(of int) {}\n+func (t *mine) C() <-chan int {\n"
    found = missing(patch, tests, "", lambda word: word in ("C", "Start", "Timer"))
    assert list(found.signatures) == ["Timer: Start(of int)", "Timer: C() <-chan int"]


def test_a_member_that_the_change_only_calls_is_not_its_own() -> None:
    tests = "--- a/a_test.go\n+++ b/a_test.go\n@@ -1 +1,2 @@\n+\tgot := re.FindStringSubmatch(s)\n"
    patch = tests.replace("a_test.go", "a.go").replace("got := re", "found := numbers")
    assert missing(patch, tests, "", lambda word: False).is_empty
    owned = patch + "+\tr.FindStringSubmatch = mine\n"
    assert missing(owned, tests, "", lambda word: False).members == ("FindStringSubmatch",)


def test_files_that_a_change_brings_and_tests_import_are_told() -> None:
    paths = ("lib/strip-chars.js", "lib/strip.js", "lib/odd/index.js", "lib/other.js", "test/help.js")
    patch = "".join(f"--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+x\n" for path in paths)
    tests = NEW + "+const a = require('./strip-chars')\n+import b from '../lib/odd'\n+import './help'\n+other()\n"
    assert missing(patch, tests, "", lambda word: True).files == ("lib/strip-chars.js", "lib/odd/index.js")
    assert missing(patch, tests, "See lib/odd/index.js and lib/strip-chars.js.", lambda word: True).is_empty
