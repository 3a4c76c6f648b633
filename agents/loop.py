"""The loop: ask the teacher, carry out its calls, show it what came back, until something ends the attempt.

Thinking stays in the history. A call that makes no sense is answered, not raised. What breaks underneath
(SandboxError, TeacherError) is raised: such an attempt is no trajectory.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import add

from agents import fenced, remains, scaffolds
from agents.calls import NO_SERVICES, CallRunner, Stopped
from crucible import parts
from crucible.acting import Ask, Reply, Scaffold, Stops, Teacher
from crucible.model import Agent, Ended, Step, Task, Tokens, ToolCall, Trajectory, Usage
from crucible.sandbox import Left, Sandbox
from crucible.serving import Services
from crucible.token_ids import shorten_prompt
from crucible.tooling import ToolContext

DEFAULT_STOPS = Stops()
"""The limits of an attempt whose caller names none."""


@parts.agent("loop")
async def loop(
    task: Task,
    box: Sandbox,
    agent: Agent,
    teacher: Teacher,
    *,
    stops: Stops = DEFAULT_STOPS,
    services: Services = NO_SERVICES,
) -> tuple[Trajectory, Mapping[str, bytes]]:
    """Ask, act, observe, until the teacher submits or a limit is met."""
    scaffold: Scaffold = parts.find("scaffold", agent.scaffold).make(agent.seed, agent.tools)
    pictures = await _load_pictures(task, services)
    conversation = Conversation(task, box, agent, scaffold, stops, services, pictures)
    start = await remains.note_start(box, task.env)
    await conversation.converse(teacher)
    artifacts = await _collect_artifacts(conversation, start)
    names = {name: hashlib.sha256(data).hexdigest() for name, data in artifacts.items()}
    kept = {names[name]: data for name, data in artifacts.items()}
    return conversation.trajectory(names), {**conversation.pictures, **kept}


async def _load_pictures(task: Task, services: Services) -> dict[str, bytes]:
    """The pictures of the instruction, by digest."""
    if not task.images:
        return {}
    blobs = await services.get("blobs")
    return {digest: await asyncio.to_thread(blobs.get, digest) for digest in task.images}


@dataclass
class Conversation:
    """One attempt under way."""

    task: Task
    box: Sandbox
    agent: Agent
    scaffold: Scaffold
    stops: Stops
    services: Services = NO_SERVICES
    pictures: dict[str, bytes] = field(default_factory=dict)
    """All pictures that the teacher was shown, by digest."""
    steps: list[Step] = field(default_factory=list)
    answer: str = ""
    ended: Ended = "silent"
    left: Left = "unknown"
    details: list[str] = field(default_factory=list)
    token_ids: tuple[int, ...] = ()
    """All that the last answer saw and sampled."""
    started: float = field(default_factory=time.monotonic)

    async def converse(self, teacher: Teacher) -> None:
        """Go on step by step, until a limit or one of the steps stops the attempt."""
        seconds = self.task.env.limits.seconds
        context = ToolContext(self.box, self.scaffold.observation, seconds, self.seconds_left)
        try:
            while True:
                self._check_limits()
                await self._step(teacher, context)
        except Stopped as stop:
            self.ended = stop.ended
            self.add_detail(stop.detail)

    def seconds_left(self) -> float:
        """Seconds until the attempt's time is up."""
        return self.started + self.stops.seconds - time.monotonic()

    def add_detail(self, detail: str) -> None:
        """Add to what the record says of how the attempt ended; an empty text adds nothing."""
        self.details += [detail] if detail else []

    def trajectory(self, artifacts: dict[str, str]) -> Trajectory:
        """The attempt as a record."""
        ask = self._question()
        return Trajectory(
            task_id=self.task.id,
            agent=self.agent,
            system=ask.system,
            prompt=ask.prompt,
            images=ask.images,
            tools=ask.tools,
            form=ask.form,
            steps=ask.steps,
            artifacts=artifacts,
            left=self.left,
            ended=self.ended,
            detail="; ".join(self.details),
            usage=self._usage(),
            seconds=time.monotonic() - self.started,
        )

    def _check_limits(self) -> None:
        """Raise Stopped when the steps, tokens, money or seconds of the attempt are used up."""
        used = self._usage()
        if len(self.steps) >= self.stops.steps:
            raise Stopped("steps", f"{self.stops.steps} steps")
        if used.prompt_tokens + used.completion_tokens > self.stops.tokens:
            raise Stopped("tokens", f"more than {self.stops.tokens} tokens")
        if used.cost_usd > self.stops.money_usd:
            raise Stopped("money", f"more than {self.stops.money_usd} USD")
        if self.seconds_left() <= 0:
            raise Stopped("seconds", f"{self.stops.seconds:g} seconds")

    async def _step(self, teacher: Teacher, context: ToolContext) -> None:
        """Ask the teacher once, carry out the calls of its answer, and add both to the history."""
        began = time.monotonic()
        reply = await self._ask_teacher(teacher)
        written = reply.calls if self.scaffold.form == "native" else tuple(fenced.parse_calls(reply.text))
        calls = _with_unique_ids(written, len(self.steps))
        runner = CallRunner(self.scaffold, context, self.services)
        await runner.carry_out(calls)
        self.answer = runner.answer
        self.pictures |= runner.pictures
        if not calls:
            self._nudge(runner)
        self.steps.append(
            Step(
                thinking=reply.thinking,
                text=reply.text,
                calls=calls,
                observations=tuple(runner.observations),
                usage=reply.usage,
                tokens=self._shorten_tokens(reply.tokens),
                model=reply.model,
                finish=reply.finish,
                seconds=time.monotonic() - began,
            )
        )
        if runner.stop:
            raise runner.stop

    def _shorten_tokens(self, tokens: Tokens) -> Tokens:
        """The tokens of an answer as its step stores them: only what is new of the prompt."""
        kept = shorten_prompt(tokens, self.token_ids)
        self.token_ids = (*tokens.prompt_ids, *tokens.completion_ids)
        return kept

    def _nudge(self, runner: CallRunner) -> None:
        """Tell a teacher that called no tool to go on; the second time in a row the attempt ends."""
        if self.steps and not self.steps[-1].calls:
            runner.stop = Stopped("silent", "two answers in a row without a call")
        else:
            runner.observe("", scaffolds.render_nudge(self.scaffold.tools))

    async def _ask_teacher(self, teacher: Teacher) -> Reply:
        """The next answer, within the time that is left even if the teacher hangs."""
        try:
            async with asyncio.timeout(self.seconds_left()) as scope:
                return await teacher.reply(self.task, self._question())
        except TimeoutError:
            if not scope.expired():
                raise
            raise Stopped("seconds", f"{self.stops.seconds:g} seconds; the teacher was still answering") from None

    def _question(self) -> Ask:
        values = {"instruction": self.task.instruction, "workdir": self.task.env.workdir}
        return Ask(
            system=self.scaffold.system,
            prompt=_fill_template(self.scaffold.prompt, values),
            images=self.task.images,
            pictures=self.pictures,
            steps=tuple(self.steps),
            tools=self.scaffold.tools,
            form=self.scaffold.form,
            seed=self.agent.seed,
            options=self.agent.options,
        )

    def _usage(self) -> Usage:
        return reduce(add, (step.usage for step in self.steps), Usage())


async def _collect_artifacts(conversation: Conversation, start: remains.Start) -> dict[str, bytes]:
    """What is kept beside the trajectory's record: the answer, if one was given, and what the attempt left."""
    artifacts = {"answer": conversation.answer.encode()} if conversation.answer else {}
    env = conversation.task.env
    found = await remains.collect_remains(conversation.box, env, start, conversation.ended == "exhausted")
    conversation.left = found.left
    conversation.add_detail(found.detail)
    return artifacts if found.archive is None else artifacts | {env.leaves: found.archive}


def _with_unique_ids(calls: Sequence[ToolCall], step: int) -> tuple[ToolCall, ...]:
    """The calls, each with an id of its own: some endpoints give none, or the same one twice."""
    ids: list[str] = []
    for number, call in enumerate(calls):
        ids.append(call.id if call.id and call.id not in ids else f"call-{step}-{number}")
    return tuple(call.model_copy(update={"id": id}) for call, id in zip(calls, ids, strict=True))


def _fill_template(template: str, values: Mapping[str, str]) -> str:
    """The template with `{instruction}` and `{workdir}` filled in once: braces in the instruction are only text."""
    return re.sub("{(" + "|".join(values) + ")}", lambda match: values[match[1]], template)  # matches: {workdir}
