"""One LibreOffice in its box: started once, replaced when it hangs or is gone."""

from __future__ import annotations

import base64
import shlex
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack

from crucible.errors import BoxExhausted, DocumentFailed, SandboxError
from crucible.sandbox import Done, Env, Sandbox, World
from services.office.settings import OfficeSettings

START = "sh /opt/office/start.sh"
GONE = 3
"""The code of `box/convert.py` when the suite does not answer, and of `box/ask.py` when nobody does."""
SIGNALS = 128
"""From this code on a program was ended by a signal."""
LARGEST_FILE_BYTES = 1 << 27
SMALL_BYTES = 60_000
"""Documents of so many bytes travel with the command that works on them."""
FOLDER = "/tmp/office"
"""Where documents lie in the box."""
Program = tuple[str, ...]
"""Who runs it, `suite` what talks to the suite and `readers` what reads a document without it; which program of `box/`;
and its arguments."""


class OfficeWorker:
    """An office suite that works on one document at a time."""

    def __init__(self, world: World, env: Env, settings: OfficeSettings, stack: AsyncExitStack) -> None:
        self._world = world
        self._env = env
        self.settings = settings
        self._stack = stack
        self.box: Sandbox | None = None
        """Where the suite runs; none before the first document."""
        self.starts = 0
        """How often the suite was started: more than once when it had to be replaced."""

    async def run(self, files: Mapping[str, bytes], *programs: Program, then: str = "") -> Sandbox:
        """Lay files in an empty folder, run programs there one after the other, and then a command; returns the box, to
        fetch what they made. DocumentFailed when one fails, or does not end in its time: the suite is then replaced."""
        command = ask(programs) + f" && {then}" * bool(then)
        try:
            box = await self._ready_box()
            done = await self._run_once(box, files, command)
            if _is_gone(done):  # an earlier document may have broken it: this one gets a fresh one
                await self.start(box)
                done = await self._run_once(box, files, command)
            if done.stopped or _is_gone(done):
                await self.start(box)
        except (SandboxError, BoxExhausted):
            self.box = None  # the next document gets a fresh box
            raise
        if not done.ok:
            why = done.stopped or done.err.strip()[-500:]
            open_end = bool(done.stopped) or _is_gone(done)
            raise DocumentFailed(f"the document cannot be used: {why}", late=open_end)
        return box

    async def start(self, box: Sandbox) -> None:
        """Start the suite, ending the one before it. SandboxError when it does not start."""
        self.starts += 1
        done = await box.exec(START, timeout=self.settings.start_seconds)
        if not done.ok:
            raise SandboxError(f"the office suite does not start: {(done.err or done.out).strip()[-500:]}")

    async def _ready_box(self) -> Sandbox:
        """The worker's box with a running suite; a fresh one where the last has broken."""
        if self.box is None:
            box = await self._stack.enter_async_context(self._world.open(self._env))
            await self.start(box)
            self.box = box
        return self.box

    async def _run_once(self, box: Sandbox, files: Mapping[str, bytes], command: str) -> Done:
        """A small document travels with the command: each further command in a box takes its time."""
        if sum(map(len, files.values())) <= SMALL_BYTES:
            lines = "\n".join(f"{name} {base64.b64encode(data).decode()}" for name, data in files.items())
            command = f"<<'END' {command}\n{lines}\nEND"
        else:
            await box.exec(f"find {FOLDER} -mindepth 1 -delete")
            for name, data in files.items():
                await box.write(f"{FOLDER}/{name}", data)
        return await box.exec(f"cd {FOLDER} && {command}", timeout=self.settings.seconds)


def _is_gone(done: Done) -> bool:
    """Whether the suite did not answer, or a signal ended the program that spoke to it."""
    return done.code == GONE or (done.code >= SIGNALS and not done.stopped)


def ask(programs: Sequence[Program]) -> str:
    """The command that runs programs in the Pythons that stay beside the suite and have their libraries already."""
    words = [
        word
        for server, program, *arguments in programs
        for word in (",", f"/tmp/{server}.sock", f"/opt/office/{program}", *arguments)
    ]
    return shlex.join(["python3", "-IS", "/opt/office/ask.py", *words[1:]])
