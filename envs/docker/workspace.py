"""Turns a box of a shared image into one task's workspace: the task's patch becomes part of the only commit."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from crucible.box_patch import apply_command
from crucible.errors import SandboxError
from crucible.sandbox import Sandbox

AMEND_SCRIPT = """set -e
git update-index -q --refresh || true  # an image's files have other inodes than when they were committed
{changes}
stamp=$(git log -1 --format=%ad --date=raw)
GIT_AUTHOR_DATE="$stamp" GIT_COMMITTER_DATE="$stamp" git commit -q --amend --no-edit --no-verify --allow-empty
rm -rf .git/logs .git/ORIG_HEAD
git repack -a -d -q
git prune --expire=now
"""


async def make_workspace(box: Sandbox, patch: str, files: Sequence[str] = ()) -> None:
    """Apply the task's patch, add the laid files that are below the workdir, and amend the only commit, so that neither
    history nor objects of git hold anything else: the image may be made of a later change, whose files hold the
    solution."""
    changes = [await apply_command(box, patch.encode(errors="surrogateescape"), "--index")] if patch else []
    below = [shlex.quote(path) for path in files if not path.startswith("/")]
    changes += [f"git add -f -- {' '.join(below)}"] if below else []
    if changes:
        done = await box.exec(AMEND_SCRIPT.format(changes="\n".join(changes)), timeout=300)
        if not done.ok:
            raise SandboxError(f"the task's patch does not apply to its image: {done.err.strip()[-300:]}")
