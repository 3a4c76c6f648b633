"""Brings files that decide how tests run back to the task's base, in the box where an attempt is judged.

Which files these are is said by `protected_files.py`, where the attempt's tree differs from the base by
`attempt_tree.py`; this module undoes the attempt's changes there.
"""

from __future__ import annotations

import os
import re
import secrets
import shlex
from collections.abc import Iterable, Sequence

from crucible.domains.code.inline_tests import extract_tests, may_hold_tests
from crucible.domains.code.overlay import lay_inline
from crucible.errors import SandboxError
from crucible.sandbox import Done, Sandbox
from verifiers.attempt_tree import BASE, AttemptTree, parent_folders, read_tree
from verifiers.protected_files import (
    has_settings,
    is_protected,
    settings_differ,
    shadowed_module,
    stand_in_module,
    test_folder,
)
from verifiers.settings_merge import merge_settings

BASE_FILE = "/tmp/.crucible-kept"
"""Where one file of the base is written so that it can be read through the engine."""
REMOVE_LINKS = """xargs -0 sh -c 'for path; do [ ! -L "$path" ] || rm -f -- "$path"; done' sh"""
REMOVE = "xargs -0 rm -rf --"
CHECK_OUT = f"git --literal-pathspecs checkout -q {BASE} --pathspec-from-file=- --pathspec-file-nul"

SHOW = """base={base}
for path in {paths}; do git show "$base:$path" 2>/dev/null; printf '{mark}%d\\n' $?; done"""
FILES_PER_COMMAND = 100
"""How many files of the base one command prints."""


def select_protected(tree: AttemptTree, paths: Iterable[str]) -> frozenset[str]:
    """The paths among these that belong to the test run in this repository, or stand in for what is installed."""
    return frozenset(path for path in paths if _is_of_the_run(tree, path))


def _is_of_the_run(tree: AttemptTree, path: str) -> bool:
    if is_protected(path):
        module, folder = stand_in_module(path), test_folder(path)
        return not (module and tree.has(module)) and (not folder or tree.has(folder))
    return bool(shadowed_module(path, tree.installed)) and not tree.has(path)


async def restore_protected(
    box: Sandbox, paths: Iterable[str] | None = None, tree: AttemptTree | None = None
) -> tuple[str, ...]:
    """Bring the protected files among these paths, or among all that differ, back to the base, and the settings of the
    test run in other files. Returns the paths of both."""
    tree = tree or await read_tree(box)
    chosen = tree.changed if paths is None else tuple(paths)
    restored = sorted(select_protected(tree, chosen))
    mixed = [path for path in chosen if path not in restored and await _restore_settings(box, tree, path)]
    await restore(box, restored, tree)
    return (*restored, *mixed)


async def restore(box: Sandbox, paths: Sequence[str], tree: AttemptTree | None = None) -> None:
    """Bring these paths back to the base: a changed or deleted file is restored, an added one is removed. A link that
    stands where a folder should be is removed too."""
    if not paths:
        return
    tree = tree or await read_tree(box)
    if folders := {folder for path in paths for folder in parent_folders(path)}:
        await exec_or_raise(box, REMOVE_LINKS, sorted(folders))  # a folder comes before what is in it
    await exec_or_raise(box, REMOVE, paths)
    if known := [path for path in paths if tree.has(path)]:
        await exec_or_raise(box, CHECK_OUT, known)


async def restore_inline_tests(box: Sandbox, paths: Iterable[str]) -> None:
    """Bring the tests within these source files back to the base; the code around them stays."""
    for path in filter(may_hold_tests, paths):
        await box.exec(f"git show {BASE}:{shlex.quote(path)} >{BASE_FILE} 2>/dev/null || : >{BASE_FILE}")
        base = (await box.read(BASE_FILE)).decode("utf-8", "surrogateescape")
        await lay_inline(box, {path: extract_tests(base)})


async def exec_or_raise(box: Sandbox, command: str, names: Sequence[str] = ()) -> str:
    """What a command prints that cannot fail unless the box is broken; it gets the names on its standard input, with a
    NUL behind each. SandboxError when it fails."""
    return output_or_raise(await box.exec(command, stdin=b"".join(os.fsencode(name) + b"\0" for name in names)))


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


async def _restore_settings(box: Sandbox, tree: AttemptTree, path: str) -> bool:
    """Bring the settings of the test run in this file back to the base, and with them the whole file where they cannot
    be told from the rest. Whether anything had to be brought back."""
    if not has_settings(path):
        return False
    base = (await read_base_files(box, [path]))[path] or ""
    try:
        now = (await box.read(path)).decode()
    except (OSError, ValueError):  # deleted, replaced by a folder, or no text
        await restore(box, [path], tree)
        return True
    if not settings_differ(path, now, base):
        return False
    merged = merge_settings(path, now, base)
    if merged is None:
        await restore(box, [path], tree)
    else:
        await box.write(path, merged.encode())
    return True
