"""What an attempt changed in its workdir, as a git patch against the commit it started from.

The repository the agent leaves behind is not trusted: its configuration may name programs (fsmonitor, filters,
external diffs, hooks) or move its work tree. So the patch is made by a repository of our own, in a directory
of its own, that copies the base's objects and nothing else. Commits of the agent do not hide its work,
because the base was noted before its first step. Where the objects are gone, or are not what their names say, those
that the box was opened with count.
"""

from __future__ import annotations

import secrets
import shlex
from collections.abc import Mapping
from pathlib import Path

from crucible.record import Record
from crucible.sandbox import Done, Remains, Sandbox

GIT_SECONDS = 600.0
"""The time limit of each command that looks for the base or makes the patch."""
HERE = Path(__file__).parent

SCRIPT_FAULTS = {  # by the exit code of `collect.sh`
    31: "the workdir is gone or the box has no room left",
    32: "git does not work in the box any more",
    33: "the commit the attempt started from is gone",
    34: "git could not compare the workdir with the commit the attempt started from",
}
BASE_GONE = 33
"""The exit code of `collect.sh` where the commit is gone, or is not what it was."""
STRAY_KB = (16 << 10, 512)
"""In kilobytes: a new file that is larger is left out. The second limit holds where the patch is too large with the
first."""


class Base(Record):
    """Where an attempt starts: its work tree, the commit, and where its objects are."""

    workdir: str
    commit: str
    objects: str


async def note_base(box: Sandbox) -> Base | None:
    """Where the attempt starts, asked before its first step; None when the workdir has no git commit."""
    done = await box.exec(_script_with_variables("note.sh"), timeout=GIT_SECONDS)
    lines = done.out.splitlines()
    if not done.ok or len(lines) != 3:
        return None
    return Base(workdir=lines[0], commit=lines[1], objects=lines[2])


async def collect_diff(box: Sandbox, base: Base, limit: int) -> Remains:
    """Everything that differs from the base now, new files included, ignored ones and large ones not. The patch is read
    from its file through the engine, never from what is printed: whatever else runs in the box could print too."""
    remains = Remains(left="lost")
    for stray_kb in STRAY_KB:
        remains = await _collect_once(box, base, limit, stray_kb)
        if remains.left != "too_large":
            break
    return remains


async def _collect_once(box: Sandbox, base: Base, limit: int, stray_kb: int) -> Remains:
    directory = f"/tmp/crucible-{secrets.token_hex(8)}"
    variables = {**_script_variables(base, directory), "stray_kb": str(stray_kb)}
    done = await _make_patch(box, variables)
    try:
        if done.code == BASE_GONE:
            done = await _make_patch_anew(box, base, variables)
        if not done.ok:
            fault = SCRIPT_FAULTS.get(done.code, done.stopped or f"git ended with code {done.code}")
            return Remains(left="lost", detail=f"no diff: {fault}")
        patch = await box.read(f"{directory}/patch", limit=limit)
    except ValueError:
        return Remains(left="too_large", detail=f"no diff: it is larger than {limit} bytes")
    except (FileNotFoundError, IsADirectoryError):
        return Remains(left="lost", detail="no diff: it vanished while it was made")
    finally:
        await box.exec(f"rm -rf -- {directory}", timeout=GIT_SECONDS)
    return Remains(left="changed" if patch else "unchanged", archive=patch, detail=_complaints(done.out))


async def _make_patch(box: Sandbox, variables: Mapping[str, str]) -> Done:
    return await box.exec(_script_with_variables("collect.sh", **variables), timeout=GIT_SECONDS)


async def _make_patch_anew(box: Sandbox, base: Base, variables: Mapping[str, str]) -> Done:
    """Make the patch with the repository that the box was opened with, where the attempt has deleted it, made another
    in its place, or written over its objects."""
    directory = variables["directory"]
    await box.exec(f"rm -rf -- {directory}", timeout=GIT_SECONDS)
    kept = f"{directory}-base"
    try:
        await box.lay_original(f"{base.workdir}/.git", kept)
    except (FileNotFoundError, ValueError):
        return Done(code=BASE_GONE)
    done = await _make_patch(box, {**variables, "objects": f"{kept}/objects"})
    await box.exec(f"rm -rf -- {kept}", timeout=GIT_SECONDS)
    return done


def _complaints(out: str) -> str:
    """What git had to say beside the patch, such as files it could not read."""
    warnings = " ".join(out.split())
    return f"not all of the workdir is in the diff: {warnings}" if warnings else ""


def _script_variables(base: Base, directory: str) -> dict[str, str]:
    form = "sha256" if len(base.commit) == 64 else "sha1"
    base_variables = {"workdir": base.workdir, "base": base.commit, "objects": base.objects}
    return {"directory": directory, "format": form, **base_variables}


def _script_with_variables(file: str, **variables: str) -> str:
    settings = [f"{name}={shlex.quote(value)}" for name, value in variables.items()]
    return "\n".join([*settings, (HERE / file).read_text(encoding="utf-8")])
