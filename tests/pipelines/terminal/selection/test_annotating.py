"""Rules and a judge on the same threads: both are kept, the rules decide unless the settings say otherwise."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from crucible.acting import TeacherSettings
from crucible.errors import BudgetSpent, Rejected, TeacherError
from crucible.facts import ANNOTATION, AnnotationPair
from crucible.mining import ProcessMemory
from crucible.report.agreement import read_agreement
from crucible.running.run import open_run
from crucible.sandbox import World
from crucible.settings import LimitSettings, Settings
from crucible.stages.mine import find_pipeline, refine
from crucible.store.blobs import Blobs
from crucible.store.funnel import count_funnel
from crucible.store.item import Item
from crucible.store.lookup import list_items
from pipelines.terminal.selection.annotating import describe_execution, select_and_annotate
from pipelines.terminal.settings import TerminalSettings
from services.judge.settings import JudgeSettings
from tests.agents.endpoint import Endpoint, refusing, saying
from tests.pipelines.terminal.written import thread, writing

RUNS = "cut -d' ' -f1 sales.txt | sort -u"
WORDS = {
    "quality": "medium",
    "task_type": "transform",
    "verifiability": "execution",
    "category": "text",
    "complexity": "simple",
    "environment": "base",
    "execution": "pipeline",
}
CRITERIA = ("scriptable", "terminal", "verifiable", "linux", "moderate")


def opinion(**changes: Any) -> str:
    answers: dict[str, Any] = {name: {"word": word, "evidence": "each region"} for name, word in WORDS.items()}
    answers |= {name: {"holds": True, "evidence": "each region"} for name in CRITERIA}
    return json.dumps(answers | changes)


NOT_MODERATE = opinion(moderate={"holds": False, "evidence": "it is one command"})


def kept(memory: object) -> AnnotationPair:
    assert isinstance(memory, ProcessMemory)
    [fact] = memory.facts.values()
    assert isinstance(fact, AnnotationPair)
    return fact


async def test_a_judge_says_its_word_beside_the_rules(world: World, blobs: Blobs) -> None:
    async with writing(world, blobs, judge=(saying(opinion(quality={"word": "high", "evidence": "x"})),)) as (
        context,
        _,
    ):
        assert await select_and_annotate(thread(RUNS), context)
    pair = kept(context.memory)
    assert pair.by_rules == WORDS | dict.fromkeys(CRITERIA, "yes")
    assert pair.disagreements == ("quality",)


async def test_of_a_thread_that_the_rules_drop_the_judge_is_asked_where_a_criterion_decided(
    world: World, blobs: Blobs
) -> None:
    async with writing(world, blobs, judge=(saying(opinion()),), writer="rules") as (context, _):
        with pytest.raises(Rejected, match="no_commands"):
            await select_and_annotate(thread("frobnicate sales.txt"), context)
        with pytest.raises(Rejected, match="no_accepted_answer"):
            await select_and_annotate(thread().model_copy(update={"accepted": 0}), context)
    pair = kept(context.memory)
    assert pair.by_rules == {"quality": "medium", "category": "text", "scriptable": "no"}
    assert pair.disagreements == ("scriptable",)


async def test_what_the_judge_denies_drops_a_thread_only_where_it_may_decide(world: World, blobs: Blobs) -> None:
    async with writing(world, blobs, judge=(saying(NOT_MODERATE),)) as (context, _):
        assert await select_and_annotate(thread(RUNS), context)
    assert kept(context.memory).by_judge["moderate"] == "no"
    async with writing(world, blobs, judge=(saying(NOT_MODERATE),), judge_may="decide") as (context, _):
        with pytest.raises(Rejected, match="judged_unfit: moderate: it is one command"):
            await select_and_annotate(thread(RUNS), context)


async def test_an_answer_that_cannot_be_read_is_no_opinion_and_a_judge_that_is_down_is_no_drop(
    world: World, blobs: Blobs
) -> None:
    odd = saying(opinion(category={"word": "cooking", "evidence": "x"}))
    async with writing(world, blobs, judge=(odd,)) as (context, _):
        assert await select_and_annotate(thread(RUNS), context)
    assert isinstance(context.memory, ProcessMemory)
    assert context.memory.facts == {}
    async with writing(world, blobs, judge=(refusing(503),)) as (context, _):
        with pytest.raises(TeacherError):
            await select_and_annotate(thread(RUNS), context)


async def test_a_thread_without_commands_goes_on_where_a_model_may_write_and_its_twin_does_not(
    world: World, blobs: Blobs
) -> None:
    async with writing(world, blobs, saying("")) as (context, _):
        [selected] = await select_and_annotate(thread("frobnicate sales.txt"), context)
        assert selected.suggestions == ()
        with pytest.raises(Rejected, match="near_duplicate"):
            await select_and_annotate(thread("frobnicate sales.txt").model_copy(update={"number": 2}), context)
        with pytest.raises(Rejected, match="needs_system"):
            await select_and_annotate(thread("sudo systemctl restart x"), context)


@pytest.mark.parametrize(
    ("script", "words"),
    [("sort a > b", "command"), ("cut -f1 a | sort > b", "pipeline"), ("a; b", "steps"), ("if a; then b; fi", "steps")],
)
def test_how_a_script_is_executed_is_told_in_a_word(script: str, words: str) -> None:
    assert describe_execution(script) == words


def settings_of(home: Path, endpoint: Endpoint, **teacher: Any) -> Settings:
    """A run whose teacher writes; broken infrastructure is not tried again."""
    return Settings(
        home=home,
        limits=LimitSettings(retries=0),
        teacher=TeacherSettings(base_url=endpoint.url, model="writer", retries=0, **teacher),
        sections={"terminal": TerminalSettings(teacher="openai")},
    )


async def test_through_the_ledger_opinions_are_kept_and_their_agreement_is_known(tmp_path: Path) -> None:
    async with Endpoint((saying(opinion()),)) as endpoint:
        settings = Settings(home=tmp_path, sections={"judge": JudgeSettings(base_url=endpoint.url, model="wise")})
        with open_run(settings) as run:
            run.ledger.put([Item.of("raw", thread(), pipeline="terminal")], "terminal.select")
            [selecting, *_] = await refine(run, find_pipeline("terminal"))
            [pair] = [item.record(AnnotationPair) for item in list_items(run.ledger, ANNOTATION)]
            [agreement] = read_agreement(run.ledger)
    assert selecting.dropped == 1
    assert pair.disagreements == ("scriptable",)
    assert {row.attribute: row.agreed for row in agreement.rows} == {"quality": 1, "category": 1, "scriptable": 0}
    assert agreement.judge.startswith("judge")


async def test_an_endpoint_that_is_down_sets_a_thread_aside_and_drops_nothing(tmp_path: Path) -> None:
    async with Endpoint((refusing(503),)) as endpoint:
        with open_run(settings_of(tmp_path, endpoint)) as run:
            run.ledger.put([Item.of("raw", thread(), pipeline="terminal")], "terminal.select")
            _, drafting, _ = await refine(run, find_pipeline("terminal"))
    assert (drafting.errors, drafting.dropped) == (1, 0)


async def test_a_thread_that_needs_a_model_waits_for_money_and_others_go_on(tmp_path: Path) -> None:
    other = thread("vim sales.txt").model_copy(update={"number": 2, "title": "Edit", "body": "<p>Something else.</p>"})
    async with Endpoint((saying("no"),)) as endpoint:
        with open_run(settings_of(tmp_path, endpoint, price_out=1e6, budget_usd=0.01)) as run:
            threads = [Item.of("raw", each, pipeline="terminal") for each in (thread(), other)]
            run.ledger.put(threads, "terminal.select")
            with pytest.raises(BudgetSpent):
                await refine(run, find_pipeline("terminal"))
            stages = {stage.stage: stage for stage in count_funnel(run.ledger).stages}
    assert (stages["terminal.draft"].waiting, stages["terminal.select"].dropped) == (1, 1)
    assert endpoint.requests == []


async def test_a_judge_that_cannot_be_paid_holds_up_only_what_it_decides(world: World, blobs: Blobs) -> None:
    answer = (saying(opinion()),)
    async with writing(world, blobs, judge=answer, judge_price=1e6) as (context, _):
        assert await select_and_annotate(thread(RUNS), context)
    async with writing(world, blobs, judge=answer, judge_price=1e6, judge_may="decide") as (context, _):
        with pytest.raises(BudgetSpent):
            await select_and_annotate(thread(RUNS), context)
