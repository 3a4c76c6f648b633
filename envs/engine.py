"""The connection to the Docker engine: calls off the event loop, faults by name, and a watch on restarts."""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, closing, suppress
from functools import partial
from typing import Any, TypeVar

import docker
import requests
from docker.errors import APIError, DockerException, ImageNotFound, NotFound

from crucible.errors import EngineMissing, SandboxError

T = TypeVar("T")

CONNECTION_LABEL = "crucible.connection"
"""The label that names the connection something was made through: its `token`."""

ENGINE_REMEDY = "run `crucible doctor`; as root `crucible setup` installs and starts the engine"
"""What the user can do when no engine answers."""
CALLS_AT_ONCE = 48
"""Threads that wait for the engine: more calls than these queue up."""
CALL_SECONDS = 300
"""How long one call may take: a machine that has little of its processors left is slow, not gone."""
ANSWER_SECONDS = 60
"""How long a living engine may take to answer; one that has gone refuses at once."""
NO_TIMEOUT_SECONDS = 10**8
"""A time limit that is never met, for the stream of events: the SDK takes no `None`."""
CONNECTION_FAULTS = (DockerException, requests.exceptions.RequestException, OSError)
"""What a broken connection raises, depending on where it breaks."""


def connect(url: str = "", timeout: int = CALL_SECONDS) -> docker.APIClient:
    """A client of the engine at `url`, or where DOCKER_HOST says; EngineMissing when none answers."""
    client = None
    try:
        client = docker.DockerClient(base_url=url, timeout=timeout) if url else docker.from_env(timeout=timeout)
        client.api.ping()
    except CONNECTION_FAULTS as fault:
        if client is not None:
            client.close()
        raise EngineMissing(f"the Docker engine does not answer: {_one_line(fault)}", ENGINE_REMEDY) from fault
    return client.api


class Engine:
    """A connection to one engine that many coroutines use at once."""

    def __init__(self, api: docker.APIClient, url: str) -> None:
        self.api = api
        self.url = url
        self.container_events: dict[str, list[str]] = {}
        """What the engine has done, by container: kill (only when asked to), die, restart. Of those that are listed."""
        self.token = secrets.token_hex(6)
        """Names this connection in labels on what is made through it: a process may have more than one."""
        self.restarts = 0
        """How often the engine has gone away since this connection was made."""
        self._threads = ThreadPoolExecutor(CALLS_AT_ONCE, thread_name_prefix="engine")
        self._closed = threading.Event()
        self._events: Any = None

    async def call(self, method: Callable[..., T], *args: Any, **named: Any) -> T:
        """Call a method of the SDK in a thread; NotFound is an answer, whatever else goes wrong is a SandboxError."""
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._threads, partial(method, *args, **named))
        except (NotFound, FileNotFoundError, IsADirectoryError):  # answers, not faults
            raise
        except (APIError, DockerException) as fault:
            raise SandboxError(f"the engine refused: {_one_line(fault)}") from fault
        except (requests.exceptions.RequestException, OSError) as fault:
            raise SandboxError(f"the engine does not answer: {_one_line(fault)}") from fault

    async def has_image(self, name: str) -> bool:
        """Whether the engine has an image of that name; no registry is asked."""
        try:
            await self.call(self.api.inspect_image, name)
        except ImageNotFound:
            return False
        return True

    async def answers(self) -> bool:
        """Whether the engine takes a new connection: pooled ones outlive its listener while it shuts down."""
        try:
            client = await asyncio.get_running_loop().run_in_executor(self._threads, connect, self.url, ANSWER_SECONDS)
        except EngineMissing:
            return False
        client.close()
        return True

    def watch(self) -> None:
        """Hold an event stream open; each time it breaks, count it, and open another when the engine is back."""
        while not self._closed.is_set():
            with suppress(EngineMissing, AttributeError, *CONNECTION_FAULTS):
                self._hold_events()
            if not self._closed.is_set():
                self.restarts += 1
                self._closed.wait(0.2)

    def _hold_events(self) -> None:
        """Read the stream of events of the watched containers, until it breaks."""
        filters = {
            "type": "container",
            "label": f"{CONNECTION_LABEL}={self.token}",
            "event": ["kill", "die", "restart"],
        }
        with closing(connect(self.url, timeout=NO_TIMEOUT_SECONDS)) as api:
            self._events = api.events(filters=filters, decode=True)
            for event in self._events:
                told = self.container_events.get(event["Actor"]["Attributes"].get("name", ""))
                if told is not None:
                    told.append(event["Action"])

    def close(self) -> None:
        """End the watch and the connection; calls under way are not waited for."""
        self._closed.set()
        self._threads.shutdown(wait=False, cancel_futures=True)
        with suppress(AttributeError, *CONNECTION_FAULTS):
            self._events.close()
        self.api.close()


@asynccontextmanager
async def open_engine(url: str = "") -> AsyncIterator[Engine]:
    """A connection to the engine at `url`, with a watch on its restarts and on what it does to our containers.

    A box that dies may have been killed by its occupant, by somebody who asked the engine to, or by a restart of the
    engine; only the first is the occupant's doing. The watch is an event stream: it breaks exactly when the engine
    goes, and tells of every kill that went through the engine.
    """
    connected = Engine(await asyncio.to_thread(connect, url), url)
    threading.Thread(target=connected.watch, name="engine-watch", daemon=True).start()
    try:
        yield connected
    finally:
        connected.close()


def _one_line(fault: BaseException) -> str:
    """What the engine said of a fault, on one line, without the words of the connection around it."""
    text = getattr(fault, "explanation", None) or str(fault)
    return " ".join(str(text).split())[:300]
