"""A program that tells what the git repositories below a folder hold, as JSON: what `repositories.py` reads.

It is run in the box where the scenes lie, with Python's standard library alone. What it prints are facts with git's own
hashes; which of them count is decided by the reader.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

MOST_REPOSITORIES = 40
GIT = ("git", "-c", "core.fsmonitor=false", "-c", "core.quotePath=false", "-c", "log.showSignature=false")
"""Settings of the repository that would run a program of somebody's are put out of use."""
REF = "%(refname)%00%(objecttype)%00%(objectname)%00%(*objectname)%00%(contents:subject)"
COMMIT = "%x01%H%x02%P%x02%T%x02%an <%ae>%x02%B"
UNFINISHED = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "BISECT_LOG", "rebase-merge", "rebase-apply")


def main(folder: str) -> None:
    """Print the facts of every repository, by its path below the folder."""
    places = sorted(str(path.parent) for path in Path(folder).rglob(".git"))[:MOST_REPOSITORIES]
    facts = {os.path.relpath(place, folder): describe(place) for place in places}
    print(json.dumps(facts))


def describe(place: str) -> dict[str, list[str]]:
    """What one repository holds."""
    stashes = ask(place, "stash", "list", "--format=%H").split()
    head = ask(place, "rev-parse", "-q", "--verify", "HEAD").split()
    log = ask(place, "log", "--all", *head, *stashes, "--topo-order", "--reverse", f"--format={COMMIT}")
    folder = Path(place, ask(place, "rev-parse", "--git-dir").strip())
    return {
        "head": (ask(place, "symbolic-ref", "-q", "HEAD").split() or head),
        "refs": ask(place, "for-each-ref", f"--format={REF}").splitlines(),
        "stashes": stashes,
        "commits": log.split("\x01")[1:],
        "index": ask(place, "ls-files", "-s").splitlines(),
        "status": ask(place, "status", "--porcelain", "--ignored").splitlines(),
        "settings": ask(place, "config", "--local", "--list").splitlines(),
        "unfinished": [name for name in UNFINISHED if (folder / name).exists()],
    }


def ask(place: str, *arguments: str) -> str:
    """What git prints; nothing where it fails."""
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C.UTF-8"}
    done = subprocess.run([*GIT, "-C", place, *arguments], capture_output=True, env=environment, check=False)
    return done.stdout.decode(errors="replace") if done.returncode == 0 else ""


if __name__ == "__main__":
    main(sys.argv[1])
