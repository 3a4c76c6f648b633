"""Near-duplicates among a repository's own pull requests: applied again, back-ported, landed twice.

The earlier number wins whatever the order in which they come: the history of the clone is asked, not what this
process happens to have seen. Two changes that share four lines of five are of about one size, so the sizes that a
scan gives anyway leave few to compare, and those are compared exactly; no sketch is needed.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath

from pipelines.swe.model import PullRequest
from pipelines.swe.repository import changes, origins
from pipelines.swe.repository.git import GitFailed, git, to_text
from pipelines.swe.repository.pull_requests import PullCommits, find_pull_requests

MIN_LINES = 6
"""Changes of fewer lines are alike by chance: a raised version, a renamed word."""


@dataclass(frozen=True)
class Twin:
    """An earlier pull request with the same change."""

    number: int
    share: float


@dataclass(frozen=True)
class PullTrace:
    """What a scan of the history tells of a pull request."""

    number: int
    base: str
    tip: str
    size: int
    names: frozenset[str]


def find_earlier_twin(pull: PullRequest, share: float) -> Twin | None:
    """The first pull request before this one that changes nearly the same lines."""
    size = sum(file.added + file.removed for file in pull.files)
    if size < MIN_LINES or not pull.patch or not pull.origin:
        return None
    names = {PurePosixPath(file.path).name for file in pull.files if file.sort == "source"}
    lines = Counter(changes.changed_lines(pull.patch + pull.test_patch))
    with origins.open_repository(pull.origin) as repo:
        head = git(repo, "rev-parse", "HEAD").decode().strip()
        for trace in _trace_history(repo, head):
            if not _is_earlier(trace, pull) or trace.tip == pull.merge_commit or not trace.names & names:
                continue
            if size * share <= trace.size <= size / share and (shared := _shared_share(repo, trace, lines)) >= share:
                return Twin(trace.number, shared)
    return None


def _is_earlier(trace: PullTrace, pull: PullRequest) -> bool:
    """Whether a pull request of the history comes before another one; what has no number comes after all others."""
    return bool(trace.number) and (not pull.number or trace.number < pull.number)


def _shared_share(repo: Path, trace: PullTrace, lines: Counter[str]) -> float:
    """Which share of their changed lines two pull requests have in common."""
    try:
        theirs = Counter(changes.changed_lines(to_text(changes.read_patch(repo, trace.base, trace.tip))))
    except GitFailed:  # an object is missing: nothing to compare with
        return 0.0
    total = (lines | theirs).total()
    return (lines & theirs).total() / total if total else 0.0


@lru_cache(maxsize=4)
def _trace_history(repo: Path, head: str) -> tuple[PullTrace, ...]:
    """Every pull request of the history, by number. A history that cannot be read to its end is read as far as it
    goes; `head` is its newest commit, by which the traces are cached."""
    traces: list[PullTrace] = []
    with suppress(GitFailed):
        traces.extend(_trace(pull) for pull in find_pull_requests(repo) if not pull.broken)
    return tuple(sorted(traces, key=lambda trace: (trace.number, trace.tip)))


def _trace(pull: PullCommits) -> PullTrace:
    rows = [row for commit in pull.commits for row in commit.counts.items()]
    size = sum(int(count) for _, counts in rows for count in counts if count.isdigit())
    names = frozenset(PurePosixPath(to_text(path)).name for path, _ in rows)
    return PullTrace(pull.message.number, pull.base, pull.tip, size, names)
