"""Reviews: right, wrong, idle, boasting and shotgun ones."""

from __future__ import annotations

import json

import pytest

from crucible.acting import Ask, Reply
from crucible.domains.code.check_params import Defect, ReviewParams
from crucible.errors import Undecided
from crucible.model import Check, Task, Verdict
from crucible.sandbox import Env, Recipe, World
from crucible.store.blobs import Blobs
from tests.verifiers.attempts import SEALED, judge_script, unmet_criteria
from verifiers.review import Finding, is_same, mentions

DEFECT = Defect(path="calc.py", first=7, last=7, what="the limit is off by one", words=("limit", "total"))
PARAMS = ReviewParams(defects=(DEFECT,))
TASK = Task(
    domain="swe",
    kind="review",
    instruction="x",
    env=Env(
        recipe=Recipe(
            packages=("git", "python3", "python3-pytest"),
            files={"/workspace/calc.py": "x = 1\n"},
            commands=(f"chown root . && {SEALED}",),
        )
    ),
    checks=(Check(verifier="review", params=PARAMS.model_dump(mode="json")),),
)
RIGHT = {"path": "calc.py", "line": 8, "what": "the limit itself is left out"}


async def verdict(findings: object, world: World, blobs: Blobs, says: str = "") -> Verdict:
    text = findings if isinstance(findings, str) else json.dumps(findings)
    [found] = await judge_script(TASK, f"cat > review.json <<'JSON'\n{text}\nJSON", world, blobs, says)
    return found


async def test_a_right_finding_passes(world: World, blobs: Blobs) -> None:
    found = await verdict([RIGHT], world, blobs)
    assert (found.outcome, unmet_criteria(found)) == ("pass", [])


async def test_an_idle_or_boasting_review_fails(world: World, blobs: Blobs) -> None:
    [found] = await judge_script(TASK, "true", world, blobs, "calc.py:7: the limit is off by one")
    assert (found.outcome, unmet_criteria(found)) == ("fail", ["there is a review"])


WRONG: dict[str, tuple[object, str]] = {
    "nothing to say": ([], "there is a review"),
    "no JSON": ("calc.py:7 the limit is wrong", "there is a review"),
    "another shape": ([{"file": "calc.py", "row": 7}], "there is a review"),
    "a number as text": ([{**RIGHT, "line": "7"}], "there is a review"),
    "every line": ([{**RIGHT, "line": line} for line in range(1, 99)], "the list is short"),
    "one guess beside it": ([RIGHT, {**RIGHT, "line": 40}], "the list is short"),
    "another line": ([{**RIGHT, "line": 20}], "the findings are right"),
    "another file": ([{**RIGHT, "path": "other.py"}], "the findings are right"),
    "no word about it": ([{**RIGHT, "what": "This line is certainly wrong."}], "the findings are right"),
    "an empty word": ([{**RIGHT, "what": "limit"}], "the findings are right"),
}


@pytest.mark.parametrize("way", WRONG)
async def test_a_wrong_or_cheating_review_fails(way: str, world: World, blobs: Blobs) -> None:
    findings, criterion = WRONG[way]
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


DEFECT = Defect(path="calc.py", first=3, last=4, what="the limit is off by one", words=("limit",))
FINDING = Finding(path="calc.py", line=3, what="The bound is one too small.")


@pytest.mark.parametrize(
    ("said", "same"),
    [
        ('{"same": true, "evidence": "one too small"}', True),
        ('```json\n{"same": false, "evidence": "one too small"}\n```', False),
    ],
)
async def test_a_judge_compares_meanings_where_the_words_differ(said: str, same: bool) -> None:
    assert not mentions(FINDING, DEFECT)
    assert await is_same(FINDING, DEFECT, Judge(said)) is same


@pytest.mark.parametrize("said", ["YES", '{"same": "true", "evidence": ""}', "", '{"same": true}'])
async def test_a_judge_that_does_not_answer_as_asked_has_decided_nothing(said: str) -> None:
    with pytest.raises(Undecided):
        await is_same(FINDING, DEFECT, Judge(said))
