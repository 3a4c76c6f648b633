"""Scanning a history against `git log --numstat` over the same range: `python -m benchmarks.history [PATH]`.

Both go over the repository in turns, so that a busy machine slows both alike. Without a path a repository is made.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.table import Table

from pipelines.swe.repository.git import git, git_environment, run_git
from pipelines.swe.sources.clone import read_pulls, scan_batches

ROUNDS = 5
"""How often each scan is timed."""
COMMITS = 3000
"""Commits of the repository that is made."""
FILES = 200
"""Source files of the repository that is made."""
MIT = 'Permission is hereby granted, free of charge, to any person obtaining a copy\nThe software is provided "as is"\n'


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        repo = Path(sys.argv[1]) if len(sys.argv) > 1 else make_repository(Path(folder, "made.git"))
        pull_requests = list(read_pulls(repo, "benchmark"))
        scan, whole, numstat = measure_in_turns(
            lambda: list(scan_batches(repo, "benchmark")),
            lambda: list(read_pulls(repo, "benchmark")),
            lambda: run_numstat(repo),
        )
        commits = len(git(repo, "rev-list", "--first-parent", "HEAD").split())
    with_patch = sum(bool(pull.patch) for pull in pull_requests)
    table = Table("what", "", "against", "", "ratio", "wanted", box=None)
    against = ("git log --numstat", f"{numstat:.2f} s")
    table.add_row(f"scan of {commits:,} commits", f"{scan:.2f} s", *against, f"{scan / numstat:.2f}", "at most 2")
    table.add_row(
        f"with {with_patch:,} of {len(pull_requests):,} patches",
        f"{whole:.2f} s",
        *against,
        f"{whole / numstat:.2f}",
        "",
    )
    Console().print(table)


def measure_in_turns(*works: Callable[[], object]) -> list[float]:
    """The median seconds of each piece of work, timed in turns."""
    seconds: list[list[float]] = [[] for _ in works]
    for _ in range(ROUNDS):
        for place, work in enumerate(works):
            start = time.perf_counter()
            work()
            seconds[place].append(time.perf_counter() - start)
    return [statistics.median(each) for each in seconds]


def run_numstat(repo: Path) -> None:
    """What the scan is compared with."""
    command = ["git", "-C", str(repo), "log", "--first-parent", "-m", "--numstat", "HEAD"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=git_environment(repo))


def make_repository(repo: Path) -> Path:
    """Make a repository of squashed commits, a fifth of which change source and tests."""
    run_git(("init", "-q", "--bare", "--initial-branch=main", str(repo)), git_environment(repo))
    stream = [f"blob\nmark :1\ndata {len(MIT)}\n{MIT}"]
    for number in range(1, COMMITS + 1):
        place = number % FILES
        names = [f"lib/part{place}.py"] + ([f"tests/test_part{place}.py"] if number % 5 == 0 else [])
        text = "".join(f"line_{line} = {line + number * (line % 7 == place % 7)}\n" for line in range(120))
        message = f"Change part {place} so that line {number} is right (#{number})\n\nIt was wrong before.\n"
        stream.append(f"commit refs/heads/main\ncommitter A <a@x> {1_700_000_000 + number} +0000\n")
        stream.append(f"data {len(message)}\n{message}")
        stream += ["M 100644 :1 LICENSE\n"] if number == 1 else []
        stream += [f"M 100644 inline {name}\ndata {len(text)}\n{text}\n" for name in names]
    git(repo, "fast-import", "--quiet", data="".join(stream).encode())
    return repo


if __name__ == "__main__":
    main()
