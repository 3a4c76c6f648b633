"""Pull requests in a history: which commits of the main line belong to which, and what a bare one is told by."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from pipelines.swe.model import ChangedFile
from pipelines.swe.repository.changes import changed_files, files_from_rows
from pipelines.swe.repository.commits import Commit, main_line
from pipelines.swe.repository.messages import (
    SECURITY_MERGE,
    TITLE_NUMBER,
    Message,
    describe_commits,
    read_message,
    read_unnumbered,
)

HAND_MERGED_BRANCH = re.compile(
    r"Merge branch '(?!(?:main|master|develop|trunk|release|stable|v?\d)\b)[^']+'(?: into \S+)?\s*$", re.MULTILINE
)
"""What git writes over somebody's branch that was merged by hand, not over what keeps two main lines together."""
REBASE_WINDOW = timedelta(seconds=10)
"""Commits that one person rebased are written within moments of each other."""


@dataclass(frozen=True)
class PullCommits:
    """One pull request: a merge, a squash, or neighbouring commits of one number that were rebased."""

    message: Message
    commits: tuple[Commit, ...]
    """On the main line, newest first."""

    @property
    def base(self) -> str:
        return self.commits[-1].parents[0]

    @property
    def tip(self) -> str:
        return self.commits[0].id

    @property
    def head(self) -> Commit:
        return self.commits[0]

    @property
    def is_merge(self) -> bool:
        return len(self.head.parents) > 1

    @property
    def broken(self) -> str:
        return next((commit.broken for commit in self.commits if commit.broken), "")

    def files(self, repo: Path) -> tuple[ChangedFile, ...]:
        """What it changes. Only several commits have to be asked for together."""
        if len(self.commits) > 1 and not self.broken:
            return changed_files(repo, self.base, self.tip)
        return files_from_rows(self.head.raw, self.head.counts)


def find_pull_requests(repo: Path) -> Iterator[PullCommits]:
    """Every pull request of the main line, newest first."""
    open_: PullCommits | None = None
    for commit in main_line(repo):
        message = _pull_message(commit)
        if open_ and message and _continues(open_, message, commit):
            open_ = PullCommits(_join_messages(message, open_), (*open_.commits, commit))
            continue
        if open_:
            yield open_
        open_ = PullCommits(message, (commit,)) if message else None
    if open_:
        yield open_


def _pull_message(commit: Commit) -> Message | None:
    """What is said of the pull request; None for what its author put on the main line without one. A commit that
    somebody else put there was handed in, even where its message names no number."""
    if not commit.parents:
        return None
    handed_in = len(commit.parents) == 1 and commit.author.casefold() != commit.committer.casefold()
    known = handed_in or bool(SECURITY_MERGE.match(commit.message))
    found = read_message(commit.message, len(commit.parents)) or (read_unnumbered(commit.message) if known else None)
    return found or (
        Message(number=0, title="") if len(commit.parents) == 2 and HAND_MERGED_BRANCH.match(commit.message) else None
    )


def is_own_work(group: PullCommits, brought: Sequence[Commit]) -> bool:
    """Whether a branch that was merged by hand holds nothing but the work of whoever merged it, or carries pull
    requests that are known by their own numbers."""
    if not (group.is_merge and HAND_MERGED_BRANCH.match(group.head.message)) or group.message.number:
        return False
    others = [commit for commit in brought if commit.id != group.tip]
    carried = any(read_message(commit.message, len(commit.parents)) for commit in others)
    return carried or all(commit.author.casefold() == group.head.author.casefold() for commit in others)


def _continues(group: PullCommits, message: Message, commit: Commit) -> bool:
    """Whether an older neighbour was rebased together with these: merges stand for themselves."""
    if group.is_merge or len(commit.parents) != 1 or message.number != group.message.number:
        return False
    return bool(message.number) or _is_rebased_together(commit, group.commits[-1])


def _is_rebased_together(one: Commit, other: Commit) -> bool:
    """Whether two commits without a number are one person's, brought in at once by another."""
    apart = datetime.fromisoformat(other.date) - datetime.fromisoformat(one.date)
    return (one.author, one.committer) == (other.author, other.committer) and abs(apart) <= REBASE_WINDOW


def _join_messages(first: Message, group: PullCommits) -> Message:
    """The oldest commit gives the title; the others are text."""
    said = [first.body, f"{group.message.title}\n\n{group.message.body}"]
    labels = tuple(dict.fromkeys(first.labels + group.message.labels))
    issue = first.issue or group.message.issue
    return first.model_copy(
        update={"body": "\n\n".join(filter(None, map(str.strip, said))), "labels": labels, "issue": issue}
    )


def with_commit_texts(message: Message, brought: Sequence[Commit]) -> Message:
    """A merge with no text of its own is told by the commits it brings."""
    if message.body or message.issue or not brought:
        return message
    said = describe_commits([commit.message for commit in reversed(brought) if len(commit.parents) == 1])
    if not message.title:
        title, _, said = said.partition("\n")
        return message.model_copy(update={"title": title, "body": said.strip()})
    first, _, rest = said.partition("\n")
    said = rest if TITLE_NUMBER.sub("", first) == message.title else said
    return message.model_copy(update={"body": said.strip()})
