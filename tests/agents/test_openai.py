from __future__ import annotations

import asyncio
import email.utils
import json
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from agents.teachers import retries
from agents.teachers.openai import Endpoint as Asker
from agents.teachers.throttle import Throttle
from crucible import parts
from crucible.acting import Ask, Reply, Scaffold, Stops
from crucible.errors import BudgetSpent, SettingsError, TeacherError, TeacherRefuses
from crucible.model import Observation, Step, Task, ToolCall
from tests.agents.directory import DirectoryBox
from tests.agents.endpoint import Endpoint, Line, Play, Request, calling, refusing, saying
from tests.agents.playing import attempt, settings
from tests.patience import HUNG

KEY = "sk-very-secret-key"
NATIVE: Scaffold = parts.find("scaffold", "native").make(3)
ASK = Ask(system="be good", prompt="do it", tools=NATIVE.tools, seed=11)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retries, "FIRST_DELAY", 0.01)


@asynccontextmanager
async def asking(*plays: Play, **given: Any) -> AsyncIterator[tuple[Asker, Endpoint]]:
    """The teacher and the server it asks."""
    async with Endpoint(plays) as server:
        told = settings(**{"base_url": server.url, "api_key": KEY, "model": "m", **given})
        async with parts.find("teacher", "openai").make(told) as teacher:
            yield teacher, server


async def reply_of(task: Task, *plays: Play, ask: Ask = ASK, **given: Any) -> Reply:
    async with asking(*plays, **given) as (teacher, _):
        reply: Reply = await teacher.reply(task, ask)
        return reply


async def test_an_answer_is_put_together_with_its_usage_and_price(task: Task) -> None:
    reply = await reply_of(task, saying("hello there"), price_in=1.0, price_out=10.0)
    assert reply.text.strip() == "hello there"
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens) == (100, 20)
    assert reply.usage.cost_usd == pytest.approx(0.0003)


async def test_an_endpoint_that_tells_no_usage_is_estimated(task: Task) -> None:
    reply = await reply_of(task, saying("hello there", usage=None), price_in=1.0)
    assert reply.usage.prompt_tokens > 0
    assert reply.usage.cost_usd > 0


async def test_tool_calls_come_in_pieces(task: Task) -> None:
    reply = await reply_of(task, calling("shell", '{"comm', 'and": "ls"}'))
    assert reply.calls == (ToolCall(id="c1", name="shell", arguments='{"command": "ls"}'),)


async def test_truncated_arguments_are_kept_as_they_came(task: Task) -> None:
    reply = await reply_of(task, calling("shell", '{"command": "ls', finish="length"))
    assert reply.calls[0].arguments == '{"command": "ls'


@pytest.mark.parametrize(
    "delta",
    [
        {"reasoning_content": "hmm "},
        {"reasoning": "hmm "},
        {"reasoning_details": [{"type": "reasoning.text", "text": "hmm "}]},
        {"reasoning": "hmm ", "reasoning_details": [{"type": "reasoning.text", "text": "hmm "}]},
    ],
)
async def test_thinking_is_kept_once_whatever_it_is_called(task: Task, delta: dict[str, Any]) -> None:
    async def thinks(line: Line, _: Request) -> None:
        await line.head()
        await line.delta(**delta)
        await line.delta(**delta)
        await line.delta(content="yes", finish="stop")
        await line.raw("data: [DONE]\n\n")

    reply = await reply_of(task, thinks)
    assert (reply.thinking, reply.text) == ("hmm hmm ", "yes")


async def test_the_answer_names_its_model_and_why_it_ended(task: Task) -> None:
    async def play(line: Line, _: Request) -> None:
        await line.head()
        await line.chunk(model="big-2", system_fingerprint="fp_7", choices=[])
        await line.delta(content="hi")
        await line.delta(finish="length")
        await line.raw("data: [DONE]\n\n")

    reply = await reply_of(task, play)
    assert (reply.model, reply.finish) == ("big-2 fp_7", "length")


async def test_tokens_and_logprobs_are_kept_where_they_are_given(task: Task) -> None:
    async def tells(line: Line, _: Request) -> None:
        await line.head()
        await line.chunk(choices=[], prompt_token_ids=[1, 2, 3])
        content = [{"token": "hi", "logprob": -0.5, "bytes": None, "top_logprobs": []}]
        await line.delta(content="hi", more={"token_ids": [7], "logprobs": {"content": content, "refusal": None}})
        await line.delta(finish="stop")
        await line.raw("data: [DONE]\n\n")

    tokens = (await reply_of(task, tells)).tokens
    assert (tokens.prompt_ids, tokens.completion_ids, tokens.logprobs) == ((1, 2, 3), (7,), (-0.5,))


async def test_the_request_offers_the_scaffolds_tools_and_sends_the_thinking_back(task: Task) -> None:
    calls = (
        ToolCall(id="a", name="shell", arguments='{"command": "ls"}'),
        ToolCall(id="b", name="x", arguments="{oops"),
    )
    seen = (Observation(call_id="a", content="file"), Observation(call_id="b", content="error"))
    nudge = Step(text="hm", observations=(Observation(call_id="", content="go on"),))
    ask = ASK.model_copy(update={"steps": (Step(thinking="think", calls=calls, observations=seen), nudge)})
    async with asking(saying("ok"), temperature=0.7, max_tokens=99) as (teacher, server):
        await teacher.reply(task, ask)
    body = server.requests[0].body
    assert [message["role"] for message in body["messages"]] == [
        *("system", "user", "assistant", "tool", "tool", "assistant", "user"),
    ]
    assert body["messages"][2]["reasoning_content"] == "think"
    assert all(json.loads(call["function"]["arguments"]) for call in body["messages"][2]["tool_calls"])
    assert {tool["function"]["name"] for tool in body["tools"]} == {tool.name for tool in NATIVE.tools}
    assert (body["temperature"], body["max_tokens"], body["seed"], body["stream"]) == (0.7, 99, 11, True)
    assert "x-is" not in json.dumps(body)


async def test_a_text_scaffold_sends_no_tools_and_shows_results_as_user_turns(task: Task) -> None:
    step = Step(
        text="```call shell\n{}\n```",
        calls=(ToolCall(id="a", name="shell"),),
        observations=(Observation(call_id="a", content="out"),),
    )
    async with asking(saying("ok")) as (teacher, server):
        await teacher.reply(task, ASK.model_copy(update={"form": "text", "steps": (step,)}))
    body = server.requests[0].body
    assert "tools" not in body
    assert [message["role"] for message in body["messages"]] == ["system", "user", "assistant", "user"]
    assert "tool_calls" not in body["messages"][2]


async def test_the_agents_options_go_before_the_settings_and_unknown_ones_are_refused(task: Task) -> None:
    chosen = {"model": "other", "temperature": 0.0, "extra": {"top_k": 5}}
    async with asking(saying("ok"), temperature=1.0) as (teacher, server):
        await teacher.reply(task, ASK.model_copy(update={"options": chosen}))
        with pytest.raises(SettingsError) as fault:
            await teacher.reply(task, ASK.model_copy(update={"options": {"temprature": 1}}))
    body = server.requests[0].body
    assert (body["model"], body["temperature"], body["top_k"]) == ("other", 0.0, 5)
    assert "temperature" in fault.value.remedy


async def test_server_errors_are_tried_again(task: Task) -> None:
    assert (await reply_of(task, refusing(500), refusing(503), saying("ok"))).text == "ok "


async def test_retry_after_is_honoured(task: Task) -> None:
    began = time.monotonic()
    await reply_of(task, refusing(429, Retry_After="1"), saying("ok"))
    assert time.monotonic() - began >= 1


def test_retry_after_may_be_a_date() -> None:
    date = email.utils.format_datetime(email.utils.localtime())
    assert retries.read_retry_after({"retry-after": date}) == pytest.approx(0, abs=2)
    assert retries.read_retry_after({"retry-after": "soon"}) is None
    assert retries.read_retry_after({"retry-after-ms": "1500"}) == 1.5


async def test_waits_grow_and_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retries, "FIRST_DELAY", 0.5)
    assert retries.retry_delay(0, None) <= 0.5 < retries.retry_delay(3, None) <= 4
    assert retries.retry_delay(50, None) <= retries.LONGEST_DELAY
    assert retries.retry_delay(0, 1e9) == retries.LONGEST_DELAY


async def cut_off(line: Line, _: Request) -> None:
    await line.head()
    await line.delta(content="half an ans")


async def garbled(line: Line, _: Request) -> None:
    await line.head()
    await line.raw("data: {nonsense\n\n")


async def odd(line: Line, _: Request) -> None:
    await line.head()
    await line.raw('data: {"choices": [7], "usage": null}\n\n')


async def reset(line: Line, _: Request) -> None:
    await line.head()
    await line.delta(content="half")
    line.writer.transport.abort()


async def errs_midway(line: Line, _: Request) -> None:
    await line.head()
    await line.delta(content="half")
    await line.raw('data: {"error": {"message": "overloaded"}}\n\n')


async def no_stream(line: Line, _: Request) -> None:
    await line.head()
    await line.raw('{"choices": []}')


@pytest.mark.parametrize("bad", [cut_off, garbled, odd, reset, errs_midway, no_stream])
async def test_an_answer_that_breaks_off_is_asked_for_again(task: Task, bad: Play) -> None:
    assert (await reply_of(task, bad, saying("whole"))).text == "whole "


async def test_an_endpoint_that_never_recovers_is_a_teacher_error(task: Task) -> None:
    async with asking(cut_off, retries=2) as (teacher, server):
        with pytest.raises(TeacherError, match="no answer in 3 attempts: the connection was closed"):
            await teacher.reply(task, ASK)
    assert len(server.requests) == 3


async def test_a_slow_stream_is_cut_and_asked_again(task: Task) -> None:
    async def drips(line: Line, _: Request) -> None:
        await line.head()
        while True:
            await line.delta(content=".")
            await asyncio.sleep(0.05)

    assert (await reply_of(task, drips, saying("ok"), timeout_seconds=1.0)).text == "ok "


async def test_an_endpoint_where_nobody_ever_answered_refuses_all_alike(task: Task) -> None:
    async with asking(saying("yes"), base_url="http://127.0.0.1:9/v1", retries=0) as (teacher, _):
        for why in ("the connection failed", "6 requests failed"):
            with pytest.raises(TeacherRefuses, match=f"nothing answers at http://127.0.0.1:9/v1: {why}"):
                await teacher.reply(task, ASK)
            teacher.breaker.failures = teacher.breaker.threshold  # others ask at the same time


async def test_an_endpoint_that_goes_away_after_an_answer_may_come_back(task: Task) -> None:
    async with asking(saying("yes"), cut_off, retries=0) as (teacher, _):
        await teacher.reply(task, ASK)
        with pytest.raises(TeacherError, match="no answer in 1 attempts") as fault:
            await teacher.reply(task, ASK)
    assert not isinstance(fault.value, TeacherRefuses)


@pytest.mark.parametrize(
    ("status", "remedy"), [(401, "teacher.api_key"), (404, "base_url"), (400, "model"), (418, "model")]
)
async def test_a_lasting_refusal_is_not_asked_again(task: Task, status: int, remedy: str) -> None:
    async with asking(refusing(status, "nope")) as (teacher, server):
        with pytest.raises(TeacherError, match=f"{status}") as fault:
            await teacher.reply(task, ASK)
    assert remedy in fault.value.remedy
    assert isinstance(fault.value, TeacherRefuses) == (status in (401, 404))
    assert len(server.requests) == 1


async def test_the_key_is_in_no_error_no_log_and_no_answer(task: Task, caplog: pytest.LogCaptureFixture) -> None:
    async def echoes(line: Line, request: Request) -> None:
        await saying(f"you sent {request.headers['authorization']}")(line, request)

    caplog.set_level(logging.INFO)
    with pytest.raises(TeacherError) as fault:
        await reply_of(task, refusing(401, f"bad key {KEY}"))
    reply = await reply_of(task, echoes)
    assert "[key]" in reply.text
    assert "[key]" in fault.value.line()
    assert KEY not in f"{fault.value.line()} {reply} {caplog.text} {settings(api_key=KEY)}"


async def test_the_breaker_opens_fails_fast_and_closes_again(task: Task) -> None:
    async with asking(*[refusing(500)] * 6, saying("back"), retries=5) as (teacher, server):
        teacher.breaker.rest = HUNG
        with pytest.raises(TeacherError, match="attempts"):
            await teacher.reply(task, ASK)
        with pytest.raises(TeacherError, match="failed 6 times in a row and is left alone"):
            await teacher.reply(task, ASK)
        assert len(server.requests) == 6
        teacher.breaker.rest = 0
        assert (await teacher.reply(task, ASK)).text == "back "
        assert teacher.breaker.failures == 0


async def test_rate_limits_do_not_open_the_breaker(task: Task) -> None:
    async with asking(*[refusing(429)] * 8, saying("ok"), retries=10) as (teacher, _):
        assert (await teacher.reply(task, ASK)).text == "ok "


async def test_the_budget_is_never_overrun_even_by_many_at_once(task: Task) -> None:
    dear = {"price_in": 0.0, "price_out": 1000.0, "max_tokens": 20, "budget_usd": 0.1}
    async with asking(saying("ok", pause=0.05), **dear) as (teacher, server):
        done = await asyncio.gather(*(teacher.reply(task, ASK) for _ in range(12)), return_exceptions=True)
        assert teacher.budget.purse.spent <= 0.1
    assert 1 <= sum(isinstance(one, Reply) for one in done) <= 5
    assert {type(one) for one in done} == {Reply, BudgetSpent}
    assert len(server.requests) <= 5


async def test_requests_in_flight_are_limited(task: Task) -> None:
    async with asking(saying("ok", pause=0.05), concurrency=3) as (teacher, server):
        await asyncio.gather(*(teacher.reply(task, ASK) for _ in range(12)))
    assert len(server.requests) == 12
    assert 2 <= server.most <= 3


def test_the_throttle_opens_while_answers_are_prompt_and_closes_when_they_are_late() -> None:
    throttle = Throttle(ceiling=16)
    for _ in range(200):
        throttle.note_answer_began(0.1)
    assert throttle.limit == 16
    for _ in range(5):
        throttle.note_answer_began(2.0)
    assert throttle.limit < 6
    for _ in range(10):
        throttle.note_failure()
    assert throttle.limit == 1


async def test_without_an_endpoint_the_settings_are_asked_for() -> None:
    with pytest.raises(SettingsError, match="no endpoint"):
        async with parts.find("teacher", "openai").make(settings()):
            pass


async def test_a_whole_attempt_runs_over_the_wire(task: Task, box: DirectoryBox) -> None:
    edit = json.dumps({"path": "shelf/__init__.py", "old": "a - b", "new": "a + b"})
    plays = (
        refusing(500),
        calling("shell", '{"command": "l'),
        calling("edit", edit),
        saying("done?"),
        calling("submit", "{}"),
    )
    async with asking(*plays, price_out=1.0) as (teacher, server):
        trajectory, kept = await attempt(task, box, teacher, Stops())
    assert trajectory.ended == "submitted"
    assert b"+    return a + b" in kept[trajectory.artifacts["diff"]]
    assert trajectory.usage.completion_tokens == 80
    assert server.requests[-1].body["messages"][-1]["role"] == "user"
