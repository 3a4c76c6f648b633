"""The connection to the Docker engine: calls off the event loop, faults by name, and a watch on restarts."""

from __future__ import annotations

import asyncio
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

REMEDY = "run `crucible doctor`; as root `crucible setup` installs and starts the engine"
CALLS_AT_ONCE = 48
FOREVER = 10**8
TRANSPORT = (DockerException, requests.exceptions.RequestException, OSError)
"""What a broken connection raises, depending on where it breaks."""


def connect(url: str = "", timeout: int = 60) -> docker.APIClient:
    """A client of the engine at `url`, or where DOCKER_HOST says; EngineMissing when none answers."""
    client = None
    try:
        client = docker.DockerClient(base_url=url, timeout=timeout) if url else docker.from_env(timeout=timeout)
        client.api.ping()
    except TRANSPORT as fault:
        if client is not None:
            client.close()
        raise EngineMissing(f"the Docker engine does not answer: {_brief(fault)}", REMEDY) from fault
    return client.api


class Engine:
    """One engine, asked from many coroutines at once."""

    def __init__(self, api: docker.APIClient, url: str) -> None:
        self.api = api
        self.url = url
        self.restarts = 0
        """How often the engine has gone away since this connection was made."""
        self._threads = ThreadPoolExecutor(CALLS_AT_ONCE, thread_name_prefix="engine")
        self._over = threading.Event()
        self._events: Any = None

    async def call(self, method: Callable[..., T], *args: Any, **named: Any) -> T:
        """Call a method of the SDK in a thread; whatever goes wrong is a SandboxError."""
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._threads, partial(method, *args, **named))
        except (NotFound, FileNotFoundError, IsADirectoryError):  # answers, not faults
            raise
        except (APIError, DockerException) as fault:
            raise SandboxError(f"the engine refused: {_brief(fault)}") from fault
        except (requests.exceptions.RequestException, OSError) as fault:
            raise SandboxError(f"the engine does not answer: {_brief(fault)}") from fault

    async def has_image(self, name: str) -> bool:
        """Whether the engine has an image of that name; no registry is asked."""
        try:
            await self.call(self.api.inspect_image, name)
        except ImageNotFound:
            return False
        return True

    async def answers(self) -> bool:
        """Does the engine take a new connection? Pooled ones outlive its listener while it shuts down."""
        try:
            asked = await asyncio.get_running_loop().run_in_executor(self._threads, connect, self.url, 5)
        except EngineMissing:
            return False
        asked.close()
        return True

    def watch(self) -> None:
        """Hold an event stream open; each time it breaks, count it, and open another when the engine is back."""
        while not self._over.is_set():
            with suppress(EngineMissing, AttributeError, *TRANSPORT):
                self._hold_events()
            if not self._over.is_set():
                self.restarts += 1
                self._over.wait(0.2)

    def _hold_events(self) -> None:
        with closing(connect(self.url, timeout=FOREVER)) as api:
            self._events = api.events(filters={"label": "crucible.no-such-label"})
            for _ in self._events:
                pass

    def close(self) -> None:
        self._over.set()
        self._threads.shutdown(wait=False, cancel_futures=True)
        with suppress(AttributeError, *TRANSPORT):
            self._events.close()
        self.api.close()


@asynccontextmanager
async def engine(url: str = "") -> AsyncIterator[Engine]:
    """The engine, with a watch that counts its restarts.

    A box that dies may have been killed by its occupant or by a restart of the engine; only the first
    is the occupant's doing. The watch is an event stream: it breaks exactly when the engine goes.
    """
    held = Engine(await asyncio.to_thread(connect, url), url)
    threading.Thread(target=held.watch, name="engine-watch", daemon=True).start()
    try:
        yield held
    finally:
        held.close()


def _brief(fault: BaseException) -> str:
    """The engine's own words, without the transport's wrapping."""
    text = getattr(fault, "explanation", None) or str(fault)
    return " ".join(str(text).split())[:300]
