"""A model words the goal for the levels of hints; a wording that loses or gives away something is not taken."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from crucible.domains.terminal.comparing import Case, Demand
from crucible.domains.terminal.scenes import Effect, Entry, Scene
from crucible.record import digest
from crucible.sandbox import World
from crucible.store.blobs import Blobs
from pipelines.terminal.authoring.rewording import word_levels
from pipelines.terminal.drafting.demands import LEAVES_ALONE, PRINTS
from pipelines.terminal.model import Draft
from pipelines.terminal.writing import write_tasks
from tests.agents.endpoint import saying
from tests.pipelines.terminal.written import selected, writing

GOAL = "The file `sales.txt` has a region and an amount on each line. Print the lines whose amount is over 30."
SCRIPT = "awk '$2 > 30' sales.txt"
EXACT = (
    "Each line of `sales.txt` has a region and an amount. The lines with an amount of more than 30 are to be printed."
)
OWN_TERMS = "Our sales are listed by region. Which of them are worth a look, that is, brought in more than 30?"


def make_draft() -> Draft:
    scene = Scene(entries={"sales.txt": Entry(text="north 12\nsouth 70\n")})
    case = Case(scene=scene, expected=Effect(code=0, out="south 70\n", entries=scene.entries))
    demands = (Demand(about="output", sentence=PRINTS), Demand(about="files", sentence=LEAVES_ALONE))
    chosen = selected(SCRIPT)
    return Draft(
        selected=chosen,
        suggestion=chosen.suggestions[0],
        cases=(case, case.model_copy(update={"hidden": True})),
        demands=demands,
        repair_rounds=0,
        partials=0,
        alternatives=(),
        shows_input=True,
        shows_result=True,
        writer="model",
        goal=GOAL,
    )


def wordings(exact: str = EXACT, own_terms: str = OWN_TERMS) -> str:
    return json.dumps({"exact": exact, "own_terms": own_terms})


def goals(levels: Mapping[int, Draft]) -> list[str]:
    return [levels[level].goal for level in (1, 2, 3, 4)]


async def test_levels_are_worded_by_the_model_and_share_their_checks(world: World, blobs: Blobs) -> None:
    async with writing(world, blobs, saying(wordings()), levels="model") as (context, _):
        tasks = await write_tasks(make_draft(), context)
    assert [EXACT in task.instruction for task in tasks] == [True, True, True, False]
    assert OWN_TERMS in tasks[3].instruction
    assert PRINTS in tasks[3].instruction
    assert "awk" not in tasks[3].instruction
    assert len({digest(task.env, task.checks_hash, task.reference) for task in tasks}) == 1


@pytest.mark.parametrize(
    ("answer", "kept"),
    [
        (wordings(own_terms=OWN_TERMS.replace("30", "a little")), [EXACT, EXACT, EXACT, GOAL]),
        (wordings(own_terms=OWN_TERMS.replace("30", "300")), [EXACT, EXACT, EXACT, GOAL]),
        (wordings(exact=EXACT.replace("`sales.txt`", "the file")), [GOAL, GOAL, GOAL, OWN_TERMS]),
        (wordings(own_terms=f"{OWN_TERMS} Try {SCRIPT}"), [EXACT, EXACT, EXACT, GOAL]),
        (wordings(own_terms=f"{OWN_TERMS} Use `awk` for it."), [EXACT, EXACT, EXACT, GOAL]),
        (wordings(exact=f"{EXACT} See http://evil.example/."), [GOAL, GOAL, GOAL, OWN_TERMS]),
        ("no JSON at all", [GOAL] * 4),
    ],
    ids=[
        "loses-a-value",
        "has-another-value",
        "loses-a-path",
        "tells-the-solution",
        "names-a-command",
        "names-an-address",
        "unreadable",
    ],
)
async def test_a_wording_that_loses_or_gives_away_something_falls_back_to_the_rules(
    world: World, blobs: Blobs, answer: str, kept: list[str]
) -> None:
    async with writing(world, blobs, saying(answer), levels="model") as (context, _):
        assert goals(await word_levels(make_draft(), context)) == kept


async def test_a_judge_that_finds_another_meaning_keeps_a_wording_out(world: World, blobs: Blobs) -> None:
    judge = saying('{"same": true, "evidence": "x"}'), saying('{"same": false, "evidence": "worth a look"}')
    async with writing(world, blobs, saying(wordings()), judge=judge, levels="model") as (context, _):
        assert goals(await word_levels(make_draft(), context)) == [EXACT, EXACT, EXACT, GOAL]


async def test_without_the_setting_nobody_is_asked(world: World, blobs: Blobs) -> None:
    async with writing(world, blobs, saying(wordings())) as (context, endpoint):
        assert goals(await word_levels(make_draft(), context)) == [GOAL] * 4
    assert endpoint.requests == []
