"""How a report leaves the box of a test run: by named pipes that anybody in there may write to, and nobody can rewrite.

A test framework writes to a pipe as to any file. A process of root takes what arrives into a file of root's, so that
what was once said stays said. A process that a test left behind can neither replace a report nor add to it unseen: what
it adds before the end makes the report unreadable, and what comes after the end is not looked at.
"""

from __future__ import annotations

import secrets

from crucible.sandbox import Done, Sandbox

PIPES = ("report", "events")
LARGEST_REPORT = 256 << 20
"""In bytes, of what is taken from a pipe; readers have limits of their own."""
PIPE_SECONDS = 120.0
"""The time limit of opening and of closing the pipes."""
OPEN = """umask 077
mkdir -m 755 {folder} && mkdir -m 777 {folder}/report.d || exit 1
for name in {names}; do
  mkfifo -m 622 {folder}/$name || exit 1
  cat <>{folder}/$name >{folder}/$name.taken 2>/dev/null &
  echo $! >{folder}/$name.reader
done"""
CLOSE = """for name in {names}; do
  reader=$(cat {folder}/$name.reader)
  printf '\\n{end}\\n' 1<>{folder}/$name
  while kill -0 $reader && ! grep -q {end} {folder}/$name.taken; do sleep 0.02; done
  kill $reader
  while kill -0 $reader; do sleep 0.01; done
done 2>/dev/null
true"""


class ReportPipes:
    """The pipes of one test run."""

    def __init__(self, box: Sandbox) -> None:
        self._box = box
        self._folder = f"/tmp/{secrets.token_hex(12)}"
        self._end = ""

    @property
    def report(self) -> str:
        """Where the framework writes its report; `{report}.d` is a folder that anybody may write to."""
        return f"{self._folder}/report"

    async def open(self) -> Done:
        """Make the pipes. The command fails only where the box has no room."""
        return await self._run(OPEN)

    async def close(self, done: Done) -> None:
        """Take no more than what was written so far, and end whatever the run left behind. A run that was stopped may
        have lost the readers of its pipes with all else that ran."""
        if not done.stopped:
            self._end = secrets.token_hex(16)
            await self._run(CLOSE)
        await self._box.end_processes()

    async def read(self, name: str) -> bytes:
        """What was written to this pipe until it was closed; empty when nothing was, or too much."""
        try:
            taken = await self._box.read(f"{self._folder}/{name}.taken", limit=LARGEST_REPORT)
        except (FileNotFoundError, IsADirectoryError, ValueError):
            return b""
        return taken.partition(f"\n{self._end}\n".encode())[0] if self._end else taken

    async def _run(self, script: str) -> Done:
        command = script.format(folder=self._folder, names=" ".join(PIPES), end=self._end)
        return await self._box.exec(command, timeout=PIPE_SECONDS, trusted=True)
