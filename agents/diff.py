"""What an attempt changed in its workdir, as a git patch against the commit it started from.

The repository the agent leaves behind is not trusted: its configuration may name programs (fsmonitor, filters,
external diffs, hooks) or move its work tree. So the patch is made by a repository of our own, in a directory
of its own, that borrows the agent's objects and nothing else. Commits of the agent do not hide its work,
because the base was noted before its first step. Whoever makes the objects vanish has no diff.
"""

from __future__ import annotations

import base64
import re
import secrets
import shlex
from contextlib import suppress
from pathlib import Path

from crucible.record import Record
from crucible.sandbox import Sandbox

LIMIT = 1 << 24
"""Bytes of a patch; a larger one is not kept."""
SMALL = 1 << 16
"""Bytes of a patch that is printed: reading a file through the engine takes twenty times as long."""
SECONDS = 120.0
PRINTED = re.compile(r"^patch:([A-Za-z0-9+/=]*):(\d+)\n", re.MULTILINE)

HERE = Path(__file__).parent

FAULTS = {
    31: "the workdir is gone or the box has no room left",
    32: "git does not work in the box any more",
    33: "the commit the attempt started from is gone",
    34: "git could not compare the workdir with the commit the attempt started from",
}


class Base(Record):
    """Where an attempt starts: its work tree, the commit, and where its objects are."""

    workdir: str
    commit: str
    objects: str


class Diff(Record):
    """The patch, or why there is none."""

    patch: bytes | None = None
    detail: str = ""


async def note(box: Sandbox) -> Base | None:
    """The state before the first step; None when the workdir is no git repository with a commit."""
    done = await box.exec(_script("note.sh"), timeout=SECONDS)
    lines = done.out.splitlines()
    if not done.ok or len(lines) != 3:
        return None
    return Base(workdir=lines[0], commit=lines[1], objects=lines[2])


async def collect(box: Sandbox, base: Base) -> Diff:
    """Everything that is different now, new files included, ignored ones not. A patch that should have been printed
    and did not arrive whole is made again, and read from its file."""
    found = await _collect(box, base, min(SMALL, LIMIT))
    return found or await _collect(box, base, -1) or Diff(detail="no diff: it vanished while it was made")


async def _collect(box: Sandbox, base: Base, small: int) -> Diff | None:
    directory = f"/tmp/crucible-{secrets.token_hex(8)}"
    done = await box.exec(_script("collect.sh", **_variables(base, directory, small)), timeout=SECONDS)
    if done.ok and (patch := printed(done.out)) is not None:
        return Diff(patch=patch, detail=_complaints(done.out))
    try:
        if not done.ok:
            return Diff(detail=f"no diff: {FAULTS.get(done.code, done.stopped or f'git ended with code {done.code}')}")
        return Diff(patch=await box.read(f"{directory}/patch", limit=LIMIT), detail=_complaints(done.out))
    except ValueError:
        return Diff(detail=f"no diff: it is larger than {LIMIT} bytes")
    except (FileNotFoundError, IsADirectoryError):
        return None
    finally:
        await box.exec(f"rm -rf -- {directory}", timeout=SECONDS)


def _complaints(out: str) -> str:
    said = " ".join(PRINTED.sub("", out).split())
    return f"not all of the workdir is in the diff: {said}" if said else ""


def printed(out: str) -> bytes | None:
    """The patch, if it is there whole: what the attempt left running may print into the middle of it."""
    for encoded, size in PRINTED.findall(out):
        with suppress(ValueError):
            patch = base64.b64decode(encoded)
            return patch if len(patch) == int(size) else None
    return None


def _variables(base: Base, directory: str, small: int) -> dict[str, str]:
    form = "sha256" if len(base.commit) == 64 else "sha1"
    given = {"workdir": base.workdir, "base": base.commit, "objects": base.objects}
    return {"directory": directory, "format": form, "small": str(small), **given}


def _script(file: str, **variables: str) -> str:
    settings = [f"{name}={shlex.quote(value)}" for name, value in variables.items()]
    return "\n".join([*settings, (HERE / file).read_text(encoding="utf-8")])
