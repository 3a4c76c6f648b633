"""One episode: an attempt by a policy outside, and its judgement. What breaks underneath fails the episode."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from dataclasses import dataclass, field

from crucible.episodes.policy import OutsidePolicy
from crucible.episodes.records import Answer, EpisodeState, Judgement
from crucible.errors import CrucibleError, Rejected, SandboxError, TeacherError, Undecided
from crucible.judging.cascade import Judging, overall_outcome
from crucible.judging.judges import identify_by, required_judges, weigh_judges
from crucible.model import Agent, Task, Trajectory, Verdict
from crucible.reward import reward
from crucible.stages.attempt import attempt
from crucible.stages.services import OpenServices
from crucible.stages.verify import judge_attempt

log = logging.getLogger(__name__)

FAULTS = (SandboxError, TeacherError, Undecided)
"""What a second judgement of the same work may do without."""
UNLIMITED_SECONDS = 7 * 24 * 3600.0
"""How long an attempt may take: how fast a policy answers is its trainer's matter, and what is abandoned is closed."""


@dataclass
class Episode:
    """An episode under way, or its end."""

    id: str
    task: Task
    agent: Agent
    opened: OpenServices
    slots: asyncio.Semaphore
    """Held from the opening of the box until the judgement."""
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    """Set while there is something to tell: a question, or the end."""
    judgement: Judgement | None = None
    error: str = ""
    touched: float = field(default_factory=time.monotonic)
    """When the trainer last asked about it."""

    def __post_init__(self) -> None:
        self.policy = OutsidePolicy(self.ready)
        self.work = asyncio.create_task(self._work(), name=f"episode {self.id}")

    async def wait(self, seconds: float) -> EpisodeState:
        """Where the episode stands, as soon as there is something to tell or the time is up."""
        self.touched = time.monotonic()
        with suppress(TimeoutError):
            await asyncio.wait_for(self.ready.wait(), seconds)
        self.touched = time.monotonic()
        return self.state()

    def state(self) -> EpisodeState:
        """Where the episode stands now."""
        now = EpisodeState(id=self.id, state="working", turn=self.policy.turn)
        if self.error:
            return now.model_copy(update={"state": "failed", "error": self.error})
        if self.judgement:
            return now.model_copy(update={"state": "done", "judgement": self.judgement})
        if self.policy.is_asking:
            news = {"messages": self.policy.new_messages(), "tools": self.policy.tools()}
            return now.model_copy(update={"state": "asking", **news})
        return now

    def answer(self, turn: int, answer: Answer) -> None:
        """Take the policy's answer of that turn. One that was taken before, or came too late, changes nothing: a
        trainer whose connection broke sends it again."""
        if turn > self.policy.turn or (turn == self.policy.turn and not (self.policy.is_asking or self.work.done())):
            raise Rejected("not_asked", f"the episode has taken {self.policy.turn} answers and asks for no further one")
        if turn == self.policy.turn:
            self.policy.take(answer.to_reply())

    async def close(self) -> None:
        """End it, whatever it is doing; its box is gone when this returns."""
        self.work.cancel()
        await asyncio.wait([self.work])

    async def _work(self) -> None:
        try:
            async with self.slots:
                trajectory = await self._attempt()
                self.judgement = await self._judge(trajectory)
        except CrucibleError as fault:
            self.error = fault.line()
        except Exception as bug:
            log.exception("the episode %s failed", self.id)
            self.error = f"unexpected {type(bug).__name__}: {bug}"
        self.ready.set()

    async def _attempt(self) -> Trajectory:
        run = self.opened.run
        stops = run.settings.domain_stops(self.task.domain).model_copy(update={"seconds": UNLIMITED_SECONDS})
        world = await self.opened.world(self.task.env.name)
        return await attempt(self.task, self.agent, self.policy, world, run.blobs, stops, self.opened)

    async def _judge(self, trajectory: Trajectory) -> Judgement:
        run = self.opened.run
        judging = Judging(await self.opened.world(self.task.env.name), run.blobs, self.opened)
        for tries_left in reversed(range(run.settings.limits.retries + 1)):
            try:
                verdicts = await judge_attempt(self.task, trajectory, judging)
                break
            except FAULTS:
                if not tries_left:
                    raise
        return self._weigh(trajectory, verdicts)

    def _weigh(self, trajectory: Trajectory, verdicts: list[Verdict]) -> Judgement:
        settings = self.opened.run.settings
        judges = required_judges(self.task, identify_by(settings))
        gates = {judge.verifier for judge in judges if judge.gate}
        worth = reward(verdicts, gates, weigh_judges(judges, settings.reward.layers))
        outcome = overall_outcome(verdicts)
        return Judgement(reward=worth, outcome=outcome, ended=trajectory.ended, verdicts=tuple(verdicts))
