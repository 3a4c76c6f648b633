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

from agents import diff, fenced, scaffolds, tools
from agents.arguments import Submit
from agents.speech import Misspoken, understand
from agents.text import clean
from crucible import parts
from crucible.acting import Ask, Reply, Scaffold, Stops, Teacher
from crucible.errors import BoxExhausted, SandboxError
from crucible.model import Agent, Ended, Observation, Step, Task, ToolCall, Trajectory, Usage
from crucible.sandbox import Sandbox

STOPS = Stops()


@parts.agent("loop")
async def loop(
    task: Task, box: Sandbox, agent: Agent, teacher: Teacher, *, stops: Stops = STOPS
) -> tuple[Trajectory, Mapping[str, bytes]]:
    """Ask, act, observe, until the teacher submits or a limit is met."""
    scaffold: Scaffold = parts.find("scaffold", agent.scaffold).make(agent.seed)
    conversation = Conversation(task, box, agent, scaffold, stops)
    base = await diff.note(box)
    await conversation.hold(teacher)
    kept = await _artifacts(conversation, base)
    names = {name: hashlib.sha256(data).hexdigest() for name, data in kept.items()}
    return conversation.trajectory(names), {names[name]: data for name, data in kept.items()}


class Stopped(Exception):
    """The attempt is over, and why."""

    def __init__(self, ended: Ended, detail: str = "") -> None:
        super().__init__(detail)
        self.ended, self.detail = ended, detail


@dataclass
class Conversation:
    """One attempt under way."""

    task: Task
    box: Sandbox
    agent: Agent
    scaffold: Scaffold
    stops: Stops
    steps: list[Step] = field(default_factory=list)
    answer: str = ""
    ended: Ended = "silent"
    details: list[str] = field(default_factory=list)
    started: float = field(default_factory=time.monotonic)

    async def hold(self, teacher: Teacher) -> None:
        """Step after step, until one of them stops it."""
        bench = tools.Bench(self.box, self.scaffold.observation, self.task.env.limits.seconds, self.left)
        try:
            while True:
                self._check_limits()
                await self._step(teacher, bench)
        except Stopped as stop:
            self.ended = stop.ended
            self.note(stop.detail)

    def left(self) -> float:
        """Seconds until the attempt's time is up."""
        return self.started + self.stops.seconds - time.monotonic()

    def note(self, detail: str) -> None:
        """One more thing to say of how it ended."""
        self.details += [detail] if detail else []

    def trajectory(self, artifacts: dict[str, str]) -> Trajectory:
        """The attempt as a record."""
        ask = self._ask()
        return Trajectory(
            task_id=self.task.id,
            agent=self.agent,
            system=ask.system,
            prompt=ask.prompt,
            tools=ask.tools,
            form=ask.form,
            steps=ask.steps,
            artifacts=artifacts,
            ended=self.ended,
            detail="; ".join(self.details),
            usage=self._usage(),
            seconds=time.monotonic() - self.started,
        )

    def _check_limits(self) -> None:
        used = self._usage()
        if len(self.steps) >= self.stops.steps:
            raise Stopped("steps", f"{self.stops.steps} steps")
        if used.prompt_tokens + used.completion_tokens > self.stops.tokens:
            raise Stopped("tokens", f"more than {self.stops.tokens} tokens")
        if used.cost_usd > self.stops.money_usd:
            raise Stopped("money", f"more than {self.stops.money_usd} USD")
        if self.left() <= 0:
            raise Stopped("seconds", f"{self.stops.seconds:g} seconds")

    async def _step(self, teacher: Teacher, bench: tools.Bench) -> None:
        began = time.monotonic()
        reply = await self._reply(teacher)
        calls = _identified(_calls(reply, self.scaffold.form), len(self.steps))
        acts = Acts(self.scaffold, bench)
        await acts.carry_out(calls)
        self.answer = acts.answer
        if not calls:
            self._nudge(acts)
        self.steps.append(_recorded(reply, calls, acts.observations, time.monotonic() - began))
        if acts.stop:
            raise acts.stop

    def _nudge(self, acts: Acts) -> None:
        """Once it is told to go on; the second time in a row it has stopped calling tools."""
        if self.steps and not self.steps[-1].calls:
            acts.stop = Stopped("silent", "two answers in a row without a call")
        else:
            acts.observe("", scaffolds.nudge(self.scaffold.tools))

    async def _reply(self, teacher: Teacher) -> Reply:
        """The next answer, within the time that is left even if the teacher hangs."""
        try:
            async with asyncio.timeout(self.left()) as scope:
                return await teacher.reply(self.task, self._ask())
        except TimeoutError:
            if not scope.expired():
                raise
            raise Stopped("seconds", f"{self.stops.seconds:g} seconds; the teacher was still answering") from None

    def _ask(self) -> Ask:
        known = {"instruction": self.task.instruction, "workdir": self.task.env.workdir}
        return Ask(
            system=self.scaffold.system,
            prompt=_filled(self.scaffold.prompt, known),
            steps=tuple(self.steps),
            tools=self.scaffold.tools,
            form=self.scaffold.form,
            seed=self.agent.seed,
            options=self.agent.options,
        )

    def _usage(self) -> Usage:
        return reduce(add, (step.usage for step in self.steps), Usage())


@dataclass
class Acts:
    """The calls of one answer, carried out in order until one of them stops the attempt."""

    scaffold: Scaffold
    bench: tools.Bench
    observations: list[Observation] = field(default_factory=list)
    stop: Stopped | None = None
    answer: str = ""

    async def carry_out(self, calls: Sequence[ToolCall]) -> None:
        """Every call gets its observation, those too that come after the end."""
        for call in calls:
            self.observe(call.id, "Not carried out: the attempt is over." if self._over() else await self._act(call))

    def observe(self, call_id: str, content: str) -> None:
        self.observations.append(Observation(call_id=call_id, content=content))

    def _over(self) -> bool:
        return self.stop is not None or self.bench.left() <= 0

    async def _act(self, call: ToolCall) -> str:
        try:
            arguments = understand(call, self.scaffold.tools)
            if isinstance(arguments, Submit):
                self.answer, self.stop = arguments.answer, Stopped("submitted")
            return await tools.use(self.bench, arguments)
        except Misspoken as fault:
            return clean(f"error: {fault}")
        except BoxExhausted as exhausted:
            self.stop = Stopped("exhausted", exhausted.line())
            return f"The box is used up: {clean(exhausted.line())}"


async def _artifacts(conversation: Conversation, base: diff.Base | None) -> dict[str, bytes]:
    """What is kept beside the record: the answer, if one was given, and the diff, if there can be one."""
    kept = {"answer": conversation.answer.encode()} if conversation.answer else {}
    if base is None:
        return kept
    try:
        made = await diff.collect(conversation.box, base)
    except (BoxExhausted, SandboxError) as broken:
        if isinstance(broken, SandboxError) and conversation.ended != "exhausted":
            raise
        conversation.note(f"no diff: {broken.line()}")
        return kept
    conversation.note(made.detail)
    return kept if made.patch is None else kept | {"diff": made.patch}


def _calls(reply: Reply, form: str) -> Sequence[ToolCall]:
    return reply.calls if form == "native" else tuple(fenced.calls(reply.text))


def _identified(calls: Sequence[ToolCall], step: int) -> tuple[ToolCall, ...]:
    """Every call with an id of its own: some endpoints give none, or the same one twice."""
    taken: set[str] = set()
    named = []
    for number, call in enumerate(calls):
        own = call.id if call.id and call.id not in taken else f"call-{step}-{number}"
        taken.add(own)
        named.append(call.model_copy(update={"id": own}))
    return tuple(named)


def _recorded(reply: Reply, calls: tuple[ToolCall, ...], observations: list[Observation], seconds: float) -> Step:
    return Step(
        thinking=reply.thinking,
        text=reply.text,
        calls=calls,
        observations=tuple(observations),
        usage=reply.usage,
        tokens=reply.tokens,
        seconds=seconds,
    )


def _filled(template: str, values: Mapping[str, str]) -> str:
    """The template with its names filled in once: braces in the instruction are only text."""
    return re.sub("{(" + "|".join(values) + ")}", lambda found: values[found[1]], template)
