"""What turns a shared image into one task's workspace: its patch, laid over the base and made the base."""

from __future__ import annotations

from crucible.errors import SandboxError
from crucible.sandbox import Sandbox

PATCH = "/tmp/.crucible/base.patch"

LAY = f"""set -e
git update-index -q --refresh || true  # an image's files have other inodes than when they were committed
git apply --index --whitespace=nowarn {PATCH}
stamp=$(git log -1 --format=%ad --date=raw)
GIT_AUTHOR_DATE="$stamp" GIT_COMMITTER_DATE="$stamp" git commit -q --amend --no-edit --no-verify --allow-empty
rm -rf .git/logs .git/ORIG_HEAD
rm -f {PATCH}
"""


async def lay_patch(box: Sandbox, patch: str) -> None:
    """Apply the patch and amend the only commit, so that nothing but the base is in the history."""
    if patch:
        await box.write(PATCH, patch.encode(errors="surrogateescape"))
        done = await box.exec(LAY, timeout=60)
        if not done.ok:
            raise SandboxError(f"the task's patch does not apply to its image: {done.err.strip()[-300:]}")
