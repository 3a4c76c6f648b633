"""Pull requests in a history: which commits of the main line belong to which, and what is said of each."""

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
)  # matches: Merge branch 'quoted-phrases' into main
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
        """The files that the pull request changes; git is asked again only where several commits are one change."""
        if len(self.commits) > 1 and not self.broken:
            return changed_files(repo, self.base, self.tip)
        return files_from_rows(self.head.raw, self.head.counts)


def find_pull_requests(repo: Path) -> Iterator[PullCommits]:
    """Every pull request of the main line, newest first."""
    newest: PullCommits | None = None
    for commit in main_line(repo):
        message = _pull_message(commit)
        if newest and message and _continues(newest, message, commit):
            newest = PullCommits(_join_messages(message, newest), (*newest.commits, commit))
            continue
        if newest:
            yield newest
        newest = PullCommits(message, (commit,)) if message else None
    if newest:
        yield newest


def _pull_message(commit: Commit) -> Message | None:
    """What a commit says of its pull request; None where its author put it on the main line without one. A commit that
    somebody else put there was handed in, even where its message names no number."""
    if not commit.parents:
        return None
    if numbered := read_message(commit.message, len(commit.parents)):
        return numbered
    handed_in = len(commit.parents) == 1 and commit.author.casefold() != commit.committer.casefold()
    if handed_in or SECURITY_MERGE.match(commit.message):
        return read_unnumbered(commit.message)
    merges_branch = len(commit.parents) == 2 and HAND_MERGED_BRANCH.match(commit.message)
    return Message(number=0, title="") if merges_branch else None


def is_own_work(pull: PullCommits, brought: Sequence[Commit]) -> bool:
    """Whether a branch that was merged by hand holds nothing but the work of whoever merged it, or carries pull
    requests that are known by their own numbers."""
    if not (pull.is_merge and HAND_MERGED_BRANCH.match(pull.head.message)) or pull.message.number:
        return False
    others = [commit for commit in brought if commit.id != pull.tip]
    carries_pulls = any(read_message(commit.message, len(commit.parents)) for commit in others)
    return carries_pulls or all(commit.author.casefold() == pull.head.author.casefold() for commit in others)


def _continues(pull: PullCommits, message: Message, commit: Commit) -> bool:
    """Whether an older neighbour was rebased together with the commits of a pull request. Merges stand for
    themselves."""
    if pull.is_merge or len(commit.parents) != 1 or message.number != pull.message.number:
        return False
    return bool(message.number) or _is_rebased_together(commit, pull.commits[-1])


def _is_rebased_together(older: Commit, newer: Commit) -> bool:
    """Whether two commits without a number are one person's, brought in at once by another."""
    apart = datetime.fromisoformat(newer.date) - datetime.fromisoformat(older.date)
    return (older.author, older.committer) == (newer.author, newer.committer) and abs(apart) <= REBASE_WINDOW


def _join_messages(oldest: Message, pull: PullCommits) -> Message:
    """The message of a pull request that an older commit belongs to as well: that one gives the title, the messages of
    the others become text."""
    texts = [oldest.body, f"{pull.message.title}\n\n{pull.message.body}"]
    labels = tuple(dict.fromkeys(oldest.labels + pull.message.labels))
    issue = oldest.issue or pull.message.issue
    return oldest.model_copy(
        update={"body": "\n\n".join(filter(None, map(str.strip, texts))), "labels": labels, "issue": issue}
    )


def with_commit_texts(message: Message, brought: Sequence[Commit]) -> Message:
    """The message of a merge; where it has no text of its own, with the messages of the commits it brings as text."""
    if message.body or message.issue or not brought:
        return message
    text = describe_commits([commit.message for commit in reversed(brought) if len(commit.parents) == 1])
    first, _, rest = text.partition("\n")
    if not message.title:
        return message.model_copy(update={"title": first, "body": rest.strip()})
    body = rest if TITLE_NUMBER.sub("", first) == message.title else text
    return message.model_copy(update={"body": body.strip()})
