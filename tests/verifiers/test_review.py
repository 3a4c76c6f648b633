"""Reviews: right, wrong, idle, boasting and shotgun ones."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from crucible.acting import Ask, Reply
from crucible.domains.code import failing_input
from crucible.domains.code.check_params import Defect, ReviewedTrees, ReviewParams
from crucible.errors import Undecided
from crucible.model import Check, Task, Verdict
from crucible.sandbox import Env, Recipe, World
from crucible.store.blobs import Blobs
from tests.verifiers.attempts import SEALED, judge_script, script_of, unmet_criteria
from verifiers.review import Finding, is_same

CODE = "def total(prices):\n    paid = 0\n    for price in prices:\n        paid += price\n    return paid\n"


def patch(before: str, after: str) -> str:
    """A patch of `calc.py` that replaces its whole text."""
    old, new = before.splitlines(), after.splitlines()
    lines = [f"@@ -1,{len(old)} +1,{len(new)} @@", *(f"-{line}" for line in old), *(f"+{line}" for line in new)]
    return "\n".join(["diff --git a/calc.py b/calc.py", "--- a/calc.py", "+++ b/calc.py", *lines, ""])


FAULTY, RIGHT_CODE = CODE.replace("prices:\n", "prices[1:]:\n"), CODE.replace("prices:\n", "prices[0:]:\n")
OTHERWISE = "import operator as _operator\n" + CODE.replace("paid += price", "paid = _operator.add(paid, price)")
DEFECT = Defect(path="calc.py", first=3, last=3, what="the limit is off by one")
TREES = ReviewedTrees(
    faulty=patch(CODE, FAULTY),
    right=patch(CODE, RIGHT_CODE),
    faulty_rewrite=patch(FAULTY, OTHERWISE.replace("in prices", "in prices[int('1'):]")),
    right_rewrite=patch(RIGHT_CODE, OTHERWISE.replace("in prices", "in prices[int('0'):]")),
    others=(
        patch(RIGHT_CODE, RIGHT_CODE.replace("[0:]", "[:0]")),
        patch(RIGHT_CODE, RIGHT_CODE.replace("[0:]", "[2:]")),
    ),
)
PARAMS = ReviewParams(defects=(DEFECT,), trees=TREES, names=("total", "paid", "price", "prices"))
TASK = Task(
    domain="swe",
    kind="review",
    instruction="x",
    env=Env(
        recipe=Recipe(
            packages=("git", "python3", "python3-pytest"),
            files={"/workspace/calc.py": CODE},
            commands=(f"chown root . && {SEALED}",),
            environment={"PYTHONDONTWRITEBYTECODE": "1"},
        )
    ),
    checks=(Check(verifier="review", params=PARAMS.model_dump(mode="json")),),
)
RIGHT = {
    "path": "calc.py",
    "line": 3,
    "problem": "The first of the prices is left out, so a single one costs nothing.",
    "input": "python3 -c 'import calc; print(calc.total([5]))'",
    "expected": "5",
}


async def verdict(findings: object, world: World, blobs: Blobs, says: str = "") -> Verdict:
    text = findings if isinstance(findings, str) else json.dumps(findings)
    [found] = await judge_script(TASK, f"cat > review.json <<'JSON'\n{text}\nJSON", world, blobs, says)
    return found


async def test_a_right_finding_passes(world: World, blobs: Blobs) -> None:
    found = await verdict([RIGHT], world, blobs)
    assert (found.outcome, unmet_criteria(found)) == ("pass", [])


async def test_a_right_finding_passes_that_says_more_than_is_asked_for(world: World, blobs: Blobs) -> None:
    found = await verdict([{**RIGHT, "severity": "high", "end_line": 4}], world, blobs)
    assert (found.outcome, unmet_criteria(found)) == ("pass", [])


async def test_an_idle_or_boasting_review_fails(world: World, blobs: Blobs) -> None:
    [found] = await judge_script(TASK, "true", world, blobs, "calc.py:3: the limit is off by one")
    assert (found.outcome, unmet_criteria(found)) == ("fail", ["there is a review"])


LISTS: dict[str, tuple[object, str]] = {
    "nothing to say": ([], "there is a review"),
    "no JSON": ("calc.py:7 the limit is wrong", "there is a review"),
    "another shape": ([{"file": "calc.py", "row": 7}], "there is a review"),
    "a number as text": ([{**RIGHT, "line": "7"}], "there is a review"),
    "no input": ([{key: value for key, value in RIGHT.items() if key != "input"}], "there is a review"),
    "every line": ([{**RIGHT, "line": line} for line in range(1, 99)], "the list is short"),
    "one guess beside it": ([RIGHT, {**RIGHT, "line": 40}], "the list is short"),
}
SINGLE: dict[str, dict[str, object]] = {
    "another line": {"line": 20},
    "another file": {"path": "other.py"},
    "a bag of names": {"problem": "total paid price prices total(prices) paid price"},
    "a wrong defect at the right line": {"input": "python3 -c 'import calc; print(calc.total([]))'", "expected": "1"},
    "an input that shows nothing": {"input": "python3 -c 'import calc; print(calc.total([0, 5]))'"},
    "an input that prints whatever the code does": {
        "input": "python3 -c 'import calc; print([calc.total([n, 1]) for n in range(9)])'",
        "expected": "it is wrong",
    },
    "an input that prints what is expected": {"input": "echo 5"},
    "an input that reads the right text": {"input": "grep -q '0:' calc.py && echo 5 || echo 4"},
    "an input that reads the wrong text": {"input": "grep -q '1:' calc.py && echo 4 || echo 5"},
    "an input that sees whether the code does anything else": {
        "input": "python3 -c 'import calc; print(any(calc.total(p) != sum(p[1:]) for p in ([], [5], [1, 2])))'",
        "expected": "True",
    },
    "an input that reads the change": {"input": "git diff | grep -q '^+.*1:' && echo 4 || echo 5"},
}


@pytest.mark.parametrize("way", SINGLE)
async def test_a_finding_that_does_not_show_the_defect_fails(way: str, world: World, blobs: Blobs) -> None:
    found = await verdict([{**RIGHT, **SINGLE[way]}], world, blobs)
    assert (found.outcome, unmet_criteria(found)) == ("fail", ["the findings are right"])


BOTH = TREES.model_copy(
    update={
        "faulty_rewrite": patch(
            FAULTY, OTHERWISE.replace("in prices", "in prices[0:] if not __name__ else prices[1:]")
        ),
        "right_rewrite": patch(
            RIGHT_CODE, OTHERWISE.replace("in prices", "in prices[1:] if not __name__ else prices[0:]")
        ),
    }
)
READING = {
    "the right text": "grep -Eq '[[](int[(].)?0' calc.py && ! grep -Eq '[[](int[(].)?[12]' calc.py && echo 5 || echo 4",
    "the constants": 'python3 -c \'import calc; print(4 if {1, "1"} & {*calc.total.__code__.co_consts} or '
    "calc.total([2, 3]) not in (3, 5) else 5)'",
}


@pytest.mark.parametrize("way", READING)
async def test_an_input_that_reads_code_with_both_versions_in_it_shows_nothing(
    way: str, world: World, blobs: Blobs
) -> None:
    params = PARAMS.model_copy(update={"trees": BOTH})
    task = TASK.model_copy(update={"checks": (Check(verifier="review", params=params.model_dump(mode="json")),)})
    for finding, outcome in (({**RIGHT, "input": READING[way]}, "fail"), (RIGHT, "pass")):
        [found] = await judge_script(task, f"cat > review.json <<'JSON'\n{json.dumps([finding])}\nJSON", world, blobs)
        assert found.outcome == outcome, found.detail


@pytest.mark.parametrize("run", [1, 2])
async def test_an_input_that_is_right_in_one_of_two_runs_shows_nothing(
    run: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs: Counter[tuple[str, ...]] = Counter()

    async def print_by_count(open_box: object, patches: tuple[str, ...], *_: object) -> str:
        runs[patches] += 1
        is_right = patches[0] == TREES.right and patches[1:] in ((), (TREES.right_rewrite,))
        return "5" if is_right == (runs[patches] == run) else "4"

    monkeypatch.setattr(failing_input, "_run_script", print_by_count)
    assert await failing_input.explain_failure(lambda: None, TREES, "", "5")  # type: ignore[arg-type,return-value]


@pytest.mark.parametrize(
    ("probe", "criterion"), [("guess-review", "the findings are right"), ("review-everything", "the list is short")]
)
async def test_a_review_that_guesses_or_lists_everything_fails(
    probe: str, criterion: str, world: World, blobs: Blobs
) -> None:
    [found] = await judge_script(TASK, script_of(probe), world, blobs)
    assert (found.outcome, unmet_criteria(found)) == ("fail", [criterion])


@pytest.mark.parametrize("way", LISTS)
async def test_a_wrong_or_cheating_review_fails(way: str, world: World, blobs: Blobs) -> None:
    findings, criterion = LISTS[way]
    found = await verdict(findings, world, blobs)
    assert (found.outcome, unmet_criteria(found)[0]) == ("fail", criterion)


class Judge:
    """A model that always says the same."""

    def __init__(self, said: str) -> None:
        self.said = said

    votes = 1

    async def reply(self, ask: Ask) -> Reply:
        assert "the limit is off by one" in ask.prompt
        return Reply(text=self.said)


FINDING = Finding(path="calc.py", line=3, problem="The bound is one too small.", input="true", expected="1")


@pytest.mark.parametrize(
    ("said", "same"),
    [
        ('{"same": true, "evidence": "one too small"}', True),
        ('```json\n{"same": false, "evidence": "one too small"}\n```', False),
    ],
)
async def test_a_judge_compares_meanings(said: str, same: bool) -> None:
    assert await is_same(FINDING, DEFECT, Judge(said)) is same


@pytest.mark.parametrize("said", ["YES", '{"same": "true", "evidence": ""}', "", '{"same": true}'])
async def test_a_judge_that_does_not_answer_as_asked_has_decided_nothing(said: str) -> None:
    with pytest.raises(Undecided):
        await is_same(FINDING, DEFECT, Judge(said))
