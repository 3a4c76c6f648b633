from __future__ import annotations

import asyncio
import importlib.util
import sys
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from agents.teachers import local
from agents.teachers.local import LocalModel
from crucible import parts
from crucible.acting import Ask, Scaffold, Stops
from crucible.errors import EngineMissing
from crucible.model import Observation, Step, Task, ToolCall
from tests.agents.directory import DirectoryBox
from tests.agents.playing import attempt, settings

installed = pytest.mark.skipif(
    importlib.util.find_spec("xllamacpp") is None, reason="the extra `local` is not installed"
)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def model() -> AsyncIterator[LocalModel]:
    async with parts.find("teacher", "local").make(settings(temperature=0.0)) as teacher:
        yield teacher


def question(scaffold: str, seed: int) -> Ask:
    made: Scaffold = parts.find("scaffold", scaffold).make(seed)
    return Ask(system=made.system, prompt="List the files here.", tools=made.tools, form=made.form, seed=seed)


@installed
@pytest.mark.slow
async def test_every_answer_is_a_call_of_one_of_the_tools(task: Task, model: LocalModel) -> None:
    for scaffold, seed in (("native", 0), ("bash", 2)):
        ask = question(scaffold, seed)
        reply = await model.reply(task, ask)
        assert reply.calls[0].name in {tool.name for tool in ask.tools}
        assert reply.usage.completion_tokens > 0
        assert ("SmolLM2" in reply.model, reply.finish) == (True, "stop")
        assert len(reply.tokens.completion_ids) == len(reply.tokens.logprobs) > 0


@installed
@pytest.mark.slow
async def test_a_question_without_tools_is_answered_in_text_and_may_be_put_again(task: Task, model: LocalModel) -> None:
    ask = Ask(system="You answer.", prompt="Is the sky blue? Say yes or no.", seed=0)
    first = await model.reply(task, ask)
    assert (bool(first.text), first.calls) == (True, ())
    complaint = Step(text=first.text, observations=(Observation(call_id="", content="Answer with JSON."),))
    assert (await model.reply(task, ask.model_copy(update={"steps": (complaint,)}))).text


@installed
@pytest.mark.slow
async def test_the_model_attempts_a_task_in_text_form(task: Task, box: DirectoryBox, model: LocalModel) -> None:
    trajectory, _ = await attempt(task, box, model, Stops(steps=1), scaffold="text")
    assert trajectory.steps[0].text.startswith("```call ")
    assert trajectory.steps[0].calls


@installed
@pytest.mark.slow
async def test_a_long_history_is_cut_to_what_it_may_take(
    task: Task, model: LocalModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert local.HISTORY_TOKENS < local.CONTEXT_TOKENS
    monkeypatch.setattr(local, "HISTORY_TOKENS", 1_500)
    call = ToolCall(id="a", name="shell", arguments='{"command": "ls"}')
    step = Step(calls=(call,), observations=(Observation(call_id="a", content="word " * 20_000),))
    reply = await model.reply(task, question("bash", 0).model_copy(update={"steps": (step,) * 60}))
    assert 300 < reply.usage.prompt_tokens < 1_500


@installed
async def test_a_question_withdrawn_stops_the_generation(task: Task, model: LocalModel) -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.3):
            await model.reply(task, question("native", 0))
    assert not model.lock.locked()


async def test_without_the_engine_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(EngineMissing) as fault:
        async with parts.find("teacher", "local").make(settings()):
            pass
    assert fault.value.remedy == "make local"
