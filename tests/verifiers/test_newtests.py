"""Tests that an attempt wrote, against right, wrong, idle, boasting and cheating ones, in real boxes."""

from __future__ import annotations

import pytest

from crucible.domains.code.check_params import NewTestsParams
from crucible.domains.code.suite import Report
from crucible.model import Check, Task, Verdict
from crucible.sandbox import Env, Recipe, World
from crucible.store.blobs import Blobs
from tests.verifiers.attempts import SEALED, judge_script, script_of, unmet_criteria
from verifiers import newtests
from verifiers.newtests import State, is_decided, is_test, judge_runs

pytestmark = pytest.mark.slow

RECIPE = Recipe(
    packages=("git", "python3", "python3-pytest"),
    files={
        "/workspace/calc.py": "def double(x):\n    return x + x + 1\n\n\ndef half(x):\n    return x // 2\n",
        "/workspace/tests/test_calc.py": "from calc import half\n\n\ndef test_half():\n    assert half(4) == 2\n",
    },
    commands=(f"chown root . && {SEALED}",),
    environment={"PYTHONDONTWRITEBYTECODE": "1"},
)
RIGHT = """diff --git a/calc.py b/calc.py
--- a/calc.py
+++ b/calc.py
@@ -1,5 +1,5 @@
 def double(x):
-    return x + x + 1
+    return x + x
 
 
 def half(x):
"""


def altered(line: str) -> str:
    """A patch of the right code."""
    return RIGHT.replace("-    return x + x + 1\n+    return x + x\n", f"-    return x + x\n+    return {line}\n")


PARAMS = NewTestsParams(
    right=RIGHT,
    rewrite=altered("__import__('operator').add(x, x)"),
    mutants=(altered("x - x"), altered("x * 3")),
    patterns=("tests/", "test_*.py"),
    pass_to_pass=("tests/test_calc.py::test_half",),
    changed={"calc.py": (2,)},
)
TASK = Task(
    domain="swe",
    kind="test",
    instruction="x",
    env=Env(recipe=RECIPE),
    checks=(Check(verifier="newtests", params=PARAMS.model_dump(mode="json")),),
)
GOOD = "printf 'from calc import double\\n\\ndef test_double():\\n    assert double(3) == 6\\n' > tests/test_double.py"


async def verdict(script: str, world: World, blobs: Blobs, says: str = "") -> Verdict:
    [found] = await judge_script(TASK, script, world, blobs, says)
    return found


async def test_a_right_attempt_passes(world: World, blobs: Blobs) -> None:
    found = await verdict(f"{GOOD}; sed -i 's/ + 1//' calc.py", world, blobs)  # its fix is not taken over
    assert (found.outcome, unmet_criteria(found)) == ("pass", [])


async def test_an_idle_or_boasting_attempt_fails(world: World, blobs: Blobs) -> None:
    found = await verdict("true", world, blobs, says="I wrote ten tests; all of them pass.")
    assert (found.outcome, unmet_criteria(found)) == ("fail", ["there are tests"])


def body(*lines: str) -> str:
    text = "\n".join(("import calc, pathlib, subprocess, hashlib", "", "def test_it():", *lines))
    return f"cat > tests/test_it.py <<'PYTHON'\n{text}\nPYTHON"


PASSES, NOTICES = "the new tests pass with the right code", "they fail with wrong code"
FAULTS = "they notice other faults"
WRONG = {
    "expects what is wrong": (body("    assert calc.double(3) == 7"), PASSES),
    "passes whatever happens": (body("    calc.double(3)"), NOTICES),
    "fails whatever happens": (body("    assert False"), PASSES),
    "tests something else": (body("    assert calc.half(2) == 1"), NOTICES),
    "fixes the code and asserts nothing": ("sed -i 's/ + 1//' calc.py; " + body("    calc.double(3)"), NOTICES),
    "hides a change of the code from who reads the diff": (
        "echo '*.py binary' > .gitattributes; sed -i 's/ + 1//' calc.py; " + body("    calc.double(3)"),
        NOTICES,
    ),
    "looks whether anything changed": (
        body("    assert subprocess.run(['git', 'diff', '--quiet', '--', 'calc.py']).returncode"),
        FAULTS,
    ),
    "looks at the file's size": (body("    assert len(pathlib.Path('calc.py').read_text()) != 70"), NOTICES),
    "knows the wrong code by its text": (
        body("    assert calc.double(0) < 9", "    assert '+ 1' not in pathlib.Path('calc.py').read_text()"),
        FAULTS,
    ),
    "knows the wrong code by its bytecode": (
        body("    calc.double(3)", "    assert calc.double.__code__.co_code != (lambda x: x + x + 1).__code__.co_code"),
        FAULTS,
    ),
    "knows the right code by its text": (
        body("    calc.double(3)", "    assert 'return x + x\\n' in pathlib.Path('calc.py').read_text()"),
        PASSES,
    ),
    "knows the right code by its bytecode": (
        body("    calc.double(3)", "    assert calc.double.__code__.co_code == (lambda x: x + x).__code__.co_code"),
        PASSES,
    ),
    "knows the right code by its tree": (
        body(
            "    import ast",
            "    found = ast.parse(pathlib.Path('calc.py').read_text()).body[0].body[0].value",
            "    assert ast.dump(found) == ast.dump(ast.parse('x + x').body[0].value)",
        ),
        PASSES,
    ),
    "knows the right code by who watches it, and by how it is rewritten": (
        body(
            "    import sys",
            "    calc.double(3)",
            "    tools = map(sys.monitoring.get_tool, range(6)) if hasattr(sys, 'monitoring') else ()",
            "    assert sys.gettrace() or any(tools) or '_' in pathlib.Path('calc.py').read_text()",
        ),
        NOTICES,
    ),
    "remembers how often it ran": (
        body("    p = pathlib.Path('/tmp/n')", "    n = p.exists()", "    p.touch()", "    assert n"),
        PASSES,
    ),
    "drops the tests there were": (f"{GOOD}; rm tests/test_calc.py", "no other test breaks"),
    "keeps the run from ending": (
        f"{GOOD}; echo '__import__(\"os\")._exit(0)' > tests/conftest.py",
        "run to their end",
    ),
}


@pytest.mark.parametrize("way", WRONG)
async def test_what_tells_right_from_wrong_by_nothing_fails(way: str, world: World, blobs: Blobs) -> None:
    script, criterion = WRONG[way]
    found = await verdict(script, world, blobs)
    assert found.outcome == "fail"
    assert criterion in unmet_criteria(found)[0]


BESIDE = PARAMS.model_copy(
    update={
        "rewrite": altered("x + x + 1 if not __name__ else __import__('operator').add(x, x)"),
        "wrong": ("", RIGHT.replace("+    return x + x\n", "+    return x + x if not __name__ else x + x + 1\n")),
        "mutants": tuple(altered(f"x + x if not __name__ else {fault}") for fault in ("x - x", "x * 3")),
    }
)
WITH_BOTH = TASK.model_copy(
    update={"checks": (Check(verifier="newtests", params=BESIDE.model_dump(mode="json")),)},
)
NOTICES_SOME = "    assert calc.double(3) in (6, 7)"
KNOWING = {
    "by its text": "    assert 'x + x + 1' not in pathlib.Path('calc.py').read_text()",
    "by its constants": "    assert 1 not in calc.double.__code__.co_consts",
    "by the text of the right": "    assert 'return x + x\\n' in pathlib.Path('calc.py').read_text()",
    "by its length": "    assert len(pathlib.Path('calc.py').read_text().splitlines()[1]) != 20",
}


@pytest.mark.parametrize("way", KNOWING)
async def test_who_knows_wrong_code_and_notices_some_faults_fails(way: str, world: World, blobs: Blobs) -> None:
    [found] = await judge_script(WITH_BOTH, body(NOTICES_SOME, KNOWING[way]), world, blobs)
    assert found.outcome == "fail", found.detail


async def test_good_tests_pass_where_right_and_wrong_code_stand_beside_each_other(world: World, blobs: Blobs) -> None:
    [right] = await judge_script(WITH_BOTH, GOOD, world, blobs)
    assert right.outcome == "pass"


@pytest.mark.parametrize("probe", ["know-the-code", "see-any-change"])
async def test_a_cheat_that_only_sees_that_the_code_is_another_fails(probe: str, world: World, blobs: Blobs) -> None:
    found = await verdict(script_of(probe), world, blobs)
    assert (found.outcome, unmet_criteria(found)[0]) == ("fail", FAULTS), found.detail


def test_no_further_state_is_run_once_wrong_code_is_not_noticed() -> None:
    passed = Report(complete=True, outcomes={"tests/test_it.py::test_it": "passed"})
    failed = Report(complete=True, outcomes={"tests/test_it.py::test_it": "failed"})
    right = newtests.TestRun(State("right", (RIGHT,)), passed)
    both = [right, newtests.TestRun(State("right", (RIGHT, "x")), passed)]
    fault, wrong = State("mutant", (RIGHT, "x")), State("wrong", ("",))
    assert not is_decided(PARAMS, [newtests.TestRun(wrong, passed)])
    assert not is_decided(PARAMS, [right, newtests.TestRun(wrong, passed)])
    assert not is_decided(PARAMS, [*both, newtests.TestRun(wrong, failed), newtests.TestRun(fault, passed)])
    assert is_decided(PARAMS, [*both, newtests.TestRun(wrong, passed)])
    assert is_decided(PARAMS, [newtests.TestRun(right.state, failed)])


def test_who_hides_what_is_executed_has_executed_nothing() -> None:
    report = Report(complete=True, outcomes={"tests/test_it.py::test_it": "passed"})
    runs = [
        newtests.TestRun(State("right", (RIGHT, rewrite)[:count]), report) for count, rewrite in ((1, ""), (2, "x"))
    ]
    found = {criterion.name: criterion.passed for criterion in judge_runs(PARAMS, runs)}
    assert found["the new tests pass with the right code"]
    assert not found["they execute changed lines"]


def test_a_test_that_the_change_extends_is_the_attempts_own_only_if_it_fails_in_the_tasks_tree() -> None:
    """As it was it notices faults of other lines; that is no merit of the attempt."""
    old, own = "tests/test_calc.py::test_all", "tests/test_own.py::test_it"
    params = PARAMS.model_copy(update={"extended": (old,), "changed": {}})
    right, fault = State("right", (RIGHT,)), State("mutant", (RIGHT, "x"))
    for before, passed in (("passed", False), ("failed", True)):
        states = ((right, "passed", "passed"), (State("wrong", ("",)), before, "failed"), (fault, "failed", "passed"))
        runs = [
            newtests.TestRun(state, Report(complete=True, outcomes={old: of_old, own: of_own}))
            for state, of_old, of_own in states
        ]
        found = {criterion.name: criterion.passed for criterion in judge_runs(params, runs)}
        assert found["they fail with wrong code"]
        assert found["they notice other faults"] is passed


def test_a_test_file_is_known_by_its_folder_or_its_name() -> None:
    assert is_test("a/tests/x.txt", ("tests/",))
    assert is_test("a/x_test.go", ("*_test.go",))
    assert not is_test("tests", ("tests/",))
    assert not is_test("latest/x.py", ("tests/", "test_*.py"))
    assert not is_test("lib/rack/test/jar.rb", ("test/",))
