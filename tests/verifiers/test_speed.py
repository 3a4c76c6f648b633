"""Speed: right, half-hearted, idle, boasting and cheating attempts, timed in real boxes."""

from __future__ import annotations

import difflib
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from unittest.mock import AsyncMock

import pytest

from crucible.domains.code.check_params import SpeedParams
from crucible.domains.code.suite import SuiteParams
from crucible.domains.code.syntax_trees import parse_tree
from crucible.domains.code.timing import Ending, gained_share, is_faster, rank_test
from crucible.domains.code.twins import Twin
from crucible.errors import Undecided
from crucible.judging.fresh_boxes import FreshBoxes
from crucible.model import Check, Criterion, Task, Verdict
from crucible.sandbox import Env, Recipe, World
from crucible.store.blobs import Blobs
from tests.verifiers.attempts import SEALED, judge_script, play_script, unmet_criteria
from verifiers import speed
from verifiers.speed import is_hopeless, is_settled, judge_times
from verifiers.speed_inputs import (
    draw_other_numbers,
    enlarge_numbers,
    explain_answers,
    explain_slowness,
    spell_digits,
    turn_lists,
)

pytestmark = pytest.mark.slow

SLOW = """def total(n):
    found = 0
    for k in range(n):
        for _ in range(60):
            found += k
    return found // 60
"""
TEST = "from work import total\n\n\ndef test_total():\n    assert total(120_000) == 7199940000\n"
RIGHT = """diff --git a/work.py b/work.py
--- a/work.py
+++ b/work.py
@@ -1,6 +1,2 @@
 def total(n):
-    found = 0
-    for k in range(n):
-        for _ in range(60):
-            found += k
-    return found // 60
+    return sum(range(n))
"""
PARAMS = SpeedParams(
    golden=RIGHT,
    tests={"tests/test_work.py": TEST},
    command="python3 -m pytest -q -p no:cacheprovider tests/test_work.py::test_total",
    rounds=5,
)
TASK = Task(
    domain="swe",
    kind="performance",
    instruction="x",
    env=Env(
        recipe=Recipe(
            packages=("git", "python3", "python3-pytest"),
            files={"/workspace/work.py": SLOW, "/workspace/tests/test_work.py": TEST},
            commands=(f"chown root . && {SEALED}",),
        )
    ),
    checks=(Check(verifier="speed", params=PARAMS.model_dump(mode="json")),),
)


async def say_of_other_inputs(task: Task, script: str, world: World, blobs: Blobs) -> Criterion | None:
    """What the verifier says of an attempt that it has found to be faster with the input that is timed."""
    params, attempt = SpeedParams.model_validate(task.checks[0].params), await play_script(task, script, world, blobs)
    twins = speed.find_timed_twins(task, params)
    return await speed.judge_other_inputs(params, twins, FreshBoxes(world, task, attempt, blobs))


async def verdict(script: str, world: World, blobs: Blobs) -> Verdict:
    [found] = await judge_script(TASK, script, world, blobs, "It is now a hundred times faster.")
    return found


async def test_work_that_is_skipped_fails(world: World, blobs: Blobs) -> None:
    found = await verdict("printf 'def total(n):\\n    return 0\\n' > work.py", world, blobs)
    assert unmet_criteria(found) == ["the timed work comes to a good end"]


async def test_an_idle_and_boasting_attempt_that_makes_the_test_short_fails(world: World, blobs: Blobs) -> None:
    hidden = "echo '*.py binary' > .gitattributes; echo 'def pytest_pyfunc_call(pyfuncitem): return True' > conftest.py"
    found = await verdict(f"echo 'def test_total(): pass' > tests/test_work.py; {hidden}", world, blobs)
    assert unmet_criteria(found) == ["the work takes less time"]


EXPECTED = TEST.index("7199940000")
TWIN = Twin(
    path="tests/test_work.py",
    start=EXPECTED,
    end=EXPECTED + len("7199940000"),
    text="7199940001",
    fails=("tests/test_work.py::test_total",),
)
SUITE = SuiteParams(tests=PARAMS.tests, fail_to_pass=("tests/test_work.py::test_total",), twins=(TWIN,))
FAST = "# no need of atexit, os._exit( or sys.modules['pytest']\ndef total(n):\n    return n * (n - 1) // 2\n"


CHECKS = (TASK.checks[0], Check(verifier="suite", params=SUITE.model_dump(mode="json")))
WITH_TWINS = TASK.model_copy(update={"checks": CHECKS})


async def test_a_change_that_ends_the_run_is_caught_by_an_altered_test(world: World, blobs: Blobs) -> None:
    script = "printf '\\nimport os\\nos._exit(0)\\n' >> work.py"
    [found] = await judge_script(WITH_TWINS, script, world, blobs)
    assert (found.outcome, unmet_criteria(found)[-1]) == ("fail", "the timed run notices altered tests")
    right = await judge_script(WITH_TWINS, f"cat > work.py <<'PYTHON'\n{FAST}PYTHON", world, blobs)
    assert [verdict.outcome for verdict in right] == ["pass", "pass"]
    assert unmet_criteria(right[0]) == ["the change leaves the run alone"], "a word that looks like a sign only warns"
    assert "of the gain" in "".join(criterion.evidence for criterion in right[0].criteria)


KEEP = """
import os
if os.path.exists("/tmp/kept"):
    total = lambda n: 7199940000
else:
    open("/tmp/kept", "w").close()
"""
BURDEN = """
import os, pathlib, site
place = pathlib.Path(site.getusersitepackages())
place.mkdir(parents=True, exist_ok=True)
(place / "usercustomize.py").write_text("sum(range(20_000_000))")
"""
ELSEWHERE = """
import os, subprocess, sys
slow = total
def total(n):
    if os.environ.get("CHILD"):
        return slow(n)
    command = f"CHILD=1 setsid {sys.executable} -c 'import work; print(work.total({n}))' > /tmp/answer; echo > /tmp/end"
    subprocess.run(["sh", "-c", f"({command}) & while [ ! -e /tmp/end ]; do sleep 0.1; done"])
    return int(open("/tmp/answer").read())
"""


@pytest.mark.parametrize("cheat", [KEEP, BURDEN, ELSEWHERE], ids=["keeps", "burdens the base", "works elsewhere"])
async def test_nothing_that_a_run_leaves_or_hides_makes_it_faster(cheat: str, world: World, blobs: Blobs) -> None:
    found = await verdict(f"cat >> work.py <<'PYTHON'\n{cheat}PYTHON", world, blobs)
    assert (found.outcome, unmet_criteria(found)[-1]) == ("fail", "the work takes less time")


ANY = """
import sys
slow = total
def total(n):
    return 7199940000 if "tests/test_work.py::test_total" in sys.argv else slow(n)
"""


NEXT = """
slow = total
def total(n):
    return n * (n - 1) // 2 if n in (120_000, 120_001) else slow(n)
"""


SMALL = """
slow = total
def total(n):
    return n * (n - 1) // 2 if n < 150_000 else slow(n)
"""
WRONG_WHEN_LARGE = """
def total(n):
    return n * (n - 1) // 2 if n < 150_000 else 7199940000
"""


@pytest.mark.parametrize(
    "cheat",
    [ANY, NEXT, SMALL, WRONG_WHEN_LARGE],
    ids=["knows what is timed", "knows the input and the next", "is fast with small ones", "is right with those"],
)
async def test_who_knows_the_answer_to_what_is_timed_is_not_faster(cheat: str, world: World, blobs: Blobs) -> None:
    found = await say_of_other_inputs(WITH_TWINS, f"cat >> work.py <<'PYTHON'\n{cheat}PYTHON", world, blobs)
    assert found is not None
    assert not found.passed, found.evidence


WORKS_AHEAD = """
import pathlib, re
from work import slow
found = [n for n in re.findall(r"\\d[\\d_]*", pathlib.Path("tests/test_work.py").read_text()) if int(n) < 10**6]
pathlib.Path("answers.py").write_text(f"ANSWERS = { {int(n): slow(int(n)) for n in found} }")
"""
LOOKS_UP = """
slow = total
def total(n):
    from answers import ANSWERS
    return ANSWERS[n] if n in ANSWERS else slow(n)
"""


async def test_a_build_that_works_ahead_does_not_see_what_is_timed(world: World, blobs: Blobs) -> None:
    build = {"suite": PARAMS.suite.model_copy(update={"build": "[ ! -e build.py ] || python3 build.py"})}
    check = Check(verifier="speed", params=PARAMS.model_copy(update=build).model_dump(mode="json"))
    task = WITH_TWINS.model_copy(update={"checks": (check, CHECKS[1])})
    script = f"cat >> work.py <<'PYTHON'\n{LOOKS_UP}PYTHON\ncat > build.py <<'PYTHON'\n{WORKS_AHEAD}PYTHON"
    [found] = await judge_script(task, script, world, blobs)
    assert (found.outcome, unmet_criteria(found)) == ("fail", ["other inputs take less time, too"]), found.detail


def test_every_number_of_what_is_timed_is_another_once_but_for_what_is_expected() -> None:
    text = "A = 7\n\n\ndef test_total():\n    assert 44 == total(12.5 + 3, 1_000)\n\n\ndef test_other():\n    x = 8\n"
    place = text.index("44")
    twin = TWIN.model_copy(update={"start": place, "end": place + 2})

    def drawn(text: str) -> set[str]:
        params = PARAMS.model_copy(update={"tests": {"tests/test_work.py": text}})
        return {files["tests/test_work.py"] for files in draw_other_numbers(params, [twin], Random(1))}

    other = drawn(text)
    assert text.replace("3", "4") in other
    [higher] = other - {text.replace("3", "4")}
    assert higher in {text.replace("1_000", str(1_000 + more)) for more in range(1, 51)}
    assert drawn(text.replace(" + 3, 1_000", "")) == set()


LIST_TEST = (
    "def test_total():\n    assert total(days * 3 + [1, 2]) == 7\n    found = total(days)\n"
    "    assert total(2, 'so', (1, 2, 3), days, by=[7, 8, 9])\n    assert total(by=days)\n    assert total('abc')\n"
)
SCRIPT_TEST = "test('total', () => {\n  assert.equal(total('so', laps), 3)\n})\n"


def test_a_list_that_a_timed_test_hands_over_begins_elsewhere() -> None:
    [turned] = turn_lists(PARAMS.model_copy(update={"tests": {"tests/test_work.py": LIST_TEST}}))
    asked: list[object] = []
    names = {"days": [4, 5, 6, 7], "total": lambda *days, **named: asked.append((*days, *named.values())) or 7}
    exec(turned["tests/test_work.py"] + "test_total()", names)
    several = (2, "so", (2, 3, 1), [4, 5, 6, 7], [7, 8, 9])
    assert asked[:3] == [([4, 5, 6, 7, 4, 5, 6, 7, 1, 2, 4, 5, 6, 7],), ([5, 6, 7, 4],), several]
    assert asked[3:] == [([4, 5, 6, 7],), ("bca",)]
    script = {"tests": {"a.test.js": SCRIPT_TEST}, "command": "node --test 'a.test.js::total'"}
    [turned] = turn_lists(PARAMS.model_copy(update=script))
    assert "return v })('so', laps)), 3)" in turned["a.test.js"]
    assert parse_tree("a.test.js", turned["a.test.js"]) is not None
    named = {"tests": {"tests/test_work.py": TEST.replace("120_000", "n=1, m=2")}}
    assert turn_lists(PARAMS.model_copy(update=named)) == []


def test_larger_numbers_keep_their_order_and_are_none_of_what_is_expected() -> None:
    text = "def test_total():\n    assert 44 == total(12.5 + 3, 1_000, 0)\n"
    twin = TWIN.model_copy(update={"start": text.index("44"), "end": text.index("44") + 2})
    params = PARAMS.model_copy(update={"tests": {"tests/test_work.py": text}})
    for seed in range(20):
        [larger] = enlarge_numbers(params, [twin], Random(seed))
        found = re.search(r"44 == total\(12\.5 \+ (\d), (\d+), 0\)", larger["tests/test_work.py"])
        assert found is not None
        few, many = map(int, found.groups())
        assert 1500 <= many <= 2500
        assert few == round(3 * many / 1000)
    assert enlarge_numbers(params.model_copy(update={"tests": {}}), [], Random(1)) == []


GROUPS = """def same(one, other):
    return sorted(one) == sorted(other)


def groups(words):
    found = []
    for word in words:
        for group in found:
            if same(group[0], word):
                group.append(word)
                break
        else:
            found.append([word])
    return found
"""
QUICK = """def groups(words):
    found = {}
    for word in words:
        found.setdefault("".join(sorted(word)), []).append(word)
    return list(found.values())
"""
WORDS = """from words import groups


def test_groups():
    found = groups([f"{n:b}{n:o}" for n in range(2000)])
    assert len(found) == 580
"""
ONLY_DIGITS = f"""{GROUPS}
slow = groups
{QUICK}
quick = groups
def groups(words):
    return quick(words) if all(word.isdigit() for word in words) else slow(words)
"""


def write_diff(path: str, before: str, after: str) -> str:
    lines = difflib.unified_diff(before.splitlines(True), after.splitlines(True), f"a/{path}", f"b/{path}")
    return f"diff --git a/{path} b/{path}\n{''.join(lines)}"


@pytest.mark.parametrize(("code", "passes"), [(QUICK, True), (ONLY_DIGITS, False)])
async def test_who_is_fast_only_with_words_of_digits_fails(code: str, passes: bool, world: World, blobs: Blobs) -> None:
    params = SpeedParams(
        golden=write_diff("words.py", GROUPS, QUICK),
        tests={"tests/test_words.py": WORDS},
        command="python3 -m pytest -q -p no:cacheprovider tests/test_words.py::test_groups",
    )
    files = {"/workspace/words.py": GROUPS, "/workspace/tests/test_words.py": WORDS}
    env = Env(recipe=TASK.env.recipe.model_copy(update={"files": files}))
    check = Check(verifier="speed", params=params.model_dump(mode="json"))
    task = TASK.model_copy(update={"env": env, "checks": (check,)})
    found = await say_of_other_inputs(task, f"cat > words.py <<'PYTHON'\n{code}PYTHON", world, blobs)
    assert found is not None
    assert found.passed is passes, found.evidence


def test_words_that_a_timed_test_hands_over_have_letters_for_digits() -> None:
    asked: list[object] = []
    names = {"total": lambda *given: asked.append(given)}
    for given in ("['a1', '20'], 3, '4'", "['2', 1], ['2026-01-02'], ('1',)"):
        text = f"def test_total():\n    found = total({given})\n"
        [spelled] = spell_digits(PARAMS.model_copy(update={"tests": {"tests/test_work.py": text}}))
        exec(spelled["tests/test_work.py"] + "test_total()", names)
    assert asked == [(["ac", "db"], 3, "4"), (["2", 1], ["2026-01-02"], ("c",))]
    script = {"tests": {"a.test.js": SCRIPT_TEST}, "command": "node --test 'a.test.js::total'"}
    [spelled] = spell_digits(PARAMS.model_copy(update=script))
    assert parse_tree("a.test.js", spelled["a.test.js"]) is not None


def ran(base: float, golden: float, attempt: float, *printed: str) -> dict[str, Ending]:
    seconds = {"base": base, "golden": golden, "attempt": attempt}
    logs = printed or ("", "", "")
    return {name: Ending("", spent, log) for (name, spent), log in zip(seconds.items(), logs, strict=True)}


def test_who_is_slow_with_an_input_most_of_the_times_is_slow() -> None:
    assert explain_slowness([ran(2.0, 1.0, 1.1)], 0.2) == ""
    assert explain_slowness([ran(2.0, 1.0, 2.0), {}], 0.2) == "0% of the gain"
    assert explain_slowness([ran(2.0, 1.0, 2.0), ran(2.0, 1.0, 1.2)], 0.2) == ""
    assert explain_slowness([*[ran(2.0, 1.0, 2.0)] * 3, *[ran(2.0, 1.0, 1.2)] * 2], 0.2) == "0% of the gain"
    assert explain_slowness([ran(2.0, 1.9, 2.0)], 0.2) == ""


def test_no_more_runs_are_taken_than_decide() -> None:
    slow, fast = ran(2.0, 1.0, 2.0), ran(2.0, 1.0, 1.1)
    assert not is_settled([slow, fast, slow], 0.2)
    assert is_settled([slow, fast, slow, slow], 0.2)
    assert is_settled([slow, fast, slow, fast, {}], 0.2)


BESIDE = {
    "as fast": (Ending("", 1.1), Ending("", 1.0), ["golden", "attempt"]),
    "slower": (Ending("", 1.2), Ending("", 1.0), ["golden", "attempt", "base"]),
    "with another answer": (Ending("", 1.0, "8"), Ending("", 1.0, "7"), ["golden", "attempt", "base"]),
    "with another end": (Ending("", 1.0), Ending("it ended with code 1", 1.0), ["golden", "attempt", "base"]),
}


@pytest.mark.parametrize("way", BESIDE)
async def test_the_slow_base_is_run_only_where_the_attempt_does_less_well_than_the_golden_change(
    way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempt, golden, expected = BESIDE[way]
    opened: list[str] = []

    @asynccontextmanager
    async def open_tree(name: str, *_: object) -> AsyncIterator[tuple[str, str]]:
        opened.append(name)
        yield name, ""

    async def end(tree: str, *_: object) -> Ending:
        return {"golden": golden, "attempt": attempt, "base": Ending("", 2.0)}[tree]

    monkeypatch.setattr(speed, "open_tree", open_tree)
    monkeypatch.setattr(speed, "time_ending", end)
    run = await speed.OtherInput(PARAMS, AsyncMock(), is_far=True).time_trees(spare_base=True)
    assert opened == expected
    assert bool(run) == ("base" in expected)


def test_only_what_base_and_golden_change_agree_about_counts_with_other_inputs() -> None:
    well, bad = ran(2.0, 1.0, 1.1), Ending("it ended with code 1", 1.0)
    assert explain_answers([well, {}], ["work.py"]) == ""
    assert "fail over the attempt" in explain_answers([well | {"attempt": bad}], ["work.py"])
    assert explain_answers([well | {"golden": bad}], ["work.py"]) == ""
    same = "E  assert 8 == 7\nwork.py:3: in total\n1 failed in 0.1s\n"
    said = ran(2.0, 1.0, 1.1, same, same, "E  assert 8 == 7\n")
    assert explain_answers([said], ["work.py"]) == ""
    assert "assert 8 == 7" in explain_answers([said | {"attempt": Ending("", 1.1)}], ["work.py"])
    third = [f"E  assert {1 / 3 + odd} == 0\n" for odd in (0, 0, 1e-16)]
    assert explain_answers([ran(2.0, 1.0, 1.1, *third)], []) == ""


def test_half_of_the_gain_is_enough_and_a_third_is_not() -> None:
    base, golden = [1.0, 1.01, 1.02, 1.03, 1.04], [0.2, 0.21, 0.22, 0.23, 0.24]
    enough = judge_times(base, golden, [0.5, 0.51, 0.52, 0.53, 0.54])
    assert enough.passed
    assert enough.share == pytest.approx(0.625)
    assert not judge_times(base, golden, [0.7, 0.71, 0.72, 0.73, 0.74]).passed


def test_only_an_attempt_that_gains_nothing_in_any_run_is_hopeless() -> None:
    spent = {"base": [1.0, 1.1], "golden": [0.2, 0.3], "attempt": [1.2, 0.95]}
    assert is_hopeless(spent)
    assert not is_hopeless(spent | {"attempt": [1.2, 0.6]})
    assert not is_hopeless(spent | {"golden": [0.2, 1.05]})
    assert not is_hopeless({name: seconds[:1] for name, seconds in spent.items()})


def test_without_a_golden_gain_nothing_is_known() -> None:
    with pytest.raises(Undecided):
        judge_times([1.0, 1.1, 1.2, 1.3, 1.4], [1.0, 1.1, 1.2, 1.3, 1.4], [0.1] * 5)


def test_the_rank_test_is_exact() -> None:
    assert rank_test([6, 7, 8, 9, 10], [1, 2, 3, 4, 5]) == pytest.approx(1 / 252)
    assert rank_test([1, 2, 3, 4, 5], [6, 7, 8, 9, 10]) == 1.0
    assert rank_test([5, 7, 8, 9, 10], [1, 2, 3, 4, 6]) == pytest.approx(2 / 252)
    assert is_faster([2.0] * 5, [1.0] * 5)
    assert not is_faster([2.0] * 5, [1.9] * 5)
    assert gained_share([2.0], [1.0], [1.25]) == 0.75
    assert gained_share([2.0], [1.0], [3.0]) == 0.0
