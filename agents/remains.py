"""What an attempt leaves, as its environment asks for it: collected once the attempt's own processes are ended."""

from __future__ import annotations

import hashlib

from agents import diff
from crucible.errors import BoxExhausted, SandboxError
from crucible.record import Record
from crucible.sandbox import Env, Remains, Sandbox

EMPTY_TAR = hashlib.sha256(bytes(10_240)).hexdigest()
"""The digest of an archive with nothing in it."""


class Start(Record):
    """What is noted before the first step, to compare with at the end."""

    base: diff.Base | None = None
    """The commit of the workdir, where a diff is asked for and there is one."""
    archive: str = EMPTY_TAR
    """The digest of what the box would leave if nothing were done."""


async def note_start(box: Sandbox, env: Env) -> Start:
    """What the box has before the attempt: its commit, or the files that were laid in it."""
    if env.leaves == "diff":
        return Start(base=await diff.note_base(box))
    laid = await box.collect() if env.files else Remains(left="unchanged")
    return Start(archive=_digest(laid.archive)) if laid.archive is not None else Start()


async def collect_remains(box: Sandbox, env: Env, start: Start, exhausted: bool) -> Remains:
    """What the attempt leaves. A box that was used up has lost it; one that broke is raised."""
    try:
        if env.leaves == "diff":
            return await _collect_diff(box, env, start)
        remains = await box.collect()
    except (BoxExhausted, SandboxError) as broken:
        if isinstance(broken, SandboxError) and not exhausted:
            raise
        return Remains(left="lost", detail=f"nothing is left: {broken.line()}")
    is_same = remains.archive is not None and _digest(remains.archive) == start.archive
    return remains.model_copy(update={"left": "unchanged"}) if is_same else remains


async def _collect_diff(box: Sandbox, env: Env, start: Start) -> Remains:
    if start.base is None:
        return Remains(left="absent", detail="the workdir has no commit to compare with")
    await box.end_processes()
    return await diff.collect_diff(box, start.base, env.limits.remains_mb << 20)


def _digest(archive: bytes) -> str:
    return hashlib.sha256(archive).hexdigest()
