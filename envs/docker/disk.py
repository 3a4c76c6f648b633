"""What an occupant has written over its image: looked at during commands and after them, too seldom to slow them.

On the engine's own machine the container's folder of changes is walked, for a box of few changes in less than a
millisecond; elsewhere the engine is asked. The next look waits many times as long as the last one took.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISDIR
from typing import Any

from docker.errors import NotFound

from crucible.errors import BoxExhausted
from crucible.sandbox import Limits
from envs.engine import Engine

LOCAL_SECONDS, REMOTE_SECONDS = 0.05, 1.0
"""At least so long lies between two looks, where the changes are walked here and where the engine is asked."""
SLACK_BYTES = 4 << 20
"""So much over the limit is let pass: a file that the kernel stopped at the limit stands beside others."""
COST_FACTOR = 20
"""Between two looks lies at least so many times what the last one took."""


@dataclass(frozen=True)
class Usage:
    """What the files over an image take."""

    size: int
    """Bytes."""
    inodes: int
    """Files and folders."""


class DiskWatch:
    """Knows when a box's files should be looked at again, and what they may take."""

    def __init__(self, engine: Engine, container: str, limits: Limits) -> None:
        self._engine = engine
        self._container = container
        self._most = Usage(limits.disk_mb << 20, limits.inodes)
        self._changes: Path | None = None
        """The container's folder of changes: empty where it is not on this machine, None before that is known."""
        self._next = 0.0

    def begin(self) -> None:
        """Somebody is about to write for the first time: there is nothing to look at yet."""
        self._next = self._next or time.monotonic() + LOCAL_SECONDS

    def seconds_left(self) -> float:
        """Seconds until the next look is due; none are left when it is."""
        return max(0.0, self._next - time.monotonic())

    async def find_excess(self) -> BoxExhausted | None:
        """Look, and say which limit is passed if one is."""
        began = time.monotonic()
        usage = await self._measure()
        ended = time.monotonic()
        least = LOCAL_SECONDS if self._changes and self._changes.name else REMOTE_SECONDS
        self._next = ended + max(least, COST_FACTOR * (ended - began))
        if usage.size > self._most.size + SLACK_BYTES:
            return BoxExhausted("disk", f"{usage.size >> 20} MB written, {self._most.size >> 20} MB allowed")
        if usage.inodes > self._most.inodes:
            return BoxExhausted("inodes", f"{usage.inodes} files and folders made, {self._most.inodes} allowed")
        return None

    async def _measure(self) -> Usage:
        if self._changes is None:
            self._changes = await self._find_changes()
        if self._changes.name:
            return await asyncio.to_thread(measure_folder, self._changes, self._most)
        api = self._engine.api
        rows = await self._engine.call(api.containers, all=True, size=True, filters={"name": self._container})
        try:
            changed = await self._engine.call(api.diff, self._container)
        except NotFound:  # it is gone, which the next command tells
            changed = []
        return Usage(int(rows[0].get("SizeRw") or 0) if rows else 0, len(changed or ()))

    async def _find_changes(self) -> Path:
        """The container's folder of changes, if it is on this machine and may be read; else an empty path."""
        try:
            facts: dict[str, Any] = await self._engine.call(self._engine.api.inspect_container, self._container)
        except NotFound:
            return Path()
        folder = ((facts.get("GraphDriver") or {}).get("Data") or {}).get("UpperDir", "")
        return Path(folder) if folder and os.access(folder, os.R_OK | os.X_OK) else Path()


def measure_folder(folder: Path, most: Usage) -> Usage:
    """What the files below a folder take, each once however many names it has; counted until `most` is passed."""
    size, seen, unread = 0, set[int](), [str(folder)]
    try:
        while unread and size <= most.size and len(seen) <= most.inodes:
            for path, facts in _list_folder(unread.pop()):
                if facts.st_ino not in seen:
                    seen.add(facts.st_ino)
                    size += facts.st_blocks * 512
                    if S_ISDIR(facts.st_mode):
                        unread.append(path)
    except OSError:  # folders may be nested deeper than a path can name
        return _measure_by_du(folder)
    return Usage(size, len(seen))


def _list_folder(folder: str) -> Iterator[tuple[str, os.stat_result]]:
    """The entries of a folder that others write to meanwhile: what vanishes is left out, links are not followed."""
    with suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as entries:
        for entry in entries:
            with suppress(FileNotFoundError):
                yield entry.path, entry.stat(follow_symlinks=False)


def _measure_by_du(folder: Path) -> Usage:
    """The same by `du`, slower, for folders nested however deeply."""

    def run_du(option: str) -> int:
        listed = subprocess.run(["du", "-s", option, str(folder)], capture_output=True, text=True, check=False)
        return int(listed.stdout.split()[0]) if listed.stdout[:1].isdigit() else 0

    return Usage(run_du("--block-size=1"), run_du("--inodes"))
