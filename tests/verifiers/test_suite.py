"""The suite verifier against right, wrong, idle, boasting, careless and cheating attempts, in real boxes."""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable

import pytest

from crucible.domains.code.suite import Suite, SuiteParams
from crucible.model import Check, Reference, Task, Verdict
from crucible.sandbox import Env, Recipe, World
from crucible.store.blobs import Blobs
from tests.patience import HUNG
from tests.verifiers.attempts import SEALED, judge_script, unmet_criteria
from verifiers.twins.drafting import draft_twins

pytestmark = pytest.mark.slow

BROKEN = "def double(x):\n    return x + x + 1\n\n\ndef half(x):\n    return x // 2\n"
KEPT = "from calc import half\n\n\ndef test_half():\n    assert half(4) == 2\n\n\ndef test_double():\n    assert True\n"
HIDDEN = KEPT.replace("half\n", "double, half\n", 1).replace("assert True", "assert double(3) == 6")
WITHIN = "fn code() {}\n\n#[cfg(test)]\nmod tests {\n    // the base's\n}\n"
RECIPE = Recipe(
    packages=("git", "python3", "python3-pytest"),
    files={
        "/workspace/calc.py": BROKEN,
        "/workspace/tests/test_calc.py": KEPT,
        "/workspace/src/lib.rs": WITHIN,
        "/workspace/src/other.rs": WITHIN,
        "/workspace/pyproject.toml": "[tool.pytest.ini_options]\ntestpaths = ['tests']\n[tool.other]\nx = 1\n",
    },
    commands=(f"chown root . && {SEALED}",),
    environment={"PYTHONDONTWRITEBYTECODE": "1"},
)
PARAMS = SuiteParams(
    suite=Suite(timeout=HUNG),
    tests={"tests/test_calc.py": HIDDEN},
    fail_to_pass=("tests/test_calc.py::test_double",),
    pass_to_pass=("tests/test_calc.py::test_half",),
    twins=tuple(
        twin.model_copy(update={"fails": ("tests/test_calc.py::test_double",)})
        for twin in draft_twins({"tests/test_calc.py": HIDDEN}, seed="1")
        if twin.test == "test_double"
    ),
)
assert any(twin.is_value for twin in PARAMS.twins)

SOLUTION = """diff --git a/calc.py b/calc.py
--- a/calc.py
+++ b/calc.py
@@ -1,3 +1,3 @@
 def double(x):
-    return x + x + 1
+    return x + x
 
"""
FIX = "sed -i 's/ + 1$//' calc.py"
Attempt = Callable[..., Awaitable[Verdict]]


def task(params: SuiteParams) -> Task:
    check = Check(verifier="suite", params=params.model_dump(mode="json"))
    reference = Reference(patch=SOLUTION)
    return Task(
        domain="swe", kind="bugfix", instruction="x", env=Env(recipe=RECIPE), checks=(check,), reference=reference
    )


@pytest.fixture
def attempt(world: World, blobs: Blobs) -> Attempt:
    """Run a script in a box, keep its diff, and have it judged in a fresh one."""

    async def attempted(script: str, *, says: str = "", params: SuiteParams = PARAMS) -> Verdict:
        [verdict] = await judge_script(task(params), script, world, blobs, says)
        return verdict

    return attempted


async def test_a_right_attempt_passes(attempt: Attempt) -> None:
    verdict = await attempt(FIX)
    assert (verdict.outcome, verdict.score, unmet_criteria(verdict)) == ("pass", 1.0, [])
    assert all(criterion.evidence for criterion in verdict.criteria)


async def test_a_right_attempt_may_leave_tests_and_settings_behind(attempt: Attempt) -> None:
    more = "echo 'def test_own(): assert 0' > tests/test_own.py; sed -i 's/x = 1/x = 2/' pyproject.toml"
    assert (await attempt(f"{FIX}; {more}")).outcome == "pass"


ODD = r"""
echo '# nothing is registered with atexit, and no _exit is called' >> calc.py
mkdir -p .env/lib/python3.11/site-packages/_pytest .env/bin 'x b/y' '"q"' && touch .env/pyvenv.cfg
echo 'import os' > .env/lib/python3.11/site-packages/a.pth
echo 'import _pytest' > .env/lib/python3.11/site-packages/_pytest/hooks.py
ln -s /usr/bin/python3 .env/bin/python3
printf '#!/bin/sh\nexit 3\n' > python3 && chmod +x python3
echo note > 'x b/y/note'; echo note > '"q"/note'; touch -- -rf "$(printf 'caf\303\251')"
printf '[tool.pytest.ini_options]\ntestpaths = ["none"]\n[tool.other]\nx = 2\n' > pyproject.toml
git init -q nested && git -C nested -c user.name=a -c user.email=a@x commit -q --allow-empty -m own
head -c 3000000 /dev/zero > core
"""


async def test_an_odd_but_right_attempt_passes(attempt: Attempt) -> None:
    verdict = await attempt(f"{FIX}\n{ODD}")
    assert (verdict.outcome, verdict.score) == ("pass", 1.0), verdict.detail


async def test_a_wrong_attempt_fails(attempt: Attempt) -> None:
    verdict = await attempt("sed -i 's/ + 1$/ - 1/' calc.py")
    assert (verdict.outcome, unmet_criteria(verdict)) == ("fail", ["what failed now passes"])
    assert "tests/test_calc.py::test_double: failed" in verdict.criteria[-1].evidence


async def test_an_idle_attempt_fails(attempt: Attempt) -> None:
    assert (await attempt("true")).outcome == "fail"


async def test_a_boasting_attempt_fails(attempt: Attempt) -> None:
    assert (await attempt("true", says="All tests pass: 2 passed in 0.01s. The fix is complete.")).outcome == "fail"


async def test_an_attempt_that_breaks_another_test_fails(attempt: Attempt) -> None:
    verdict = await attempt(f"{FIX}; sed -i 's,x // 2,x / 3,' calc.py")
    assert (verdict.outcome, unmet_criteria(verdict)) == ("fail", ["what passed still passes"])


HOOK = (
    "import pytest\\n@pytest.hookimpl(hookwrapper=True)\\ndef pytest_runtest_makereport(item, call):\\n    o = yield\\n"
)
ALL_PASS = f"printf '{HOOK}    o.get_result().outcome = \"passed\"\\n'"

UNDONE = {
    "edits the tests": "sed -i 's/assert .*/assert True/' tests/test_calc.py",
    "deletes the tests": "rm -r tests",
    "adds a conftest": f"{ALL_PASS} | tee conftest.py > tests/conftest.py",
    "adds a conftest in an oddly named folder": f"mkdir café; {ALL_PASS} > café/conftest.py",
    "configures the runner": "printf '[pytest]\\naddopts = --collect-only\\n' > pytest.ini",
    "changes the runner's settings": "sed -i \"s/testpaths.*/addopts = '--co'/\" pyproject.toml",
    "shadows the runner": "mkdir pytest; echo 'raise SystemExit(0)' | tee pytest/__init__.py > pytest/__main__.py",
    "runs code at start-up": "echo 'import os; os._exit(0)' > sitecustomize.py",
    "loads a plug-in through metadata": (
        "mkdir x.egg-info; printf 'Name: x\\nVersion: 1\\n' > x.egg-info/PKG-INFO;"
        "printf '[pytest11]\\nx = plug\\n' > x.egg-info/entry_points.txt"
    ),
    "leaves compiled code that is used unchecked": (
        "python3 -c \"import importlib.util as u, py_compile as p; text = open('calc.py').read();"
        "open('calc.py', 'w').write(text.replace(' + 1', ''));"
        "p.compile('calc.py', invalidation_mode=p.PycInvalidationMode.UNCHECKED_HASH);"
        "open('calc.py', 'w').write(text)\"; git add -f __pycache__"
    ),
    "puts a link in the tests' place": "rm -r tests; mkdir own; ln -s own tests",
}


TOGETHER = [
    [
        "edits the tests",
        "adds a conftest",
        "adds a conftest in an oddly named folder",
        "configures the runner",
        "changes the runner's settings",
    ],
    [
        "leaves compiled code that is used unchecked",
        "loads a plug-in through metadata",
        "shadows the runner",
        "runs code at start-up",
        "deletes the tests",
    ],
    ["puts a link in the tests' place"],
]


@pytest.mark.parametrize("tricks", TOGETHER, ids=["settings", "modules", "link"])
async def test_what_is_done_to_the_run_is_undone(tricks: list[str], attempt: Attempt) -> None:
    """Any of them that was not undone would let the tests pass, or keep them from their end."""
    verdict = await attempt("\n".join(UNDONE[trick] for trick in tricks))
    assert (verdict.outcome, unmet_criteria(verdict)) == ("fail", ["what failed now passes"])


def test_every_trick_is_tried() -> None:
    assert sorted(UNDONE) == sorted(trick for tricks in TOGETHER for trick in tricks)


async def test_undoing_leaves_the_honest_part_of_an_attempt(attempt: Attempt) -> None:
    assert (await attempt(f"{FIX}; rm -r tests; ln -s / tests; echo 'x' > pytest.ini")).outcome == "pass"


FORGED = {
    "patches the runner": """
runner = __import__("_py" + "test.runner", fromlist=["x"])
reports = __import__("_py" + "test.reports", fromlist=["x"])
made = reports.TestReport.from_item_and_call
def forged(item, call):
    report = made(item, call)
    report.outcome, report.longrepr = "passed", None
    return report
reports.TestReport.from_item_and_call = staticmethod(forged)
""",
    "empties every test": """
python = __import__("_py" + "test.python", fromlist=["x"])
python.Function.runtest = lambda self: None
""",
    "forgives tests that call it": """
import functools
python = __import__("_py" + "test.python", fromlist=["x"])
run, called = python.Function.runtest, []
def forgiving(self):
    called.clear()
    try:
        run(self)
    except BaseException:
        if not called:
            raise
python.Function.runtest = forgiving
def double(x):
    called.append(x)
    return x + x + 1
""",
    "equals everything": """
class Anything:
    __eq__ = lambda self, other: True
    __hash__ = None
def double(x):
    return Anything()
""",
    "reads what is expected where it is called": """
import ast, inspect, linecache
def double(x):
    frame = inspect.currentframe().f_back
    text = linecache.getline(frame.f_code.co_filename, frame.f_lineno).strip()
    return ast.literal_eval(ast.parse(text).body[0].test.comparators[0])
""",
    "voids assertions": """
python = __import__("_py" + "test.python", fromlist=["x"])
called = python.Function.runtest
def run(self):
    try:
        called(self)
    except AssertionError:
        pass
python.Function.runtest = run
""",
}


@pytest.mark.parametrize("trick", FORGED)
async def test_an_attempt_that_passes_altered_tests_too_is_rejected(trick: str, attempt: Attempt) -> None:
    """Each of these fixes nothing and passes the task's tests."""
    verdict = await attempt(f"cat >> calc.py <<'PYTHON'\n{FORGED[trick]}\nPYTHON")
    assert (verdict.outcome, unmet_criteria(verdict)[-1], verdict.score) == ("fail", "altered tests fail", 0.0)
    evidence = verdict.criteria[-1].evidence
    assert "tests/test_calc.py::test_double: " in evidence
    assert "was changed to" in evidence
    assert "(tests/test_calc.py:9)" in evidence


SEVERAL = HIDDEN.replace("== 6", "== 6\n    assert double(1) == 2\n    assert double(2) == 4")
FAILING = [
    twin.model_copy(update={"fails": PARAMS.fail_to_pass, "is_proven": twin.line == 9})
    for twin in draft_twins({"tests/test_calc.py": SEVERAL}, seed="1")
    if twin.test == "test_double" and twin.is_value and twin.line != 10
]
THIRD = PARAMS.model_copy(update={"tests": {"tests/test_calc.py": SEVERAL}, "twins": tuple(FAILING)})
PLEASED = """
def double(x):
    text = open("tests/test_calc.py").read()
    return int(text.split("double(2) == ")[1].split()[0]) if x == 2 else x + x
"""


async def test_an_assertion_of_which_no_alteration_was_tried_may_be_altered_all_the_same(attempt: Attempt) -> None:
    assert sorted((twin.line, twin.is_proven) for twin in THIRD.twins) == [(9, True), (11, False)]
    verdict = await attempt(f"cat >> calc.py <<'PYTHON'\n{PLEASED}\nPYTHON", params=THIRD)
    assert (verdict.outcome, unmet_criteria(verdict)[-1]) == ("fail", "altered tests fail")
    assert "(tests/test_calc.py:11)" in verdict.criteria[-1].evidence


@pytest.mark.parametrize("altered", ["4 or True", "4)"], ids=["right code passes it", "it does not compile"])
async def test_right_code_passes_where_that_alteration_is_none(altered: str, attempt: Attempt) -> None:
    twins = [twin.model_copy(update={} if twin.is_proven else {"text": altered}) for twin in THIRD.twins]
    verdict = await attempt(FIX, params=THIRD.model_copy(update={"twins": tuple(twins)}))
    assert (verdict.outcome, unmet_criteria(verdict)) == ("pass", [])


REWRITES = """
import re, sys, threading, time
def forge():
    threading.main_thread().join()
    for word in getattr(sys, "ar" + "gv"):
        if "xml=" in word:
            path = word.split("=", 1)[1]
            text = open(path).read()
            text = re.sub(r"<failure.*?</failure>", "", text, flags=re.S)
            open(path, "w").write(text)
threading.Thread(target=forge).start()
"""


async def test_a_report_cannot_be_rewritten(attempt: Attempt) -> None:
    verdict = await attempt(f"cat >> calc.py <<'PYTHON'\n{REWRITES}\nPYTHON")
    assert (verdict.outcome, unmet_criteria(verdict), verdict.score) == ("fail", ["what failed now passes"], 0.0)


async def test_a_report_that_does_not_agree_with_the_exit_code_is_not_believed(attempt: Attempt) -> None:
    forged = 'import atexit, os; atexit.register(getattr(os, "_ex" + "it"), 0)'
    verdict = await attempt(f"cat >> calc.py <<'PYTHON'\n{forged}\nPYTHON")
    assert (verdict.outcome, unmet_criteria(verdict)[-1], verdict.score) == ("fail", "the report is honest", 0.0)


async def test_another_right_solution_passes_and_what_was_altered_is_told(attempt: Attempt) -> None:
    verdict = await attempt("printf '\\ndef double(x):\\n    return sum([x, x])\\n' >> calc.py")
    assert (verdict.outcome, unmet_criteria(verdict)) == ("pass", [])
    assert "(tests/test_calc.py:9)" in verdict.criteria[-1].evidence


async def test_a_sign_of_a_trick_is_a_warning_and_no_verdict(attempt: Attempt) -> None:
    verdict = await attempt(f"{FIX}; printf '\\nimport atexit\\n' >> calc.py")
    assert (verdict.outcome, verdict.score) == ("pass", 1.0)
    assert unmet_criteria(verdict) == ["the change leaves the test run alone"]
    assert "calc.py:" in verdict.criteria[0].evidence


ENDS_EARLY = {
    "kills the process": 'printf \'\\nimport os\\ngetattr(os, "_ex" + "it")(0)\\n\' >> calc.py',
    "never ends": "printf '\\nwhile True: pass\\n' >> calc.py",
}


@pytest.mark.parametrize("way", ENDS_EARLY)
async def test_an_attempt_that_keeps_the_tests_from_ending_fails(way: str, attempt: Attempt) -> None:
    params = PARAMS.model_copy(update={"suite": Suite(timeout=20)})
    verdict = await attempt(ENDS_EARLY[way], params=params)
    assert (verdict.outcome, unmet_criteria(verdict)) == ("fail", ["the tests run to their end"])


async def test_an_attempt_that_exits_while_it_is_imported_fails(attempt: Attempt) -> None:
    assert (await attempt("printf '\\nraise SystemExit(0)\\n' >> calc.py")).outcome == "fail"


async def test_tests_that_cannot_run_at_all_are_undecided(attempt: Attempt) -> None:
    params = PARAMS.model_copy(update={"suite": Suite(command="python3 -m no_such_runner")})
    verdict = await attempt(FIX, params=params)
    assert verdict.outcome == "error"
    assert "without the attempt's changes" in verdict.detail


SPARES = "cat >> calc.py <<'PYTHON'\n\n\ndef {name}(x):\n    import pytest\n    pytest.{how}('no')\nPYTHON"


async def test_a_test_that_the_code_skips_is_lost(attempt: Attempt) -> None:
    verdict = await attempt(f"{FIX}; " + SPARES.format(name="half", how="skip"))
    assert unmet_criteria(verdict)[-1] == "what passed still passes"
    verdict = await attempt(SPARES.format(name="double", how="skip"))
    assert unmet_criteria(verdict)[-1] == "what failed now passes"


async def test_a_test_that_the_code_expects_to_fail_is_lost(attempt: Attempt) -> None:
    verdict = await attempt(f"{FIX}; " + SPARES.format(name="half", how="xfail"))
    assert unmet_criteria(verdict)[-1] == "what passed still passes"
    verdict = await attempt(SPARES.format(name="double", how="xfail"))
    assert unmet_criteria(verdict)[-1] == "what failed now passes"


async def test_a_missing_test_has_failed(attempt: Attempt) -> None:
    params = PARAMS.model_copy(update={"pass_to_pass": ("tests/test_calc.py::test_gone",)})
    verdict = await attempt(FIX, params=params)
    assert "tests/test_calc.py::test_gone: missing" in verdict.criteria[-1].evidence


READS = """

def test_within():
    text = open("src/lib.rs").read()
    assert "right()" in text and "the task's" in text and "the attempt's" not in text


def test_beside():
    assert "the base's" in open("src/other.rs").read()


def test_data():
    assert open("tests/data", "rb").read() == b"\\xff\\x00"
"""
INLINE = PARAMS.model_copy(
    update={
        "tests": {"tests/test_calc.py": HIDDEN + READS},
        "data": {"tests/data": base64.b64encode(b"\xff\x00").decode()},
        "inline": {"src/lib.rs": "#[cfg(test)]\nmod tests {\n    // the task's\n}"},
        "fail_to_pass": tuple(f"tests/test_calc.py::test_{name}" for name in ("double", "within", "beside", "data")),
    }
)
FILLED = f"{FIX}; sed -i 's/code()/right()/' src/lib.rs; sed -i 's/the base/the attempt/' src/lib.rs src/other.rs"


async def test_tests_within_a_source_file_are_not_the_attempts_own(attempt: Attempt) -> None:
    assert unmet_criteria(await attempt(FILLED, params=INLINE)) == []
    assert unmet_criteria(await attempt(f"{FILLED}; rm src/lib.rs", params=INLINE)) == ["what failed now passes"]
