"""Opens the worlds and teachers that a stage asks for by name, once each, and closes them at the end."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from crucible import parts
from crucible.acting import Teacher
from crucible.running.run import Run
from crucible.sandbox import World


@dataclass
class OpenServices:
    """The worlds and teachers that a stage has opened, by name."""

    run: Run
    stack: AsyncExitStack
    worlds: dict[str, World] = field(default_factory=dict)
    teachers: dict[str, Teacher] = field(default_factory=dict)

    async def world(self, name: str) -> World:
        if name not in self.worlds:
            make = parts.find("env", name).make
            self.worlds[name] = await self.stack.enter_async_context(make(self.run.settings, self.run.blobs))
        return self.worlds[name]

    async def verifier_services(self) -> dict[str, Any]:
        """The services that verifiers may want beyond a box, by name."""
        name = self.run.settings.judge.teacher
        return {"judge": await self.teacher(name)} if name else {}

    async def teacher(self, name: str) -> Teacher:
        if name not in self.teachers:
            make = parts.find("teacher", name).make
            self.teachers[name] = await self.stack.enter_async_context(make(self.run.settings))
        return self.teachers[name]


@asynccontextmanager
async def open_services(run: Run) -> AsyncIterator[OpenServices]:
    """Hand out worlds and teachers on demand, and close them at the end of the block."""
    async with AsyncExitStack() as stack:
        yield OpenServices(run, stack)
