"""Attempts are compared two by two, in both orders, by a judge on a real endpoint; and nothing is asked twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crucible.errors import ServiceMissing
from crucible.facts import Comparison
from crucible.model import Selection, Task
from crucible.running.run import Run, open_run
from crucible.settings import Settings
from crucible.stages import select
from crucible.store.lookup import latest_item, list_items
from exporters.policies.pairwise import fit_strengths
from services.judge.settings import JudgeSettings
from tests.agents.endpoint import Endpoint, Line, Request, saying
from tests.exporters import attempts

ORDER = ("careful", "plain", "hasty")
"""From the best to the worst, as the judge sees it."""


async def prefer_the_careful(line: Line, request: Request) -> None:
    text = json.dumps(request.body)
    first, _, second = text.partition("The first attempt:")[2].partition("The second attempt:")
    place = {name: side for side, shown in (("first", first), ("second", second)) for name in ORDER if name in shown}
    better = next(place[name] for name in ORDER if name in place)
    await saying(json.dumps({"better": better, "evidence": "it looks before it leaps"}))(line, request)


def settings_of(home: Path, url: str) -> Settings:
    judge = JudgeSettings(base_url=url, model="wise") if url else JudgeSettings()
    return Settings(home=home, sections={"judge": judge})


def fill(run: Run) -> Task:
    task = attempts.task()
    for seed, name in enumerate(reversed(ORDER)):
        left = {"diff": run.blobs.put(f"+{name}\n".encode())}
        attempts.keep(run, task, attempts.attempt(task, attempts.step("", f"A {name} way."), seed=seed, artifacts=left))
    return task


def ranked(run: Run, task: Task) -> list[str]:
    """The attempts from first to last, by the way they went."""
    ways = {item.id: next(name for name in ORDER if name in item.body) for item in list_items(run.ledger, "trajectory")}
    item = latest_item(run.ledger, "selection", task.id)
    assert item is not None
    return [ways[choice.trajectory_id] for choice in item.record(Selection).choices]


async def test_the_judges_favourite_comes_first_and_a_second_run_asks_nothing(tmp_path: Path) -> None:
    async with Endpoint((prefer_the_careful,)) as endpoint:
        with open_run(settings_of(tmp_path, endpoint.url)) as run:
            task = fill(run)
            await select(run, 1, "pairwise")
            assert ranked(run, task) == list(ORDER)
            asked = len(endpoint.requests)
            assert asked == 3 * 2 * 2  # pairs, axes, orders
            facts = [item.record(Comparison) for item in list_items(run.ledger, "comparison")]
            assert sorted(fact.axis for fact in facts) == ["artifact"] * 3 + ["trajectory"] * 3
            assert {fact.task_id for fact in facts} == {task.id}
            assert (await select(run, 1, "pairwise")).changed == 0
            assert len(endpoint.requests) == asked


async def test_a_judge_that_always_takes_the_first_has_no_preference(tmp_path: Path) -> None:
    async with Endpoint((saying('{"better": "first", "evidence": "I saw it first"}'),)) as endpoint:
        with open_run(settings_of(tmp_path, endpoint.url)) as run:
            fill(run)
            await select(run, 1, "pairwise")
            facts = [item.record(Comparison) for item in list_items(run.ledger, "comparison")]
    assert {fact.better for fact in facts} == {"neither"}


async def test_without_a_judge_it_says_so_and_chooses_nothing(tmp_path: Path) -> None:
    with open_run(settings_of(tmp_path, "")) as run:
        fill(run)
        with pytest.raises(ServiceMissing, match="the service 'judge' cannot be had: it is not configured"):
            await select(run, 1, "pairwise")
        assert list(list_items(run.ledger, "selection")) == []


def test_whoever_wins_more_is_stronger_and_nobody_is_infinitely_so() -> None:
    def compare(first: str, second: str) -> Comparison:
        return Comparison(
            task_id="t", axis="artifact", first=first, second=second, better="first", evidence="", judge="j"
        )

    found = fit_strengths(["a", "b", "c"], [compare("a", "b"), compare("a", "c"), compare("b", "c")])
    assert 5 > found["a"] > found["b"] > found["c"] > -5
    assert found["b"] == pytest.approx(0, abs=1e-6)
