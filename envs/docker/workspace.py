"""What turns a shared image into one task's workspace: its patch, laid over the base and made the base."""

from __future__ import annotations

from crucible.box_patch import apply_command
from crucible.errors import SandboxError
from crucible.sandbox import Sandbox

LAY = """set -e
git update-index -q --refresh || true  # an image's files have other inodes than when they were committed
{apply}
stamp=$(git log -1 --format=%ad --date=raw)
GIT_AUTHOR_DATE="$stamp" GIT_COMMITTER_DATE="$stamp" git commit -q --amend --no-edit --no-verify --allow-empty
rm -rf .git/logs .git/ORIG_HEAD
git repack -a -d -q
git prune --expire=now
"""


async def lay_patch(box: Sandbox, patch: str) -> None:
    """Apply the patch and amend the only commit, so that nothing but the base is in the history, nor among the objects:
    an image may be a later neighbour's, whose files hold the solution."""
    if patch:
        apply = await apply_command(box, patch.encode(errors="surrogateescape"), "--index")
        done = await box.exec(LAY.format(apply=apply), timeout=60)
        if not done.ok:
            raise SandboxError(f"the task's patch does not apply to its image: {done.err.strip()[-300:]}")
