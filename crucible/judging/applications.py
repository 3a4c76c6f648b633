"""An application that an attempt made, running in the box of its check: started once for all checks that share the box.

Handed to a verifier that says `needs=("applications",)`; such a check's box is open for serving, so that the
application has the network which the task names for that.

    served = await applications.serve(Application(command="python3 app.py", port=8000))
    yield Criterion(name="it starts", passed=served.answers, evidence=served.log, gate=True)

A check that follows in the same box finds the application as the one before left it, and asks in the same words. One
that has ended meanwhile is started again. The browser that looks at it is the same for all of them, too.
"""

from __future__ import annotations

import asyncio
import secrets
import shlex
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

from pydantic import Field

from crucible.browsing import Browser, Window
from crucible.record import Record
from crucible.sandbox import Sandbox

PAUSE = 0.1
"""Seconds between two looks at whether the application answers."""
LOG_CHARS = 2000
"""How much of what an application printed is kept."""


class Application(Record):
    """How an application is started, and where it answers."""

    command: str
    """A shell command, run in the workdir as the recipe's user."""
    port: int = Field(gt=0, lt=1 << 16)
    seconds: float = Field(default=60.0, gt=0)
    """How long it may take until it answers."""


class Served(Record):
    """What became of an application that was started."""

    answers: bool
    """Whether it listens at its port."""
    url: str
    """Where a browser beside the box, and the box itself, find it."""
    log: str = ""
    """The end of what it printed."""


@dataclass
class Applications:
    """Serves applications in one box, each once."""

    box: Sandbox
    stack: AsyncExitStack = field(default_factory=AsyncExitStack)
    """What is closed before the box is."""
    logs: dict[Application, str] = field(default_factory=dict)
    """Where each that was started writes what it prints."""
    kept: dict[str, object] = field(default_factory=dict)
    """What a check found out about the box and leaves to those that follow in it, by name."""
    followed_by: str = ""
    """The verifier that judges in this box after the one that has it now; empty for none."""
    window: Window | None = None
    """The browser beside the box, once somebody has looked."""

    async def open_window(self, browser: Browser) -> Window:
        """A browser beside the box: started for who asks first, closed with the box. Its pages share nothing."""
        if self.window is None:
            self.window = await self.stack.enter_async_context(browser.open(self.box))
        return self.window

    async def serve(self, application: Application) -> Served:
        """Start the application, unless it is running, and wait until it answers. One that does not is told of with
        what it printed: that is the attempt's doing, and no fault of the box."""
        if application not in self.logs or not await self._listens(application):
            await self._start(application)
        answers = await self._wait_until_it_answers(application)
        printed = await self.box.exec(f"tail -c {LOG_CHARS} {self.logs[application]}")
        return Served(answers=answers, url=f"http://localhost:{application.port}/", log=printed.out)

    async def _start(self, application: Application) -> None:
        log = self.logs[application] = f"/tmp/.crucible-{secrets.token_hex(8)}.log"
        command = shlex.quote(application.command)
        await self.box.exec(f"setsid sh -c {command} >{log} 2>&1 </dev/null &")

    async def _wait_until_it_answers(self, application: Application) -> bool:
        ends = time.monotonic() + application.seconds
        while not (answers := await self._listens(application)) and time.monotonic() < ends:
            await asyncio.sleep(PAUSE)
        return answers

    async def _listens(self, application: Application) -> bool:
        """Whether a process listens at the port. The kernel's table says so in any image: state 0A is listening."""
        row = f":{application.port:04X} [0-9A-F]*:0000 0A "
        return (await self.box.exec(f"cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | grep -q '{row}'")).ok
