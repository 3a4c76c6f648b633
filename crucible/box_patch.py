"""Applying a git patch to the workdir of a box."""

from __future__ import annotations

import base64

from crucible.sandbox import Done, Sandbox

INLINE_BYTES = 60_000
"""A patch of at most so many bytes travels within the command that applies it."""
PATCH_FILE = "/tmp/.crucible/change.patch"
APPLY_SECONDS = 300.0


REMOVE_UNTRACKED = f"""names=$(mktemp -d) && git ls-files -z | sort -z >$names/tracked &&
git apply --numstat -z {PATCH_FILE} | cut -z -f3- | sort -z >$names/patched &&
comm -z -13 $names/tracked $names/patched | xargs -0 rm -rf -- && rm -rf $names"""
"""Removes the files that a patch adds, where the image has some of the same names."""


async def apply_patch(box: Sandbox, patch: bytes, *, over_untracked: bool = False) -> Done:
    """Apply a git patch to the workdir. With `over_untracked` it may add files where others lie that git does not
    track: who no longer ignores what a build left has that in the patch too."""
    done = await box.exec(await apply_command(box, patch), timeout=APPLY_SECONDS)
    if done.ok or not over_untracked:
        return done
    await box.write(PATCH_FILE, patch)
    await box.exec(REMOVE_UNTRACKED, timeout=APPLY_SECONDS)
    return await box.exec(await apply_command(box, patch), timeout=APPLY_SECONDS)


async def apply_command(box: Sandbox, patch: bytes, options: str = "") -> str:
    """The shell command that applies a git patch; a large patch is copied into the box first."""
    command = f"git apply --whitespace=nowarn {options}"
    if len(patch) <= INLINE_BYTES:
        return pipe_command(f"{command} -", patch)
    await box.write(PATCH_FILE, patch)
    return f"{command} {PATCH_FILE} && rm -f {PATCH_FILE}"


def pipe_command(command: str, data: bytes) -> str:
    """A shell command that gets these bytes on its standard input."""
    return f"base64 -d <<'END' | {command}\n{base64.b64encode(data).decode()}\nEND"
