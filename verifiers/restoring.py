"""Brings files that decide how tests run back to the task's base, in the box where an attempt is judged.

Which files these are is said by `protected_files.py`; this module asks the box's git and undoes the attempt's changes.
"""

from __future__ import annotations

import re
import secrets
import shlex
from collections.abc import Iterable, Sequence

from crucible.domains.code.inline_tests import extract_tests, may_hold_tests
from crucible.domains.code.overlay import lay_inline
from crucible.errors import SandboxError
from crucible.sandbox import Done, Sandbox
from verifiers.protected_files import has_settings, is_protected, settings_differ, stand_in_module

BASE = '"$(git rev-list --max-parents=0 HEAD)"'
"""The task's base is the first commit, whatever was committed on top of it."""

BASE_FILE = "/tmp/.crucible-kept"
"""Where one file of the base is written so that it can be read through the engine."""

RESTORE = """base={base}
for path in {paths}; do
  rm -rf -- "$path"
  git cat-file -e "$base:$path" 2>/dev/null && git checkout -q "$base" -- ":(literal)$path"
done
true"""


SHOW = """base={base}
for path in {paths}; do git show "$base:$path" 2>/dev/null; printf '{mark}%d\\n' $?; done"""
FILES_PER_COMMAND = 100
"""How many files of the base one command prints."""


async def select_protected(box: Sandbox, paths: Iterable[str]) -> frozenset[str]:
    """The paths among these that belong to the test run in this repository."""
    return frozenset(
        [path for path in paths if is_protected(path) and not await _is_in_base(box, stand_in_module(path))]
    )


async def _is_in_base(box: Sandbox, module: str) -> bool:
    return bool(module) and (await box.exec(f"git cat-file -e {BASE}:{shlex.quote(module)}")).ok


async def restore_protected(box: Sandbox, paths: Iterable[str]) -> tuple[str, ...]:
    """Bring the protected files among these paths back to the base; returns the paths that were restored."""
    paths = list(paths)
    protected = await select_protected(box, paths)
    restored = [path for path in paths if path in protected or await _runner_settings_differ(box, path)]
    await restore(box, restored)
    return tuple(restored)


async def restore(box: Sandbox, paths: Sequence[str]) -> None:
    """Bring these paths back to the base: a changed or deleted file is restored, an added one is removed."""
    if paths:
        await exec_or_raise(box, RESTORE.format(base=BASE, paths=shlex.join(paths)))


async def restore_inline_tests(box: Sandbox, paths: Iterable[str]) -> None:
    """Bring the tests within these source files back to the base; the code around them stays."""
    for path in filter(may_hold_tests, paths):
        await box.exec(f"git show {BASE}:{shlex.quote(path)} >{BASE_FILE} 2>/dev/null || : >{BASE_FILE}")
        base = (await box.read(BASE_FILE)).decode("utf-8", "surrogateescape")
        await lay_inline(box, {path: extract_tests(base)})


async def exec_or_raise(box: Sandbox, command: str) -> str:
    """What a command prints that cannot fail unless the box is broken; SandboxError when it fails."""
    return output_or_raise(await box.exec(command))


def output_or_raise(done: Done) -> str:
    """What a finished command printed; SandboxError when it failed."""
    if not done.ok:
        raise SandboxError(f"the workspace could not be put in order: {done.err.strip()[-300:]}")
    return done.out


async def read_base_files(box: Sandbox, paths: Sequence[str]) -> dict[str, str | None]:
    """The text of each path in the task's base; None for a path that is not there."""
    batches = [paths[at : at + FILES_PER_COMMAND] for at in range(0, len(paths), FILES_PER_COMMAND)]
    return {path: text for batch in batches for path, text in (await _read_batch(box, batch)).items()}


async def _read_batch(box: Sandbox, paths: Sequence[str]) -> dict[str, str | None]:
    """Files of the base by one command; where they are too long for one answer, by one command each."""
    mark = secrets.token_hex(8)
    done = await box.exec(SHOW.format(base=BASE, paths=shlex.join(paths), mark=mark))
    if done.truncated and len(paths) > 1:
        return {path: (await _read_batch(box, [path]))[path] for path in paths}
    texts = re.findall(rf"(.*?){mark}(\d+)\n", done.out, re.DOTALL)
    # matches: the text of a file, then `0f3c...` (the mark) and git's exit code, 0 or 128
    if len(texts) != len(paths):
        raise SandboxError(f"the base could not be read: {done.err.strip()[-300:]}")
    return {path: text if code == "0" else None for path, (text, code) in zip(paths, texts, strict=True)}


async def _runner_settings_differ(box: Sandbox, path: str) -> bool:
    if not has_settings(path):
        return False
    try:
        now = (await box.read(path)).decode()
    except (OSError, ValueError):  # deleted, replaced by a folder, or no text
        return True
    return settings_differ(path, now, (await read_base_files(box, [path]))[path] or "")
