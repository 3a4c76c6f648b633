"""Three kinds of runs sort the tests, and say when no reward can be made of them."""

import pytest

from crucible.domains.code.patches import rewritten_names
from crucible.domains.code.suite import Report, Status
from crucible.errors import Rejected
from pipelines.swe.rewards.classify import (
    Runs,
    classify,
    require_complete_runs,
    require_no_altered_tests,
    require_reward,
)


def report(**outcomes: Status) -> Report:
    return Report(outcomes=outcomes, complete=True)


def runs(base: Report, tested: Report, golden: Report, *more: tuple[Report, Report, Report]) -> Runs:
    columns = list(zip((base, tested, golden), *more, strict=True))
    return Runs(base=columns[0], tested=columns[1], golden=columns[2])


def test_tests_are_sorted_by_what_they_did() -> None:
    split = classify(
        runs(
            report(kept="passed", old="failed", odd="skipped", expected="xfailed"),
            report(kept="passed", old="failed", odd="skipped", expected="xfailed", new="failed", easy="passed"),
            report(
                kept="passed",
                old="failed",
                odd="skipped",
                expected="xfailed",
                new="passed",
                easy="passed",
                late="passed",
            ),
        )
    )
    assert split.fail_to_pass == ("late", "new")
    assert split.pass_to_pass == ("easy", "kept"), "of a test that is expected to fail nothing can be lost"


def test_a_file_that_needs_the_change_to_load_makes_no_false_fail_to_pass() -> None:
    split = classify(runs(report(a="passed"), report(file="failed"), report(a="passed", b="passed")))
    assert split.fail_to_pass == ("b",)
    assert split.pass_to_pass == ("a",)


def test_a_new_test_that_is_skipped_until_the_change_is_there_must_start_to_pass() -> None:
    split = classify(
        runs(report(odd="skipped"), report(new="skipped", odd="skipped"), report(new="passed", odd="passed"))
    )
    assert split.fail_to_pass == ("new",)


def test_a_test_that_flips_leaves_the_reward() -> None:
    steady = report(kept="passed"), report(kept="passed", new="failed"), report(kept="passed", new="passed")
    flipped = report(kept="failed"), report(kept="passed", new="failed"), report(kept="passed", new="passed")
    split = classify(runs(*steady, flipped))
    assert split.flaky == ("kept",)
    assert split.fail_to_pass == ("new",)


@pytest.mark.parametrize(
    ("measured", "reason"),
    [
        (runs(report(a="passed"), report(a="passed"), report(a="passed")), "no_fail_to_pass"),
        (runs(report(), report(a="failed"), report(a="failed")), "golden_fails"),
        (runs(report(a="passed"), report(a="passed", b="failed"), report(a="failed", b="passed")), "golden_fails"),
        (
            runs(report(), report(a="failed"), report(a="passed"), (report(), report(a="failed"), report(a="failed"))),
            "flaky",
        ),
    ],
)
def test_without_an_honest_reward_the_item_is_dropped(measured: Runs, reason: str) -> None:
    with pytest.raises(Rejected) as caught:
        require_reward(classify(measured))
    assert caught.value.reason == reason


def test_a_run_that_did_not_end_measures_nothing() -> None:
    with pytest.raises(Rejected) as caught:
        require_complete_runs(Runs(base=(Report(why="no report was written"),)))
    assert caught.value.reason == "tests_do_not_run"


def test_only_the_tests_without_the_change_may_fail_to_compile() -> None:
    whole, broken = report(a="passed"), Report(broken="b.go does not compile", why="the build ended with code 1")
    require_complete_runs(Runs(base=(whole,), tested=(broken,), golden=(whole,)))
    split = classify(Runs(base=(whole,), tested=(broken,), golden=(report(a="passed", b="passed"),)))
    assert (split.fail_to_pass, split.pass_to_pass) == (("b",), ("a",))
    for wrong in (Runs(base=(broken,)), Runs(golden=(broken,)), Runs(golden=(Report(complete=True, broken="x"),))):
        with pytest.raises(Rejected, match="tests_do_not_run"):
            require_complete_runs(wrong)


def test_what_takes_the_whole_run_down_until_the_change_is_fixed_by_it() -> None:
    whole, dead = report(a="passed"), Report(why="pytest ended with code 137, not its own", code=137)
    runs = Runs(base=(whole,), tested=(dead,), golden=(report(a="passed", b="passed"),))
    require_complete_runs(runs)
    split = classify(runs)
    assert (split.fail_to_pass, split.pass_to_pass) == (("b",), ("a",))
    for wrong in (Runs(base=(dead,)), Runs(golden=(dead,))):
        with pytest.raises(Rejected, match="tests_do_not_run"):
            require_complete_runs(wrong)


def test_a_rewritten_test_that_needs_the_change_to_compile_must_start_to_pass() -> None:
    """A Go file whose one test now calls what the change brings: the base passes, the package does not compile."""
    whole = report(**{"pkg::TestOrder": "passed", "pkg::TestParse": "passed"})
    unbuilt = Report(broken="undefined: Compare")
    name = frozenset({"TestOrder"})
    split = classify(Runs(base=(whole,), tested=(unbuilt,), golden=(whole,), rewritten=name))
    assert split.fail_to_pass == ("pkg::TestOrder",)
    assert split.pass_to_pass == ("pkg::TestParse",)


def test_a_rewritten_test_is_told_by_the_lines_that_are_added_to_it() -> None:
    after = "package a\n\nfunc TestA(t *T) {\n\told()\n}\n\nfunc TestB(t *T) {\n\tnew()\n}\n"
    patch = "--- a/a_test.go\n+++ b/a_test.go\n@@ -6,4 +6,4 @@\n \n func TestB(t *T) {\n-\told()\n+\tnew()\n }\n"
    assert rewritten_names(patch, {"a_test.go": after}) == {"TestB"}


def test_a_test_is_not_rewritten_by_another_that_is_added_below_it() -> None:
    after = "def test_a():\n    assert a\n\n\n# More.\n@mark\ndef test_b():\n    assert b\n"
    added = "".join(f"+{line}\n" for line in after.splitlines()[2:])
    patch = f"--- a/test_a.py\n+++ b/test_a.py\n@@ -1,2 +1,8 @@\n def test_a():\n     assert a\n{added}"
    assert rewritten_names(patch, {"test_a.py": after}) == {"test_b"}


def test_a_test_is_not_rewritten_by_a_table_that_is_added_below_it() -> None:
    test = "func TestA(t *T) {\n\tfor {\n\t\tx()\n\t}\n}\n\n"
    below = "// Rows.\nvar rows = []row{\n\t{1, 2},\n}\n\nfunc TestB(t *T) {\n\tuse(rows)\n}\n"
    added = "".join(f"+{line}\n" for line in below.splitlines())
    patch = f"--- a/a_test.go\n+++ b/a_test.go\n@@ -5,2 +5,10 @@\n }}\n \n{added}"
    assert rewritten_names(patch, {"a_test.go": test + below}) == {"TestB"}


def test_what_a_test_defines_for_itself_does_not_take_the_lines_after_it() -> None:
    after = (
        "fn test_a() {\n    struct Odd(u8);\n    use(Odd(1));\n    fn inner() {\n        x();\n    }\n    last();\n}\n"
    )
    patch = "--- a/src/tests.rs\n+++ b/src/tests.rs\n@@ -{0},0 +{0} @@\n+{1}\n"
    for line, found in ((2, {"test_a", "Odd"}), (3, {"test_a"}), (5, {"test_a", "inner"}), (7, {"test_a"})):
        added = patch.format(line, after.splitlines()[line - 1])
        assert rewritten_names(added, {"src/tests.rs": after}) == found


def test_a_change_that_claims_none_may_not_ask_for_other_outcomes() -> None:
    new = runs(report(a="passed"), report(a="passed", b="failed"), report(a="passed", b="passed"))
    require_no_altered_tests(new, classify(new))
    altered = runs(report(a="passed"), report(a="failed"), report(a="passed"))
    with pytest.raises(Rejected, match="other outcomes are expected of a"):
        require_no_altered_tests(altered, classify(altered))


def test_what_is_tested_within_the_changes_own_code_is_no_reward() -> None:
    def seen(**outcomes: Status) -> Report:
        return Report(outcomes={f"{name}.py::x": state for name, state in outcomes.items()}, complete=True)

    golden = seen(lib="passed", test="passed", other="passed")
    given = runs(seen(other="passed"), seen(other="passed", test="failed"), golden)
    split = classify(given.model_copy(update={"code": frozenset({"lib.py"})}))
    assert (split.fail_to_pass, split.pass_to_pass) == (("test.py::x",), ("other.py::x",))


def test_a_test_that_is_called_by_what_the_code_computes_is_asked_of_nobody() -> None:
    base = Report(outcomes={"a.js::safe - /x/": "passed"}, complete=True)
    tested = Report(outcomes={"a.js::safe - /x/": "passed", "a.js::new": "failed"}, complete=True)
    golden = Report(
        outcomes={"a.js::safe - /x+/": "passed", "a.js::new": "passed", "b.js::late": "passed"}, complete=True
    )
    assert classify(runs(base, tested, golden)).fail_to_pass == ("a.js::new", "b.js::late")


def test_a_test_program_is_rewritten_with_its_file() -> None:
    patch = "--- a/test/options.cpp\n+++ b/test/options.cpp\n@@ -1 +1,2 @@\n int main() {\n+  use(Mode::Append);\n"
    assert "options" in rewritten_names(patch, {"test/options.cpp": "int main() {\n  use(Mode::Append);\n"})
    assert "options" not in rewritten_names("", {"test/options.cpp": "int main() {}\n"})
