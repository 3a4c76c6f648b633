"""The shells of one container, some for each user, and what happens when one is lost.

    the shell dies, engine alive      the occupant killed it: restart the container, `stopped="killed"`
    a command floods its output       restart the container, `stopped="output"`
    a command outlives its limit      `timeout` in the box ends it; if not, restart, `stopped="timeout"`
    the engine ended the container    somebody asked it to, and that was not us: SandboxError, nobody's verdict
    the engine went away              SandboxError, nobody's verdict

A restart keeps the files and ends every process.
"""

from __future__ import annotations

import asyncio
import time
from itertools import chain
from typing import Any, Literal

from docker.errors import NotFound

from crucible.errors import SandboxError
from crucible.sandbox import Done
from envs.docker.box_plan import BoxPlan
from envs.docker.shell import OutputFlood, Shell, ShellGone
from envs.engine import Engine

TRUSTED = "0:0 with the grader's tools"
"""Stands for a user's name where a shell is root's and the attempt cannot have replaced it."""
SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
"""Where that shell finds its tools in a box whose system the attempt could not write to."""
MOST_SHELLS = 4
"""Shells of one user: each runs one command at a time, and another is started when all are busy."""
ENGINE_PATIENCE_SECONDS = 1.0
"""Seconds to wait for signs that the engine itself is going away, before its occupant is blamed for a dead shell."""
EVENT_PATIENCE_SECONDS = 60.0
"""Seconds to wait for the engine to tell of something that it has certainly done."""


class Shells:
    """The open shells of one box's container."""

    def __init__(self, engine: Engine, container: str, plan: BoxPlan) -> None:
        self._engine = engine
        self._container = container
        self._env = plan.env
        self._has_tools = plan.tools
        self._shells: dict[str, list[Shell]] = {}
        self._engine_restarts = engine.restarts
        self._restarting = asyncio.Lock()
        self._restarts = 0
        """How often this box has restarted its container."""
        self._past_events = 0
        """How many of the container's events were caused by those restarts."""

    async def attach(self) -> None:
        """Take hold of the container's own shell; it must be called before or right after the start."""
        self._engine.container_events.setdefault(self._container, [])
        handle = await self._engine.call(
            self._engine.api.attach_socket,
            self._container,
            params={"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1},
        )
        self._shells[TRUSTED if self._has_tools else self._env.recipe.user] = [Shell(handle, handle._sock)]

    def release(self) -> None:
        """Let go of the shells; the container may live on."""
        for shell in chain.from_iterable(self._shells.values()):
            shell.close()
        self._shells.clear()

    async def run(self, command: str, limit: float, user: str) -> Done:
        """Run the command in the user's shell; whoever breaks the shell gets the container restarted."""
        started = time.monotonic()
        async with self._restarting:
            shell, restarts = await self._shell(user), self._restarts
        try:
            return await shell.run(command, limit, self._env.limits.output_kb * 1024)
        except OutputFlood as flood:
            done = await self._restart("output", started, "the command wrote too much and was stopped")
            return done.model_copy(update={"out": flood.args[0]})
        except TimeoutError:
            return await self._restart("timeout", started, "the command did not stop at its time limit")
        except ShellGone:
            if restarts != self._restarts:
                return await self._report_restart("killed", started, "another command had the box restarted")
            await self._raise_unless_occupants_doing()
            return await self._restart("killed", started, "the command took the box's shell down")

    async def end_others(self) -> None:
        """Restart the container if anything runs in it but its init and these shells: a restart ends all else."""
        try:
            running = (await self._engine.call(self._engine.api.top, self._container))["Processes"]
        except NotFound as gone:
            raise SandboxError(f"the box is gone: {gone.explanation}") from gone
        if len(running) != 1 + sum(map(len, self._shells.values())):
            await self._restart("killed", time.monotonic(), "what was left running is ended")

    async def _shell(self, user: str) -> Shell:
        """A shell that is free, or the one for whom the fewest commands wait."""
        shells = self._shells.setdefault(user, [])
        most = 1 if user == TRUSTED else MOST_SHELLS
        if all(shell.commands for shell in shells) and len(shells) < most:
            shells.append(await self._start_shell(user))
        return min(shells, key=lambda shell: shell.commands)

    async def _start_shell(self, user: str) -> Shell:
        """A further shell in the container, for a user other than the one it was started as."""
        api = self._engine.api
        started_as: dict[str, Any] = {"user": user, "workdir": self._env.workdir}
        if user == TRUSTED:
            if self._env.recipe.user == "root":
                raise SandboxError("a box that root works in has tools to trust only while it is graded")
            started_as = {"user": "0:0", "workdir": "/", "environment": {"PATH": SYSTEM_PATH}}
        created = await self._engine.call(api.exec_create, self._container, ["/bin/sh"], stdin=True, **started_as)
        handle: Any = await self._engine.call(api.exec_start, created["Id"], socket=True)
        return Shell(handle, handle._sock)

    async def _raise_unless_occupants_doing(self) -> None:
        """Raise SandboxError if the engine or somebody outside, and not the occupant, ended the shell."""
        began = time.monotonic()
        while time.monotonic() < began + ENGINE_PATIENCE_SECONDS or not await self._is_told(began):
            if self._engine.restarts != self._engine_restarts or not await self._engine.answers():
                raise SandboxError("the Docker engine went away while the box was in use")
            # The engine tells of a `kill` only when somebody asked for it, never of signals within the box.
            if "kill" in self._new_events():
                raise SandboxError("the box was killed from outside while it was in use")
            await asyncio.sleep(0.1)

    async def _is_told(self, began: float) -> bool:
        """Whether the engine has told all of the container's end, which it tells after what led to it."""
        if "die" in self._new_events() or time.monotonic() > began + EVENT_PATIENCE_SECONDS:
            return True
        try:
            facts = await self._engine.call(self._engine.api.inspect_container, self._container)
        except NotFound as gone:
            raise SandboxError(f"the box is gone: {gone.explanation}") from gone
        return bool(facts["State"]["Running"])

    def _new_events(self) -> list[str]:
        """What the engine has told of the container since this box last restarted it."""
        return self._engine.container_events.get(self._container, [])[self._past_events :]

    async def _restart(self, why: Literal["output", "timeout", "killed"], started: float, text: str) -> Done:
        """End every process, keep the files, and take hold of the new shell."""
        self._restarts += 1
        async with self._restarting:
            self.release()
            try:
                await self._engine.call(self._engine.api.restart, self._container, timeout=0)
                await self.attach()
            except NotFound as gone:
                raise SandboxError(f"the box is gone: {gone.explanation}") from gone
            await self._pass_own_events()
        if self._engine.restarts != self._engine_restarts:
            raise SandboxError("the Docker engine went away while the box was in use")
        return await self._report_restart(why, started, text)

    async def _pass_own_events(self) -> None:
        """Wait until the engine has told of the restart, so that its `kill` is not taken for somebody else's."""
        until = time.monotonic() + EVENT_PATIENCE_SECONDS
        while "restart" not in self._new_events() and time.monotonic() < until:
            await asyncio.sleep(0.01)
        self._past_events += len(self._new_events())

    async def _report_restart(self, why: Literal["output", "timeout", "killed"], started: float, text: str) -> Done:
        """The result of a command that a restart ended, once the box can be used again."""
        async with self._restarting:
            note = f"{text}; all processes in the box were ended, its files are kept\n"
        return Done(code=137, err=note, truncated=why == "output", seconds=time.monotonic() - started, stopped=why)
