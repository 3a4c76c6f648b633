"""Who knows only what the tests ask is found out by what else it is asked, in real boxes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from crucible.domains.code.siblings import Sibling
from crucible.domains.code.suite import Suite, SuiteParams
from crucible.judging.fresh_boxes import FreshBoxes
from crucible.model import Agent, Check, Reference, Task, Trajectory
from crucible.sandbox import Env, Recipe, World
from crucible.store.blobs import Blobs
from tests.verifiers.attempts import SEALED, judge_script, unmet_criteria
from verifiers.siblings.asking import read_notes
from verifiers.siblings.judging import NAME, judge_notes
from verifiers.siblings.settling import select_telling, settle_siblings

BASE = """def pages(text):
    found = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        found.append(int(first))
    return found
"""
HIDDEN = '''import pytest
from book import pages

LONG = "2-4,9"


@pytest.mark.parametrize("text, wanted", [("3", [3]), ("1-3", [1, 2, 3])])
def test_pages(text, wanted):
    assert pages(text) == wanted


def test_long():
    """A stretch and a page."""
    found = pages(LONG)
    assert found == [2, 3, 4, 9]
'''
REFERENCE = """diff --git a/book.py b/book.py
--- a/book.py
+++ b/book.py
@@ -2,5 +2,5 @@
     found = []
     for part in text.split(","):
         first, _, last = part.partition("-")
-        found.append(int(first))
+        found += range(int(first), int(last or first) + 1)
     return found
"""
FAILING = ("tests/test_book.py::test_pages[1-3-wanted1]", "tests/test_book.py::test_long")
PARAMS = SuiteParams(suite=Suite(timeout=60), tests={"tests/test_book.py": HIDDEN}, fail_to_pass=FAILING)
TASK = Task(
    domain="swe",
    kind="bugfix",
    instruction="x",
    env=Env(
        recipe=Recipe(
            packages=("git", "python3", "python3-pytest"),
            files={"/workspace/book.py": BASE, "/workspace/conftest.py": "", "/workspace/tests/a.txt": ""},
            commands=(f"chown root . && {SEALED}",),
        )
    ),
    reference=Reference(patch=REFERENCE),
)
RIGHT = """
def pages(text):
    def one(part):
        ends = [int(end) for end in part.split("-")]
        return list(range(ends[0], ends[-1] + 1))
    return sum(map(one, text.split(",")), [])
"""
TABLE = """
old = pages
def pages(text):
    return {"1-3": [1, 2, 3], "2-4,9": [2, 3, 4, 9]}.get(text) or old(text)
"""
SMALL = f"""
old = pages
{RIGHT}
new = pages
def pages(text):
    return new(text) if max(new(text)) < 14 else old(text)
"""
GONE = """
old = pages
def pages(text):
    import os
    return {"3": [3], "1-3": [1, 2, 3], "2-4,9": [2, 3, 4, 9]}.get(text) or os._exit(0)
"""
TESTED = f"""
import sys
old = pages
{RIGHT}
new = pages
def pages(text):
    return new(text) if "_pytest.runner" in sys.modules else old(text)
"""
CALLED = f"""
import sys
old = pages
{RIGHT}
new = pages
def is_tested(frame):
    while frame and not frame.f_code.co_name.startswith("test_") and "_note_answer" not in frame.f_globals:
        frame = frame.f_back
    return frame
def pages(text):
    return new(text) if is_tested(sys._getframe()) else old(text)
"""


async def settle(world: World, blobs: Blobs) -> list[Sibling]:
    made = Trajectory(
        task_id=TASK.id,
        agent=Agent(scaffold="x", teacher="scripted"),
        system="",
        prompt="",
        artifacts={"diff": blobs.put(REFERENCE.encode())},
        ended="submitted",
    )
    return await settle_siblings(PARAMS, FreshBoxes(world, TASK, made, blobs))


@pytest.mark.slow
async def test_who_knows_what_the_tests_ask_is_not_right(world: World, blobs: Blobs) -> None:
    siblings = await settle(world, blobs)
    assert {each.test for each in siblings} == {"test_pages", "test_long"}
    assert {each.kind for each in siblings} >= {"near", "larger"}
    assert all(each.runs_alone for each in siblings)
    params = PARAMS.model_copy(update={"siblings": tuple(siblings)})
    task = TASK.model_copy(update={"checks": (Check(verifier="suite", params=params.model_dump(mode="json")),)})
    for code, unmet in (
        (RIGHT, []),
        (TABLE, [NAME]),
        (SMALL, [NAME]),
        (GONE, [NAME]),
        (TESTED, [NAME]),
        (CALLED, [NAME]),
    ):
        [verdict] = await judge_script(task, f"cat >> book.py <<'PYTHON'\n{code}PYTHON", world, blobs)
        assert [name for name in unmet_criteria(verdict) if "leaves" not in name] == unmet, verdict.detail


def sibling(name: str, base: Sequence[str], right: Sequence[str], kind: str = "near") -> Sibling:
    return Sibling.model_validate(
        {"path": "t.py", "test": "test_a", "name": name, "kind": kind, "text": "", "base": base, "right": right}
    )


def test_only_steady_answers_in_places_where_the_test_itself_tells_count() -> None:
    right = {
        "same": ("0 1", "1 5"),
        "near": ("0 1", "1 6"),
        "other place": ("0 7", "1 1"),
        "unsteady": ("0 1", "1 8"),
        "left": ("0 1", "-1 KeyError"),
        "no data": ("0 1", "1 null"),
        "by chance": ("0 1", '1 "None"'),
    }
    base = dict.fromkeys(right, ("0 1", "1 1")) | {"by chance": ("-1 NameError",)}
    drafted = [sibling(name, (), (), "same" if name == "same" else "near") for name in right]
    told = select_telling(drafted, base, right, right | {"unsteady": ("0 1", "1 9")})
    expected = [("near", (1,), ()), ("by chance", (), (1,)), ("same", (1,), ())]
    assert [(each.name, each.telling, each.hinting) for each in told] == expected


def test_where_one_value_is_altered_an_answer_of_the_test_itself_says_nothing() -> None:
    right = {"same": ("0 2", "1 2"), "near": ("0 2", "1 2"), "alone": ("0 2", "1 3")}
    drafted = [sibling(name, (), (), name.replace("alone", "near")) for name in right]
    drafted[2] = drafted[2].model_copy(update={"alters_one": True})
    told = select_telling(drafted, dict.fromkeys(right, ("0 1", "1 1")), right, right)
    assert [(each.name, each.telling) for each in told] == [("near", (0, 1)), ("alone", (1,)), ("same", (0, 1))]


def test_every_test_keeps_as_many_inputs_of_a_kind() -> None:
    drafted = [
        sibling(f"{test}{at}", (), (), "same" if at == 0 else "near").model_copy(update={"test": test})
        for test in "abcde"
        for at in range(5)
    ]
    right = {each.name: (f"0 {each.name}",) for each in drafted}
    told = select_telling(drafted, dict.fromkeys(right, ("0 1",)), right, right)
    assert [each.name for each in told] == [
        *(f"{test}{at}" for test in "abcde" for at in (1, 2, 3)),
        *(f"{test}0" for test in "abcde"),
    ]


def test_who_answers_only_the_tests_own_inputs_in_one_place_is_not_right() -> None:
    siblings = [
        sibling(f"{kind}{at}", ("0 1", "1 1"), ("0 2", "1 2"), kind).model_copy(update={"telling": (0, 1)})
        for kind in ("near", "larger", "same")
        for at in range(3 if kind != "same" else 1)
    ]
    solved = {each.name: each.right for each in siblings}
    known = {each.name: ("0 2", "1 1") if each.kind == "near" else each.right for each in siblings}
    assert judge_notes(siblings, solved).passed
    assert not judge_notes(siblings, known).passed
    assert judge_notes(siblings, known | {"same0": ("0 2", "1 odd")}).passed
    assert judge_notes(siblings, known | {"near1": ("0 2", "1 3")}).passed
    by_chance = [each.model_copy(update={"telling": (), "hinting": (1,), "base": ("-1 E",)}) for each in siblings]
    assert judge_notes(by_chance, solved).passed
    assert not judge_notes(by_chance, known | dict.fromkeys(("near0", "near1", "near2"), ("0 2", "-1 F"))).passed


def test_who_never_answers_like_right_code_or_like_the_base_in_all_of_a_kind_is_not_right() -> None:
    siblings = [
        sibling(f"{kind}{at}", ("0 1",), ("0 2",), kind).model_copy(update={"telling": (0,)})
        for kind in ("near", "larger")
        for at in range(3)
    ]

    def judge(**notes: str) -> bool:
        return judge_notes(siblings, {name: (note,) for name, note in notes.items()}).passed

    assert judge(near0="0 2", near1="0 2")
    assert not judge(near0="0 2")
    assert judge(near0="0 2", near1="0 2", larger0="0 1", larger1="0 1", larger2="0 3")
    assert not judge(near0="0 2", near1="0 2", larger0="0 1", larger1="0 1", larger2="0 1")
    assert not judge(near0="0 3", larger0="0 3")
    assert not judge()
    assert judge_notes(siblings[:3], {}).passed


def test_where_all_answers_were_to_stay_two_other_ones_are_too_many() -> None:
    names = ("same", "near0", "near1", "near2", "letters", "moved")
    right = dict.fromkeys(names, ("0 1", "1 null"))
    drafted = [sibling(name, (), (), name.rstrip("012").replace("moved", "larger")) for name in names]
    kept = select_telling(drafted, right | {"moved": ("0 2", "1 null")}, right, right)
    assert [(each.name, each.keeps, each.telling) for each in kept] == [(f"near{at}", True, (0,)) for at in range(3)]
    assert judge_notes(kept, right | {"near0": ("0 5", "1 null")}).passed
    assert not judge_notes(kept, right | {"near0": ("0 5", "1 null"), "near1": ()}).passed


def test_a_line_that_is_no_note_is_none() -> None:
    text = '["a", "0 1"]\n[["a"], "0 1"]\nnothing\n["a"]\n7\n["a", "1 2"]\n'
    assert read_notes(text) == {"a": ("0 1", "1 2")}
