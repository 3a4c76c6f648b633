"""Putting a task's tests over a tree in a box: whole files, and tests within source files."""

from __future__ import annotations

import base64
import shlex
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from crucible.errors import SandboxError
from crucible.inline import exchanged
from crucible.sandbox import Done, Sandbox

SMALL = 60_000
"""Bytes that still travel within one command."""
PATCH = "/tmp/.crucible/change.patch"
SECONDS = 60.0


async def lay_files(box: Sandbox, tests: Mapping[str, str], data: Mapping[str, str]) -> None:
    """Write the test files, those of text and those in base64, whatever stands in their place."""
    files = whole_files(tests, data)
    together = sum(map(len, files.values())) <= SMALL
    if together and files and (await box.exec(f"{clearing([*files])} && {putting(files)}")).ok:
        return
    await clear(box, [*files])
    for path, content in files.items():
        await box.write(path, content)


async def apply_patch(box: Sandbox, patch: bytes) -> Done:
    """Apply a git patch to the workdir."""
    return await box.exec(await applying(box, patch), timeout=SECONDS)


async def applying(box: Sandbox, patch: bytes, options: str = "") -> str:
    """The shell command that does so. A small patch travels within it, a large one is put into the box first."""
    command = f"git apply --whitespace=nowarn {options}"
    if len(patch) <= SMALL:
        return fed(f"{command} -", patch)
    await box.write(PATCH, patch)
    return f"{command} {PATCH} && rm -f {PATCH}"


def fed(command: str, data: bytes) -> str:
    """A shell command that gets these bytes on its standard input."""
    return f"base64 -d <<'END' | {command}\n{base64.b64encode(data).decode()}\nEND"


def putting(files: Mapping[str, bytes]) -> str:
    """The shell command that writes files where nothing stands."""
    folders = sorted({str(PurePosixPath(path).parent) for path in files})
    written = [
        f"base64 -d > {shlex.quote(path)} <<'END' || exit 1\n{base64.b64encode(content).decode()}\nEND"
        for path, content in files.items()
    ]
    return "\n".join([f"mkdir -p -- {shlex.join(folders)} || exit 1", *written, f"chmod 644 -- {shlex.join(files)}"])


def whole_files(tests: Mapping[str, str], data: Mapping[str, str]) -> dict[str, bytes]:
    """The bytes of all of them."""
    text = {path: content.encode() for path, content in tests.items()}
    return {**text, **{path: base64.b64decode(content) for path, content in data.items()}}


async def lay_inline(box: Sandbox, inline: Mapping[str, str]) -> None:
    """Give each source file these tests instead of its own. Where the file is gone there is no code to test."""
    for path, tests in inline.items():
        try:
            there = (await box.read(path)).decode("utf-8", "surrogateescape")
        except (OSError, ValueError):
            continue
        text = exchanged(there, tests)
        if text != there:
            await clear(box, [path])
            await box.write(path, text.encode("utf-8", "surrogateescape"))


async def clear(box: Sandbox, paths: Sequence[str]) -> None:
    """Remove the files, and any link that stands where one of their folders should be."""
    if not paths:
        return
    done = await box.exec(clearing(paths))
    if not done.ok:
        raise SandboxError(f"the tests could not be put in place: {done.err.strip()[-300:]}")


def clearing(paths: Sequence[str]) -> str:
    """The shell command that does so."""
    above = {str(parent) for path in paths for parent in PurePosixPath(path).parents if parent.name}
    links = " ".join(f"[ ! -L {shlex.quote(path)} ] || rm -f -- {shlex.quote(path)};" for path in sorted(above))
    return f"{links} rm -rf -- {shlex.join(paths)}".strip()
