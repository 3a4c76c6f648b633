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
    """What a scan leaves of a pull request."""

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
    mine = Counter(changes.changed_lines(pull.patch + pull.test_patch))
    with origins.open_repository(pull.origin) as repo:
        for trace in _trace_history(repo, _head(repo)):
            if not _is_earlier(trace, pull) or trace.tip == pull.merge_commit or not trace.names & names:
                continue
            if size * share <= trace.size <= size / share and (alike := _shared_lines(repo, trace, mine)) >= share:
                return Twin(trace.number, alike)
    return None


def _is_earlier(trace: PullTrace, pull: PullRequest) -> bool:
    """Whatever has a number comes before what has none."""
    return bool(trace.number) and (not pull.number or trace.number < pull.number)


def _shared_lines(repo: Path, trace: PullTrace, mine: Counter[str]) -> float:
    try:
        theirs = Counter(changes.changed_lines(to_text(changes.read_patch(repo, trace.base, trace.tip))))
    except GitFailed:  # an object is missing: nothing to compare with
        return 0.0
    either = (mine | theirs).total()
    return (mine & theirs).total() / either if either else 0.0


def _head(repo: Path) -> str:
    return git(repo, "rev-parse", "HEAD").decode().strip()


@lru_cache(maxsize=4)
def _trace_history(repo: Path, head: str) -> tuple[PullTrace, ...]:
    """Every pull request of the history, by number. One that cannot be read to its end is read as far as it goes."""
    found: list[PullTrace] = []
    with suppress(GitFailed):
        found.extend(_trace(group) for group in find_pull_requests(repo) if not group.broken)
    return tuple(sorted(found, key=lambda trace: (trace.number, trace.tip)))


def _trace(group: PullCommits) -> PullTrace:
    counts = [pair for commit in group.commits for pair in commit.counts.items()]
    size = sum(int(one) for _, row in counts for one in row if one.isdigit())
    names = frozenset(PurePosixPath(to_text(path)).name for path, _ in counts)
    return PullTrace(group.message.number, group.base, group.tip, size, names)
