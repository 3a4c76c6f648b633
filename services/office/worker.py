"""One LibreOffice in its box: started once, replaced when it hangs or is gone."""

from __future__ import annotations

import shlex
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

    async def run(self, source: str, document: bytes, command: str, stdin: bytes = b"") -> Sandbox:
        """Lay a document as `source` in an empty folder and run a command there; returns the box, to fetch what it
        made. DocumentFailed when it fails, or does not end in its time: the suite is then replaced."""
        try:
            box = await self._ready_box()
            done = await self._run_once(box, source, document, command, stdin)
            if _is_gone(done):  # an earlier document may have broken it: this one gets a fresh one
                await self.start(box)
                done = await self._run_once(box, source, document, command, stdin)
            if done.stopped or _is_gone(done):
                await self.start(box)
        except (SandboxError, BoxExhausted):
            self.box = None  # the next document gets a fresh box
            raise
        if not done.ok:
            why = done.stopped or done.err.strip()[-500:]
            raise DocumentFailed(f"the document cannot be used: {why}", late=bool(done.stopped))
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

    async def _run_once(self, box: Sandbox, source: str, document: bytes, command: str, stdin: bytes) -> Done:
        await box.exec("rm -rf /tmp/office && mkdir /tmp/office")
        await box.write(f"/tmp/office/{source}", document)
        return await box.exec(f"cd /tmp/office && {command}", timeout=self.settings.seconds, stdin=stdin)


def _is_gone(done: Done) -> bool:
    """Whether the suite did not answer, or a signal ended the program that spoke to it."""
    return done.code == GONE or (done.code >= SIGNALS and not done.stopped)


def ask_suite(program: str, *words: str) -> str:
    """Runs a program that talks to the suite, in a Python that stays."""
    return _ask("suite", program, *words)


def ask_reader(program: str, *words: str) -> str:
    """Runs a program that reads a document without the suite, in a Python that has its libraries already."""
    return _ask("readers", program, *words)


def _ask(who: str, program: str, *words: str) -> str:
    return shlex.join(["python3", "-IS", "/opt/office/ask.py", f"/tmp/{who}.sock", f"/opt/office/{program}", *words])
