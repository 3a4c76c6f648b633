"""The teacher of an episode: it asks whoever is outside, and waits for the answer."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from crucible.acting import Ask, Reply, tool_schema
from crucible.chat_messages import to_messages
from crucible.episodes.records import Message
from crucible.model import Task
from crucible.record import Json


@dataclass
class OutsidePolicy:
    """A policy that is trained elsewhere. Implements `crucible.acting.Teacher`."""

    ready: asyncio.Event
    """Set while a question waits for its answer."""
    turn: int = 0
    """How many answers were taken."""
    ask: Ask | None = None
    """The question that was asked last."""
    known: int = 0
    """How many messages of the question the policy knows, its own last answer included."""
    has_finished: bool = False
    _answer: asyncio.Future[Reply] | None = field(default=None, repr=False)

    async def reply(self, task: Task, ask: Ask) -> Reply:
        """The policy's next answer. One that has finished says nothing, which ends an attempt."""
        if self.has_finished:
            return Reply()
        self.known = len(to_messages(self.ask)) + 1 if self.ask else 0
        self.ask, self._answer = ask, asyncio.get_running_loop().create_future()
        self.ready.set()
        try:
            return await self._answer
        finally:
            self._answer = None
            self.ready.clear()

    @property
    def is_asking(self) -> bool:
        return self._answer is not None and not self._answer.done()

    def take(self, reply: Reply) -> None:
        """Take the answer to the question that waits, if one does."""
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(reply)
            self.turn += 1
            self.ready.clear()

    def finish(self) -> None:
        """The policy says nothing more."""
        self.has_finished = True
        self.take(Reply())

    def new_messages(self) -> tuple[Message, ...]:
        """What the question that waits tells beyond what the policy knows."""
        return tuple(to_messages(self.ask)[self.known :]) if self.ask else ()

    def tools(self) -> tuple[dict[str, Json], ...]:
        """What the policy may call; nothing where calls are written as text, which the system prompt explains."""
        offered = self.ask.tools if self.ask and self.ask.form == "native" else ()
        return tuple(tool_schema(tool) for tool in offered)
