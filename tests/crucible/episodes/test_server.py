"""A policy outside acts in our boxes and gets our reward; what breaks is told from a reward of 0."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from crucible.episodes.records import Answer, Opening
from crucible.episodes.registry import open_episodes, refuse_foreign_parts
from crucible.errors import Rejected
from crucible.model import Check, Reference, Task
from crucible.running.run import Run, open_run
from crucible.sandbox import Env
from crucible.settings import DockerSettings, LimitSettings, Settings
from crucible.store.item import Item
from tests.crucible import toys
from tests.crucible.episodes.trainer import TOKEN, calling, load_client, serving
from tests.flows import toy

client = load_client()


def sum_task(check: Check) -> Task:
    """A question in a world without a machine."""
    return Task(domain="toy", kind="sum", instruction="Twice 3?", env=Env(name=f"{toy.HERE}:world"), checks=(check,))


SUM = sum_task(Check(verifier=f"{toy.HERE}:knows", params={"want": "6"}))


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    limits = LimitSettings(boxes=1, retries=1)
    with open_run(Settings(home=tmp_path, docker=DockerSettings(pool=0), limits=limits)) as opened:
        opened.ledger.put([Item.of("task", SUM, pipeline="toy")])
        yield opened


@pytest_asyncio.fixture
async def url(run: Run) -> AsyncIterator[str]:
    async with serving(run) as address:
        yield address


def open_sum(url: str, **fields: Any) -> Any:
    return client.Episode(**{"task_id": SUM.id, "url": url, "token": TOKEN} | fields)


def play(url: str, task: Task, *commands: str) -> Any:
    """An episode in which these commands were run, calls written as text."""
    row = task.model_copy(update={"reference": Reference()}).model_dump_json()
    with client.Episode(task=row, scaffold="text", url=url, token=TOKEN) as episode:
        for command in commands:
            episode.answer_text(f"<think>Well.</think>\n```call shell\n{json.dumps({'command': command})}\n```")
        episode.finish()
    return episode


async def test_mended_work_is_worth_one_and_idle_or_cheating_work_nothing_in_a_real_box(url: str) -> None:
    task = toys.task("toy.state")
    mended = await asyncio.to_thread(play, url, task, "echo fixed > state")
    assert (mended.reward, mended.judgement["outcome"], mended.judgement["ended"]) == (1.0, "pass", "silent")
    assert [message["role"] for message in mended.messages[:3]] == ["system", "user", "assistant"]
    assert [verdict["criteria"][0]["name"] for verdict in mended.judgement["verdicts"]] == ["state is right"]
    assert (await asyncio.to_thread(play, url, task)).reward == 0.0
    assert (await asyncio.to_thread(play, url, task, "echo pass > tests/test_state.py")).reward == 0.0


@pytest.mark.parametrize("verifier", ["toy.broken-box", "toy.doubting"])
async def test_what_nobody_could_judge_is_no_reward_of_nothing(url: str, verifier: str, run: Run) -> None:
    task = sum_task(Check(verifier=verifier))
    run.ledger.put([Item.of("task", task, pipeline="toy")])
    with pytest.raises(client.EpisodeFailed, match=r"gone|torn"):
        await asyncio.to_thread(lambda: open_sum(url, task_id=task.id).answer(calling("submit", answer="6")))


async def test_a_policy_that_submits_is_judged_by_its_answer(url: str) -> None:
    def submit() -> Any:
        episode = open_sum(url)
        assert "submit" in [tool["function"]["name"] for tool in episode.tools]
        episode.answer(calling("submit", answer="6"))
        return episode

    episode = await asyncio.to_thread(submit)
    assert (episode.done, episode.reward, episode.judgement["ended"]) == (True, 1.0, "submitted")


async def test_an_answer_that_is_sent_twice_is_taken_once(run: Run) -> None:
    async with open_episodes(run) as episodes:
        episode = await episodes.open("one", Opening(task_id=SUM.id))
        assert await episodes.open("one", Opening(task_id=SUM.id)) is episode
        first = await episode.wait(60)
        said = Answer.model_validate(calling("nonsense"))
        episode.answer(0, said)
        episode.answer(0, said)
        second = await episode.wait(60)
    assert (first.turn, second.turn) == (0, 1)
    assert [message["role"] for message in first.messages] == ["system", "user"]
    assert [message["role"] for message in second.messages] == ["tool"]


async def test_an_answer_to_a_question_that_was_not_asked_is_refused(url: str) -> None:
    def skip() -> None:
        episode = open_sum(url)
        episode.turn = 7
        episode.answer(calling("nonsense"))

    with pytest.raises(client.EpisodeFailed, match="0 answers"):
        await asyncio.to_thread(skip)


async def test_an_abandoned_episode_is_closed_and_the_next_gets_its_box(run: Run) -> None:
    async with open_episodes(run) as episodes:
        lost = await episodes.open("lost", Opening(task_id=SUM.id))
        await lost.wait(60)
        waiting = await episodes.open("waiting", Opening(task_id=SUM.id))
        assert (await waiting.wait(0.2)).state == "working"
        lost.touched -= 100
        await episodes.close_abandoned(60)
        assert (await waiting.wait(60)).state == "asking"
        assert list(episodes.by_id) == ["waiting"]
        with pytest.raises(Rejected, match="no_episode"):
            episodes.find("lost")


async def test_nobody_is_let_in_without_the_token(url: str) -> None:
    with pytest.raises(client.EpisodeFailed, match="token"):
        await asyncio.to_thread(open_sum, url, token="another")


async def test_a_task_that_is_not_there_is_named(url: str) -> None:
    with pytest.raises(client.EpisodeFailed, match="no sound task 'toy-none'"):
        await asyncio.to_thread(open_sum, url, task_id="toy-none")


def test_the_task_of_a_row_cannot_have_a_module_imported() -> None:
    with pytest.raises(Rejected, match="may not name"):
        refuse_foreign_parts(SUM)
