"""Opens the worlds, teachers and services that a stage asks for by name, once each, and closes them at the end."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from crucible import parts
from crucible.acting import Teacher
from crucible.errors import CrucibleError, ServiceMissing, StoreError
from crucible.judging.judges import identify_service
from crucible.mining import Locks
from crucible.purse import Paid
from crucible.running.run import Run
from crucible.sandbox import World

log = logging.getLogger(__name__)

RETRY_SECONDS = 60.0
"""A service that did not open is not tried again before: every item that needs it would wait for the same failure."""


@dataclass
class OpenServices:
    """The worlds, teachers and services that are open, by name. Implements `crucible.serving.Services`."""

    run: Run
    stack: AsyncExitStack
    worlds: dict[str, World] = field(default_factory=dict)
    teachers: dict[str, Teacher] = field(default_factory=dict)
    services: dict[str, Any] = field(default_factory=dict)
    failures: dict[str, tuple[float, ServiceMissing]] = field(default_factory=dict)
    """Services that did not open: when they may be tried again, and why they did not."""
    locks: Locks = field(default_factory=Locks)

    async def world(self, name: str) -> World:
        """The world of that name, opened if it is not open yet."""
        async with self.locks.alone(f"env {name}"):
            if name not in self.worlds:
                make = parts.find("env", name).make
                self.worlds[name] = await self.stack.enter_async_context(make(self.run.settings, self.run.blobs))
        return self.worlds[name]

    async def teacher(self, name: str) -> Teacher:
        """The teacher of that name, opened if it is not open yet. What it costs is paid from the run's purse."""
        async with self.locks.alone(f"teacher {name}"):
            if name not in self.teachers:
                make = parts.find("teacher", name).make
                teacher = await self.stack.enter_async_context(make(self.run.settings))
                if isinstance(teacher, Paid):
                    teacher.pay_from(self.run.purse)
                self.teachers[name] = teacher
        return self.teachers[name]

    async def get(self, name: str) -> Any:
        """The open service; ServiceMissing, with the reason, when it cannot be had."""
        if self.run.services is not None:
            return await self.run.services.get(name)
        async with self.locks.alone(f"service {name}"):
            if name not in self.services:
                self._raise_recent_failure(name)
                self.services[name] = await self._open_service(name)
        return self.services[name]

    async def get_if_configured(self, name: str) -> Any | None:
        """The open service; None where the settings name none."""
        return await self.get(name) if self.identity(name) else None

    def identity(self, name: str) -> str:
        """The service's name, version and the hash of the settings that count; empty where it is not configured."""
        return identify_service(name, self.run.settings)

    def _raise_recent_failure(self, name: str) -> None:
        until, failure = self.failures.get(name, (0.0, None))
        if failure is not None and time.monotonic() < until:
            raise failure

    async def _open_service(self, name: str) -> Any:
        """Open a service. Whatever goes wrong is its own fault and is remembered, but for a store that fails."""
        try:
            part = parts.find("service", name)
            if not self.identity(name):
                raise ServiceMissing(name, "it is not configured", f"see the section '{name}' in `crucible doctor`")
            opening = part.make(self.run.settings, self.run.blobs, self.world)
            service = await self.stack.enter_async_context(_close_quietly(name, opening))
        except StoreError:
            raise
        except Exception as fault:
            missing = _explain_failure(name, fault)
            self.failures[name] = time.monotonic() + RETRY_SECONDS, missing
            raise missing from fault
        if isinstance(service, Paid):
            service.pay_from(self.run.purse)
        return service


def _explain_failure(name: str, fault: Exception) -> ServiceMissing:
    """Why the service did not open, in one line."""
    if isinstance(fault, ServiceMissing):
        return fault
    if isinstance(fault, CrucibleError):
        return ServiceMissing(name, str(fault), fault.remedy)
    log.error("the service '%s' does not open", name, exc_info=fault)
    return ServiceMissing(name, f"{type(fault).__name__}: {fault}")


@asynccontextmanager
async def _close_quietly(name: str, opening: AbstractAsyncContextManager[Any]) -> AsyncIterator[Any]:
    """The open service. What goes wrong when it is closed is logged: the work it was used for is done."""
    service = await opening.__aenter__()
    try:
        yield service
    finally:
        try:
            await opening.__aexit__(None, None, None)
        except Exception:
            log.exception("the service '%s' did not close", name)


@asynccontextmanager
async def open_services(run: Run) -> AsyncIterator[OpenServices]:
    """Hand out worlds, teachers and services on demand, and close them, the last one first, at the end of the block."""
    async with AsyncExitStack() as stack:
        yield OpenServices(run, stack, services={"blobs": run.blobs})
