"""Which alterations of a task's tests its reference fails is seen in real boxes, when the task is proven."""

from __future__ import annotations

import pytest

from crucible.domains.code.suite import Report, Status, Suite, SuiteParams
from crucible.domains.code.twins import Twin
from crucible.judging.fresh_boxes import FreshBoxes
from crucible.model import Agent, Check, Reference, Task, Trajectory
from crucible.sandbox import Env, Recipe, World
from crucible.store.blobs import Blobs
from tests.patience import HUNG
from tests.verifiers.attempts import SEALED
from verifiers.twins.grading.judging import find_unlike
from verifiers.twins.settling.hits import join_hits, keep_best, makes_new_test_fail, select_failing
from verifiers.twins.settling.other_places import list_unproven
from verifiers.twins.settling.settle import pick_draws, settle_twins
from verifiers.twins.settling.tree_files import list_words

CODE = "def double(x):\n    return x + x\n\n\ndef half(x):\n    return x // 2\n"
TESTS = """from calc import double, half


def test_double():
    assert double(3) == 6
    assert double(0) == 0


def test_half():
    assert half(4) == 2


def test_unread():
    expected = 7
    assert double(1) == 2 or expected
"""
RECIPE = Recipe(
    packages=("git", "python3", "python3-pytest"),
    files={"/workspace/calc.py": CODE, "/workspace/tests/test_calc.py": TESTS},
    commands=(f"chown root . && {SEALED}",),
    environment={"PYTHONDONTWRITEBYTECODE": "1"},
)
TEST = "tests/test_calc.py::test_{}".format
PARAMS = SuiteParams(
    suite=Suite(timeout=HUNG),
    tests={"tests/test_calc.py": TESTS},
    fail_to_pass=(TEST("double"), TEST("half")),
    pass_to_pass=(TEST("unread"),),
)


@pytest.fixture
def boxes(world: World, blobs: Blobs) -> FreshBoxes:
    """Boxes with the right code."""
    check = Check(verifier="suite", params=PARAMS.model_dump(mode="json"))
    env = Env(recipe=RECIPE)
    task = Task(domain="swe", kind="bugfix", instruction="x", env=env, checks=(check,), reference=Reference())
    agent = Agent(scaffold="x", teacher="scripted")
    trajectory = Trajectory(task_id=task.id, agent=agent, system="", prompt="", ended="submitted", steps=())
    return FreshBoxes(world, task, trajectory, blobs)


@pytest.mark.slow
async def test_alterations_that_right_code_fails_are_found_in_the_tests_that_nobody_knows(boxes: FreshBoxes) -> None:
    settled = await settle_twins(PARAMS, boxes)
    twins = SuiteParams.model_validate({**PARAMS.model_dump(), **settled.params}).twins
    assert settled.twins == len(twins) == 3
    assert {twin.line for twin in twins} == {5, 6, 10}
    assert {(twin.test, twin.fails) for twin in twins} == {
        ("test_double", (TEST("double"),)),
        ("test_half", (TEST("half"),)),
    }


MANY = """from calc import double


def test_double():
    assert double(6) == 12
    assert double(7) == 14
    assert double(4) == 8
    assert double(5) == 10
    if double(1) == 3:
        assert double(9) == 18
"""


@pytest.mark.slow
async def test_copies_are_run_with_the_second_set_and_show_lines_that_right_code_never_fails(boxes: FreshBoxes) -> None:
    params = SuiteParams(suite=Suite(timeout=HUNG), tests={"tests/test_calc.py": MANY}, fail_to_pass=(TEST("double"),))
    settled = await settle_twins(params, boxes)
    twins = SuiteParams.model_validate({**params.model_dump(), **settled.params}).twins
    assert {twin.line for twin in twins} == {5, 6, 7, 8}
    assert all(twin.is_copied for twin in twins)
    assert settled.twins == sum(twin.is_proven for twin in twins)


@pytest.mark.slow
async def test_a_task_whose_tests_are_all_in_its_tree_is_given_their_files(boxes: FreshBoxes) -> None:
    settled = await settle_twins(PARAMS.model_copy(update={"tests": {}, "fail_to_pass": (TEST("half"),)}), boxes)
    found = SuiteParams.model_validate({**PARAMS.model_dump(), **settled.params})
    assert found.tests == {"tests/test_calc.py": TESTS}
    assert {twin.test for twin in found.twins} == {"test_half"}


SCRIPTS = {f"tests/{name}.sh": f'test "$(echo {name})" = {name}\n' for name in ("one", "two")}
TOLD = """code=0
tell() { if sh "$2"; then echo "ok $1 - $3"; else echo "not ok $1 - $3"; code=1; fi; }
tell 1 tests/one.sh first
tell 2 tests/two.sh second
echo 1..2
exit $code"""


@pytest.mark.slow
async def test_alterations_are_tried_singly_where_nobody_can_tell_whose_the_failures_are(boxes: FreshBoxes) -> None:
    suite = Suite(runner="lines", command=TOLD, timeout=HUNG)
    params = SuiteParams(suite=suite, tests=SCRIPTS, fail_to_pass=("first", "second"))
    twins = SuiteParams.model_validate({**params.model_dump(), **(await settle_twins(params, boxes)).params}).twins
    assert {(twin.path, twin.fails) for twin in twins} == {("tests/one.sh", ("first",)), ("tests/two.sh", ("second",))}


def test_a_file_names_a_test_by_the_words_behind_its_package() -> None:
    assert list_words(["tally.example/tally::TestSize/by_1024", "acme.SumTest::adds"]) == [
        "TestSize",
        "adds",
        "by_1024",
    ]


async def test_tests_that_cannot_be_altered_are_said_to_be_so(boxes: FreshBoxes) -> None:
    params = PARAMS.model_copy(update={"tests": {"tests/data.txt": "no test\n"}})
    settled = await settle_twins(params, boxes)
    assert (settled.twins, settled.why) == (0, "no assertion in its tests can be altered")


def test_an_alteration_of_another_case_than_the_new_one_is_kept_only_where_there_is_no_better() -> None:
    params = PARAMS.model_copy(update={"fail_to_pass": (TEST("double[2]"),), "pass_to_pass": (TEST("double[1]"),)})
    found = [
        Twin(path="tests/test_calc.py", start=at, end=at, text="", test="test_double", fails=(TEST(f"double[{at}]"),))
        for at in (1, 2)
    ]
    assert keep_best(params, found) == found[1:]
    assert keep_best(params, found[:1]) == found[:1]


def test_an_alteration_that_the_reference_fails_only_now_and_then_is_not_kept() -> None:
    draw = [
        Twin(path="tests/test_calc.py", start=0, end=0, text=name, test=f"test_{name}") for name in ("double", "half")
    ]
    both = Report(outcomes={TEST("double"): "failed", TEST("half"): "failed"}, complete=True)
    one = Report(outcomes={TEST("double"): "failed", TEST("half"): "passed"}, complete=True)
    hits = [(draw, select_failing(PARAMS, draw, report)) for report in (both, one)]
    assert [twin.test for twin in join_hits(hits)] == ["test_double"]
    assert join_hits([hits[0], (draw, select_failing(PARAMS, draw, Report()))]) == []


def test_two_alterations_of_a_test_are_tried_at_once_in_two_lines() -> None:
    half, *double = [
        Twin(path="tests/test_calc.py", start=line, end=line, text="", test=test, line=line, is_value=True)
        for test, line in (("test_half", 10), ("test_double", 5), ("test_double", 5), ("test_double", 6))
    ]
    assert pick_draws([double, [half]], singly=False) == [[double[0], half], [double[2], half]]
    assert pick_draws([double, [half]], singly=True) == [[double[0]], [double[0]]]
    handed = double[2].model_copy(update={"is_near": True})
    assert pick_draws([[*double[:2], handed]], singly=False) == [[double[0]], [double[0]]]
    turned = [twin.model_copy(update={"is_value": False}) for twin in double]
    assert pick_draws([turned], singly=False) == [[turned[0]], [turned[0]]]
    both = [turned[0], turned[0].model_copy(update={"text": "another way to turn it round"})]
    assert pick_draws([both], singly=False) == [[both[0]], [both[1]]]


def test_further_lines_of_a_test_are_kept_unproven_with_all_its_cases() -> None:
    params = PARAMS.model_copy(update={"fail_to_pass": (TEST("double[1]"), TEST("double[2]"), TEST("half"))})
    first, second, third, handed, other = [
        Twin(path="tests/test_calc.py", start=line, end=line, text="", test=test, line=line, is_value=True)
        for test, line in (("test_double", 5), ("test_double", 6), ("test_double", 7), ("test_double", 8), ("x", 9))
    ]
    handed = handed.model_copy(update={"is_near": True})
    again = third.model_copy(update={"text": "again"})
    proven = [first.model_copy(update={"fails": (TEST("double[1]"),)})]
    kept = list_unproven(params, [first, second, third, again, handed, other], proven)
    cases = params.fail_to_pass[:2]
    assert kept == [twin.model_copy(update={"is_proven": False, "fails": cases}) for twin in (second, third)]
    turned = [twin.model_copy(update={"is_value": False}) for twin in proven]
    assert list_unproven(params, [second], turned) == [], "nothing is known of its values"


def test_a_test_that_is_named_after_what_was_altered_fails_under_its_new_name() -> None:
    params = PARAMS.model_copy(update={"fail_to_pass": (TEST("rows[4-8]"),), "pass_to_pass": (TEST("rows[5-10]"),)})
    row = Twin(path="tests/test_calc.py", start=0, end=1, text="9", test="test_rows")
    outcomes: dict[str, Status] = dict.fromkeys([TEST("rows[4-9]"), TEST("rows[0-1]")], "failed")
    report = Report(outcomes={**outcomes, TEST("rows[5-10]"): "passed"}, complete=True)
    [found] = select_failing(params, [row], report, known=[TEST("rows[0-1]")])
    assert (found.fails, found.gone) == ((TEST("rows[4-9]"),), (TEST("rows[4-8]"),))
    assert makes_new_test_fail(params, found)
    assert find_unlike(params, [found], report) == []
    pleased = Report(outcomes={**report.outcomes, TEST("rows[4-9]"): "passed"}, complete=True)
    assert find_unlike(params, [found], pleased) == [TEST("rows[4-9]")]


def test_a_file_that_can_no_longer_be_read_is_no_altered_test() -> None:
    row = Twin(path="tests/test_calc.py", start=0, end=1, text="9", test="test_half")
    report = Report(outcomes={"tests/test_calc.py": "failed"}, complete=True)
    assert select_failing(PARAMS, [row], report) == []


def test_of_a_table_the_same_column_is_altered_in_its_other_rows() -> None:
    rows = '{"a", 1, "x"},\n{"b, c", 2, "y"},\n{"d", 3, "z"},\n'
    params = SuiteParams(tests={"t.go": rows}, fail_to_pass=("TestRows/a", "TestRows/d"))
    twins = [
        Twin(path="t.go", start=at, end=at + 1, text="", test="TestRows", line=line, is_value=True, is_near=True)
        for at, line in ((rows.find(sign), line) for line, signs in enumerate(("a1x", "d3z"), 1) for sign in signs)
    ]
    proven = twins[2].model_copy(update={"fails": ("TestRows/a",)})
    [kept] = list_unproven(params, twins, [proven])
    assert (rows[kept.start : kept.end], kept.fails) == ("z", params.fail_to_pass)
