"""Putting a task's tests over a tree in a box: whole files, and tests within source files."""

from __future__ import annotations

import base64
import shlex
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from crucible.box_patch import INLINE_BYTES
from crucible.domains.code.inline_tests import replace_tests
from crucible.errors import SandboxError
from crucible.sandbox import Sandbox


async def lay_files(box: Sandbox, tests: Mapping[str, str], data: Mapping[str, str]) -> None:
    """Write test files into the box, those given as text and those given in base64, whatever stands in their place."""
    files = whole_files(tests, data)
    fit_one_command = sum(map(len, files.values())) <= INLINE_BYTES
    if fit_one_command and files and (await box.exec(f"{clear_command([*files])} && {write_command(files)}")).ok:
        return
    await clear_paths(box, [*files])
    for path, content in files.items():
        await box.write(path, content)


def write_command(files: Mapping[str, bytes]) -> str:
    """The shell command that writes files into places where nothing stands."""
    folders = sorted({str(PurePosixPath(path).parent) for path in files})
    written = [
        f"base64 -d > {shlex.quote(path)} <<'END' || exit 1\n{base64.b64encode(content).decode()}\nEND"
        for path, content in files.items()
    ]
    return "\n".join([f"mkdir -p -- {shlex.join(folders)} || exit 1", *written, f"chmod 644 -- {shlex.join(files)}"])


def whole_files(tests: Mapping[str, str], data: Mapping[str, str]) -> dict[str, bytes]:
    """The bytes of test files by path: those given as text, and those given in base64."""
    text = {path: content.encode() for path, content in tests.items()}
    return {**text, **{path: base64.b64decode(content) for path, content in data.items()}}


async def lay_inline(box: Sandbox, inline: Mapping[str, str]) -> None:
    """Give each source file these tests instead of its own. Where the file is gone there is no code to test."""
    for path, tests in inline.items():
        try:
            before = (await box.read(path)).decode("utf-8", "surrogateescape")
        except (OSError, ValueError):
            continue
        text = replace_tests(before, tests)
        await clear_paths(box, [path])  # whether or not it differs: no run of tests is to look unlike another
        await box.write(path, text.encode("utf-8", "surrogateescape"))


async def clear_paths(box: Sandbox, paths: Sequence[str]) -> None:
    """Remove the files, and any link that stands where one of their folders should be."""
    if not paths:
        return
    done = await box.exec(clear_command(paths))
    if not done.ok:
        raise SandboxError(f"the tests could not be put in place: {done.err.strip()[-300:]}")


def clear_command(paths: Sequence[str]) -> str:
    """The shell command that removes files, and any link that stands where one of their folders should be."""
    above = {str(parent) for path in paths for parent in PurePosixPath(path).parents if parent.name}
    links = " ".join(f"[ ! -L {shlex.quote(path)} ] || rm -f -- {shlex.quote(path)};" for path in sorted(above))
    return f"{links} rm -rf -- {shlex.join(paths)}".strip()
