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

PATCH_BYTES = 1 << 24
"""Bytes of a patch; a larger one is not kept."""
PRINTED_PATCH_BYTES = 1 << 16
"""Bytes that a patch may have to be printed by the script; reading its file through the engine takes twenty times as
long."""
GIT_SECONDS = 600.0
"""The time limit of each command that looks for the base or makes the patch."""
PRINTED_PATCH = re.compile(r"^patch:([A-Za-z0-9+/=]*):(\d+)\n", re.MULTILINE)
"""What `collect.sh` prints: the patch in base64, and how many bytes it has."""
# matches: patch:ZGlmZiAtLWdpdA==:10

HERE = Path(__file__).parent

SCRIPT_FAULTS = {  # by the exit code of `collect.sh`
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
    """The patch, or in `detail` why there is none or what it lacks."""

    patch: bytes | None = None
    detail: str = ""


async def note_base(box: Sandbox) -> Base | None:
    """Where the attempt starts, asked before its first step; None when the workdir has no git commit."""
    done = await box.exec(_script_with_variables("note.sh"), timeout=GIT_SECONDS)
    lines = done.out.splitlines()
    if not done.ok or len(lines) != 3:
        return None
    return Base(workdir=lines[0], commit=lines[1], objects=lines[2])


async def collect_diff(box: Sandbox, base: Base) -> Diff:
    """Everything that differs from the base now, new files included, ignored ones not. A patch that was printed and
    did not arrive whole is made again, and read from its file."""
    diff = await _try_collect(box, base, min(PRINTED_PATCH_BYTES, PATCH_BYTES))
    return diff or await _try_collect(box, base, -1) or Diff(detail="no diff: it vanished while it was made")


async def _try_collect(box: Sandbox, base: Base, printed_bytes: int) -> Diff | None:
    """The diff, printed if it has at most `printed_bytes` bytes, else read from its file; None when neither arrived."""
    directory = f"/tmp/crucible-{secrets.token_hex(8)}"
    done = await box.exec(
        _script_with_variables("collect.sh", **_script_variables(base, directory, printed_bytes)), timeout=GIT_SECONDS
    )
    if done.ok and (patch := decode_printed_patch(done.out)) is not None:
        return Diff(patch=patch, detail=_complaints(done.out))
    try:
        if not done.ok:
            return Diff(
                detail=f"no diff: {SCRIPT_FAULTS.get(done.code, done.stopped or f'git ended with code {done.code}')}"
            )
        return Diff(patch=await box.read(f"{directory}/patch", limit=PATCH_BYTES), detail=_complaints(done.out))
    except ValueError:
        return Diff(detail=f"no diff: it is larger than {PATCH_BYTES} bytes")
    except (FileNotFoundError, IsADirectoryError):
        return None
    finally:
        await box.exec(f"rm -rf -- {directory}", timeout=GIT_SECONDS)


def _complaints(out: str) -> str:
    """What git had to say beside the patch, such as files it could not read."""
    warnings = " ".join(PRINTED_PATCH.sub("", out).split())
    return f"not all of the workdir is in the diff: {warnings}" if warnings else ""


def decode_printed_patch(out: str) -> bytes | None:
    """The printed patch; None if it is not whole, for what the attempt left running may print into the middle of it."""
    for encoded, size in PRINTED_PATCH.findall(out):
        with suppress(ValueError):
            patch = base64.b64decode(encoded)
            return patch if len(patch) == int(size) else None
    return None


def _script_variables(base: Base, directory: str, printed_bytes: int) -> dict[str, str]:
    form = "sha256" if len(base.commit) == 64 else "sha1"
    base_variables = {"workdir": base.workdir, "base": base.commit, "objects": base.objects}
    return {"directory": directory, "format": form, "small": str(printed_bytes), **base_variables}


def _script_with_variables(file: str, **variables: str) -> str:
    settings = [f"{name}={shlex.quote(value)}" for name, value in variables.items()]
    return "\n".join([*settings, (HERE / file).read_text(encoding="utf-8")])
