"""Files that decide how tests run: what an attempt did to them is undone before its tests run."""

from __future__ import annotations

import re
import secrets
import shlex
from collections.abc import Iterable, Iterator, Sequence

from crucible.domains.code.inline_tests import may_hold_tests, tests_of
from crucible.domains.code.overlay import lay_inline
from crucible.errors import SandboxError
from crucible.sandbox import Done, Sandbox
from verifiers.protection import has_settings, is_protected, settings_differ, stands_in

BASE = '"$(git rev-list --max-parents=0 HEAD)"'
"""The task's base is the first commit, whatever was committed on top of it."""

KEPT = "/tmp/.crucible-kept"

UNDO = """base={base}
for path in {paths}; do
  rm -rf -- "$path"
  git cat-file -e "$base:$path" 2>/dev/null && git checkout -q "$base" -- ":(literal)$path"
done
true"""


SHOW = """base={base}
for path in {paths}; do git show "$base:$path" 2>/dev/null; printf '{mark}%d\\n' $?; done"""
AT_ONCE = 100
"""Files that are asked for by one command."""


async def belong(box: Sandbox, paths: Iterable[str]) -> frozenset[str]:
    """Which of these files belong to the test run in this repository."""
    return frozenset([path for path in paths if is_protected(path) and not await _is_own(box, stands_in(path))])


async def _is_own(box: Sandbox, module: str) -> bool:
    return bool(module) and (await box.exec(f"git cat-file -e {BASE}:{shlex.quote(module)}")).ok


async def undo(box: Sandbox, paths: Iterable[str]) -> tuple[str, ...]:
    """Bring the protected files among these paths back to the base; returns which."""
    paths = list(paths)
    kept = await belong(box, paths)
    undone = [path for path in paths if path in kept or await _runner_settings_differ(box, path)]
    if undone:
        await sure(box, UNDO.format(base=BASE, paths=shlex.join(undone)))
    return tuple(undone)


async def undo_inline(box: Sandbox, paths: Iterable[str]) -> None:
    """Bring the tests within these source files back to the base; the code around them stays."""
    for path in filter(may_hold_tests, paths):
        await box.exec(f"git show {BASE}:{shlex.quote(path)} >{KEPT} 2>/dev/null || : >{KEPT}")
        base = (await box.read(KEPT)).decode("utf-8", "surrogateescape")
        await lay_inline(box, {path: tests_of(base)})


async def sure(box: Sandbox, command: str) -> str:
    """Run a command that cannot fail unless the box is broken."""
    return must(await box.exec(command))


def must(done: Done) -> str:
    """What it printed, if all went well."""
    if not done.ok:
        raise SandboxError(f"the workspace could not be put in order: {done.err.strip()[-300:]}")
    return done.out


async def at_base(box: Sandbox, paths: Sequence[str]) -> dict[str, str | None]:
    """The files as the task has them; None for one that is not there."""
    return {path: text for some in _few(paths) for path, text in (await _shown(box, some)).items()}


def _few(paths: Sequence[str]) -> Iterator[Sequence[str]]:
    return (paths[at : at + AT_ONCE] for at in range(0, len(paths), AT_ONCE))


async def _shown(box: Sandbox, paths: Sequence[str]) -> dict[str, str | None]:
    """By one command; where they are too long for one answer, by one each."""
    mark = secrets.token_hex(8)
    done = await box.exec(SHOW.format(base=BASE, paths=shlex.join(paths), mark=mark))
    if done.truncated and len(paths) > 1:
        return {path: text for one in paths for path, text in (await _shown(box, [one])).items()}
    found = re.findall(rf"(.*?){mark}(\d+)\n", done.out, re.DOTALL)
    if len(found) != len(paths):
        raise SandboxError(f"the base could not be read: {done.err.strip()[-300:]}")
    return {path: text if code == "0" else None for path, (text, code) in zip(paths, found, strict=True)}


async def _runner_settings_differ(box: Sandbox, path: str) -> bool:
    if not has_settings(path):
        return False
    try:
        now = (await box.read(path)).decode()
    except (OSError, ValueError):  # deleted, replaced by a folder, or no text
        return True
    return settings_differ(path, now, (await at_base(box, [path]))[path] or "")
