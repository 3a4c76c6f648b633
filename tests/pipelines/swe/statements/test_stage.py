"""A solver is told all it needs, and nothing of the answer."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from crucible.acting import Ask, Reply
from crucible.errors import Rejected
from crucible.mining import MiningContext, Route
from crucible.model import Task
from pipelines.swe.model import Built, Candidate, Overlay, PullRequest, Statement
from pipelines.swe.statements.model_check import check_with_model
from pipelines.swe.statements.stage import apply_rules, has_word, write_statement

PATCH = """--- a/lib/a.py
+++ b/lib/a.py
@@ -1 +1,9 @@
 x = 1
+def halved_twice(
+    number: int, keep_sign: bool = True
+) -> float:
+    if number > 9000:
+        raise ValueError("number is over nine thousand")
+    return compute_quarter_of(number)
+
+def _hidden(number): ...
"""
TESTS = """--- a/tests/test_a.py
+++ b/tests/test_a.py
@@ -1 +1,6 @@
+from lib.a import halved_twice
+def test_a_number_is_halved_twice():
+    assert halved_twice(8, keep_sign=False) == 2
+def test_large():
+    with pytest.raises(ValueError, match="number is over nine thousand"): ...
"""
FILE = "def test_a_number_is_halved_twice():\n    assert halved_twice(8, keep_sign=False) == 2\n"
LONG = "Numbers that are halved lose their sign, which is wrong in many ways and should be mended soon. " * 5
SHELF = "sample_data/swe/shelf"


@pytest.fixture
def built(pulls: dict[int, PullRequest]) -> Any:
    """A built task around a pull request of the sample, with other patches and another text."""

    def make(text: str, **changes: Any) -> Built:
        given = {"patch": PATCH, "test_patch": TESTS, "commits": ("a1b2c3d4" + "0" * 32,), **changes}
        pull = pulls[7].model_copy(update=given)
        candidate = Candidate(pull=pull, route=Route(kind="bugfix", confidence=1, why=""))
        task = Task(domain="swe", kind="bugfix", instruction=f"Solve this.\n\n{text}\n\nNow.")
        names = ("tests/test_a.py::test_a_number_is_halved_twice",)
        overlay = Overlay(tests={"tests/test_a.py": FILE})
        return Built(
            candidate=candidate, task=task, tests=overlay, fail_to_pass=names, statement=Statement(before=text)
        )

    return make


def test_names_that_only_the_change_brings_are_told_without_how_it_is_done(built: Any) -> None:
    made = apply_rules(built(LONG))
    assert "`def halved_twice(number: int, keep_sign: bool = True) -> float`" in made.text
    assert "`number is over nine thousand`" in made.text
    assert "compute_quarter_of" not in made.text
    assert "_hidden" not in made.text
    assert made.before == LONG
    assert made.by == "rules"


def test_what_the_statement_says_already_is_not_told_again(built: Any) -> None:
    said = LONG + "`halved_twice(number, keep_sign=True)` says: number is over nine thousand"
    assert apply_rules(built(said)).after == ""


def test_what_the_code_has_already_is_not_told(built: Any) -> None:
    patch = PATCH.replace("halved_twice", "parse").replace("keep_sign", "text")
    tests = TESTS.replace("halved_twice", "parse").replace("keep_sign", "text")
    assert "def parse" not in apply_rules(built(LONG, patch=patch, test_patch=tests)).text


def test_a_short_statement_is_completed_from_the_failing_tests(built: Any) -> None:
    made = apply_rules(built("Halve properly"))
    assert "- a number is halved twice" in made.text
    assert "assert halved_twice(8, keep_sign=False) == 2" in made.text


def test_where_only_an_issue_is_named_the_failing_tests_say_it_all(built: Any) -> None:
    made = apply_rules(built("Fixes #88"))
    assert made.text.startswith("## Expected behaviour")


def test_what_shall_behave_as_before_is_not_told_what_to_do(built: Any) -> None:
    short = built("Move halves to a module of their own")
    route = short.candidate.route.model_copy(update={"kind": "refactoring"})
    moved = short.model_copy(update={"candidate": short.candidate.model_copy(update={"route": route})})
    assert "Expected behaviour" in apply_rules(short).text
    assert "Expected behaviour" not in apply_rules(moved).text


def test_what_names_the_change_is_cut_out(built: Any) -> None:
    made = apply_rules(
        built(LONG + "\n\nFixes #12\nSee https://forge.example/t/l/pull/7. It was mended in a1b2c3d. Signs matter.")
    )
    assert not any(word in made.text for word in ("#12", "forge.example", "a1b2c3d"))
    assert "Signs matter." in made.text


def test_a_line_of_the_change_is_cut_out(built: Any) -> None:
    made = apply_rules(built(LONG + "\n\n    return compute_quarter_of(number)\n\nwould do."))
    assert "compute_quarter_of" not in made.text


@pytest.mark.parametrize("how", ["+    {}", "> {}", "- `{}`", "Signs matter. It should just `{}`, I think."])
def test_a_line_of_the_change_is_known_in_a_diff_a_list_and_a_sentence(how: str, built: Any) -> None:
    made = apply_rules(built(f"{LONG}\n\n{how.format('return compute_quarter_of(number)')}\n\nThat is all."))
    assert "compute_quarter_of" not in made.text
    assert ("Signs matter." in made.text) == how.startswith("Signs")
    assert "That is all." in made.text


def test_a_diff_is_rejected(built: Any) -> None:
    with pytest.raises(Rejected, match="statement_leaks"):
        apply_rules(built(LONG + "\ndiff --git a/x b/x\n"))


def test_nothing_to_say_is_rejected(built: Any) -> None:
    bare = built("Fix", test_patch="").model_copy(update={"fail_to_pass": ("a",), "tests": Overlay()})
    with pytest.raises(Rejected, match="statement_thin"):
        apply_rules(bare)


async def test_the_instruction_and_the_tasks_name_follow_the_statement(built: Any, no_world: MiningContext) -> None:
    given = built("Halve properly", held_against=("list@1",))
    [made] = await write_statement(given, no_world)
    assert made.task.instruction.startswith("Solve this.\n\nHalve properly\n\n## Expected behaviour")
    assert made.task.instruction.endswith("Now.")
    assert made.task.id != given.task.id
    assert made.task.provenance.held_against == ("list@1",)


async def test_a_quoted_fragment_of_the_fix_is_cut_and_what_is_told_of_the_patch_is_measured(
    built: Any, no_world: MiningContext
) -> None:
    said = f"{LONG}So `compute_quarter_of(number)` is to be returned. Signs matter."
    [made] = await write_statement(built(said), no_world)
    assert "compute_quarter_of" not in made.task.instruction
    assert "Signs matter." in made.task.instruction
    assert "what quoted code of the change was cut out" in made.statement.why
    entry = "From the changelog:\n\n- `compute_quarter_of(number)` may be called."
    assert apply_rules(built(f"{said}\n\n{entry}")).text.count("compute_quarter_of") == 1
    assert 0 < float(made.task.labels["patch_tokens_told"]) < 1


@pytest.mark.parametrize(
    ("path", "added", "used", "head"),
    [
        ("a.go", "func Halve(n int) (int, error) {", "x, err := Halve(3)", "func Halve(n int) (int, error)`"),
        ("a.go", "func halve(n int) int {", "halve(3)", "func halve(n int) int`"),
        ("a.go", "func (h *Half) search(n int) int {", "h.search(3)", "func (h *Half) search(n int) int`"),
        ("a.go", "type Half struct {\n+\tWhole bool", "Half{Whole: true}", "Half: Whole bool`"),
        (
            "src/a.rs",
            "pub fn halve(n: u32) -> Option<u32> {",
            "assert_eq!(halve(3), None);",
            "pub fn halve(n: u32) -> Option<u32>",
        ),
        (
            "a.ts",
            "export function halve(n: number): number {",
            "expect(halve(3)).toBe(1)",
            "export function halve(n: number): number",
        ),
        ("A.java", "    public int halveIt(int n) {", "assertEquals(1, a.halveIt(3));", "public int halveIt(int n)"),
        (
            "a.rb",
            "  def halve_it(number, round: true)",
            "expect(halve_it(3)).to eq 1",
            "def halve_it(number, round: true)",
        ),
        (
            "A.php",
            "    public function halveIt(int $n): int",
            "$this->assertSame(1, $a->halveIt(3));",
            "public function halveIt(int $n): int",
        ),
        ("a.lua", "function M.halve_it(n)", "assert.equal(1, M.halve_it(3))", "function M.halve_it(n)"),
        ("a.c", "int halve_it(int n) {", "assert(halve_it(3) == 1);", "int halve_it(int n)"),
    ],
)
def test_signatures_are_found_in_many_languages(path: str, added: str, used: str, head: str, built: Any) -> None:
    patch = f"--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n+{added}\n"
    tests = f"--- a/tests/x\n+++ b/tests/x\n@@ -1 +1 @@\n+{used}\n"
    assert f"- `{head}" in apply_rules(built(LONG, patch=patch, test_patch=tests)).text


def test_a_function_that_is_only_named_is_told_with_what_it_takes(built: Any) -> None:
    named = apply_rules(built(f"{LONG} Add halved_twice()."))
    assert "`def halved_twice(number: int, keep_sign: bool = True) -> float`" in named.text
    assert "def halved_twice" not in apply_rules(built(f"{LONG} halved_twice(9, keep_sign=True) is 2.25")).text


@pytest.mark.parametrize(
    ("added", "used", "text"),
    [
        (
            'return errors.New("must be an integer")',
            '{"int", `bad value "x": must be an integer`},',
            "must be an integer",
        ),
        ('err = f"no such shelf: {name}"', 'match="no such shelf: top"', "no such shelf: top"),
        ("name += suffix", 'expected := "--flag value   what it does"', "--flag value   what it does"),
    ],
)
def test_texts_that_nobody_could_guess_are_told(added: str, used: str, text: str, built: Any) -> None:
    patch = f"--- a/a.go\n+++ b/a.go\n@@ -1 +1 @@\n+{added}\n"
    tests = f"--- a/a_test.go\n+++ b/a_test.go\n@@ -1 +1 @@\n+{used}\n"
    assert f"- `{text}`" in apply_rules(built(LONG, patch=patch, test_patch=tests)).text


def test_what_comes_from_a_module_that_both_import_is_not_told(built: Any) -> None:
    patch = '--- a/a.go\n+++ b/a.go\n@@ -1 +1 @@\n+import "math"\n+\tif n == math.MaxUint64 { s.Overflown = true }\n'
    tests = "--- a/a_test.go\n+++ b/a_test.go\n@@ -1 +1 @@\n+\tif !of(math.MaxUint64).s.Overflown {\n"
    told = apply_rules(built(LONG, patch=patch, test_patch=tests)).text
    assert "- `Overflown`" in told
    assert "MaxUint64" not in told


class Model:
    """A judge that gives these answers, one after the other."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)

    votes = 1

    async def reply(self, ask: Ask) -> Reply:
        assert "number is over nine thousand" in ask.prompt
        return Reply(text=self.answers.pop(0))


def opinion(**changes: Any) -> str:
    yes = {"answer": True, "evidence": "as it says"}
    return json.dumps({"asked": yes, "knowable": yes, "unspoiled": yes, "missing": []} | changes)


NO = {"answer": False, "evidence": "the tests want a float"}


async def test_what_a_model_finds_missing_is_told(built: Any) -> None:
    answer = opinion(knowable=NO, missing=["The result is a float.", "return compute_quarter_of(number)"])
    made = await check_with_model(
        apply_rules(built(LONG)), built(LONG).candidate.pull, Model("rubbish", f"```json\n{answer}\n```")
    )
    assert made.text.endswith("## Details\n\n- The result is a float.")
    assert made.by == "rules and a model"
    assert made.before == LONG


async def test_a_statement_about_something_else_is_rejected(built: Any) -> None:
    with pytest.raises(Rejected, match="statement_disagrees"):
        await check_with_model(apply_rules(built(LONG)), built(LONG).candidate.pull, Model(opinion(asked=NO)))


async def test_an_answer_that_cannot_be_read_is_no_consent_and_no_objection(built: Any) -> None:
    before = apply_rules(built(LONG))
    made = await check_with_model(before, built(LONG).candidate.pull, Model("YES", "all fine, answer: true"))
    assert made.text == before.text
    assert "no answer" in made.why[-1]


def test_a_word_is_looked_for_in_what_a_clone_has(tmp_path: Path) -> None:
    def git(*arguments: str) -> str:
        who = ("-c", "user.name=Ada", "-c", "user.email=ada@words.example")
        done = subprocess.run(
            ["git", "-C", str(tmp_path), *who, *arguments], capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    git("init", "-q")
    (tmp_path / "a.py").write_text("halve = 1\n")
    (tmp_path / "large.csv").write_text("1,2\n")
    git("add", "-A")
    git("commit", "-q", "-m", "x")
    blob = git("rev-parse", "HEAD:large.csv")
    (tmp_path / ".git/objects" / blob[:2] / blob[2:]).unlink()
    assert has_word(tmp_path, "HEAD", "halve")
    assert not has_word(tmp_path, "HEAD", "double")
