"""Carries out the calls of one answer. A call that makes no sense is answered, not raised."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from agents.text import clean, clip
from agents.translation import InvalidCall, find_tool, parse_arguments
from crucible import parts
from crucible.acting import Scaffold
from crucible.errors import BoxExhausted
from crucible.model import Ended, Observation, ToolCall
from crucible.record import Record
from crucible.serving import GivenServices, Services
from crucible.tooling import OBSERVATION_CHARACTERS, Shown, ToolContext, ToolFault

NO_SERVICES = GivenServices()


class Stopped(Exception):
    """The attempt is over, and why."""

    def __init__(self, ended: Ended, detail: str = "") -> None:
        super().__init__(detail)
        self.ended, self.detail = ended, detail


@dataclass
class CallRunner:
    """Carries out the calls of one answer, in order, until one of them stops the attempt."""

    scaffold: Scaffold
    context: ToolContext
    services: Services = NO_SERVICES
    observations: list[Observation] = field(default_factory=list)
    stop: Stopped | None = None
    answer: str = ""
    pictures: dict[str, bytes] = field(default_factory=dict)
    """The pictures that the tools returned, by digest."""

    async def carry_out(self, calls: Sequence[ToolCall]) -> None:
        """Carry out the calls. Each gets an observation, also one that comes after the attempt has ended."""
        for call in calls:
            shown = Shown("Not carried out: the attempt is over.") if self._is_over() else await self._act(call)
            self.observe(call.id, shown.text, shown.images)

    def observe(self, call_id: str, content: str, images: Sequence[bytes] = ()) -> None:
        """Add an observation, with the pictures that came with it; one that answers no call has an empty `call_id`."""
        named = {hashlib.sha256(data).hexdigest(): data for data in images}
        self.pictures |= named
        self.observations.append(Observation(call_id=call_id, content=content, images=tuple(named)))

    def _is_over(self) -> bool:
        return self.stop is not None or self.context.seconds_left() <= 0

    async def _act(self, call: ToolCall) -> Shown:
        """Carry out one call; returns what is shown of it, also for a call that makes no sense."""
        try:
            arguments = parse_arguments(call, self.scaffold.tools)
            tool = find_tool(call.name, self.scaffold.tools).does
            shown = await use_tool(tool, self.context, arguments, self.services)
        except InvalidCall as fault:
            return Shown(clean(f"error: {fault}"))
        except BoxExhausted as exhausted:
            self.stop = Stopped("exhausted", exhausted.line())
            return Shown(f"The box is used up: {clean(exhausted.line())}")
        if shown.answer is not None:
            self.answer, self.stop = shown.answer, Stopped("submitted")
        return shown


async def use_tool(name: str, context: ToolContext, arguments: Record, services: Services = NO_SERVICES) -> Shown:
    """Do what the arguments say with the tool of that name; what is shown of a fault begins with `error:`."""
    part = parts.find("tool", name)
    handed = {need: await services.get(need) for need in part.needs}
    handed |= {want: await services.get_if_configured(want) for want in part.wants}
    try:
        result = await part.make(context, arguments, **handed)
    except ToolFault as fault:
        result = f"error: {fault}"
    shown = result if isinstance(result, Shown) else Shown(result)
    return Shown(clip(clean(shown.text), OBSERVATION_CHARACTERS + 1000), shown.images, shown.answer)
