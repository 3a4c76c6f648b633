"""What the pipeline passes along: pull requests, then candidates with a route and an environment, then built tasks."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from crucible.domains.code.inline_tests import extract_tests
from crucible.domains.code.suite import Suite
from crucible.mining import Route
from crucible.model import Task
from crucible.record import Record
from crucible.sandbox import Env

Sort = Literal["vendored", "generated", "lock", "test", "doc", "source", "other"]

CHANGELOG_HEAD = "From the changelog:"
"""The line of a statement after which the changelog's entry stands."""


class ChangedFile(Record):
    """One file of a pull request."""

    path: str
    status: Literal["added", "modified", "deleted"]
    added: int = 0
    removed: int = 0
    binary: bool = False
    sort: Sort = "other"
    special: Literal["", "submodule", "link"] = ""
    """What the path is, before the change or after it, where it is no plain file."""
    holds_tests: bool = False
    """A source file with tests in it, which the change adds to or alters."""


class PullRequest(Record):
    """One merged change, as its repository's history tells it."""

    repo: str
    number: int
    """0 where the history does not tell it: a change that was rebased onto the main line."""
    title: str
    body: str = ""
    issue: str = ""
    """The text of the linked issue, title first; empty when there is none."""
    changelog: str = ""
    """The entry that the change adds to the project's changelog, where the text is short: it tells users what is
    different, not how it was done."""
    author: str = ""
    labels: tuple[str, ...] = ()
    merged: bool = True
    merged_at: str = ""
    base_commit: str
    """The state of the main line before the change."""
    merge_commit: str
    """The state of the main line with the change."""
    commits: tuple[str, ...] = ()
    """Every commit that came with the change: none of them may be named in the statement."""
    files: tuple[ChangedFile, ...] = ()
    patch: str = ""
    """Everything that the change does but to the tests."""
    test_patch: str = ""
    """What the change does to the tests."""
    unreadable: str = ""
    """Why the patches are not here as text, if they are not."""
    licence: str = ""
    """The SPDX name, empty when it was not recognised."""
    url: str = ""
    origin: str
    """The clone it was read from."""
    held_against: tuple[str, ...] = ()
    """The lists of benchmark instances that it is not on."""

    @property
    def id(self) -> str:
        return f"{self.repo}#{self.number}" if self.number else f"{self.repo}@{self.merge_commit[:10]}"

    @property
    def statement(self) -> str:
        """What is wrong: the text of the issue where there is one, which was written before the fix was known."""
        text = (self.issue or f"{self.title}\n\n{self.body}").strip()
        return f"{text}\n\n{CHANGELOG_HEAD}\n\n{self.changelog}".strip() if self.changelog else text

    @property
    def lines(self) -> int:
        return sum(file.added + file.removed for file in self.files)


class Candidate(Record):
    """A pull request on its way to a task."""

    pull: PullRequest
    route: Route
    env: Env = Env()
    suite: Suite = Suite()
    repair_rounds: int = 0
    """How often the environment's recipe had to be mended before its tests ran."""

    @property
    def id(self) -> str:
        return self.pull.id


class Overlay(Record):
    """Test files to write, by path, and test files to remove."""

    tests: dict[str, str] = Field(default_factory=dict)
    data: dict[str, str] = Field(default_factory=dict)
    """Test files that are no text, in base64."""
    inline: dict[str, str] = Field(default_factory=dict)
    """Source files with tests in them, as they are once the change is merged: only their tests are taken over."""
    deleted: tuple[str, ...] = ()

    @property
    def texts(self) -> dict[str, str]:
        """All tests that are text, by path; of a source file no more than its tests."""
        return {**self.tests, **{path: extract_tests(text) for path, text in self.inline.items()}}


class Statement(Record):
    """What a solver is told: as its author wrote it, and as it stands after the statement stage."""

    before: str
    after: str = ""
    """Empty while nobody has changed it."""
    by: str = ""
    """Who changed it: `rules`, or rules and a model."""
    why: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return self.after or self.before


class Built(Record):
    """A candidate with a reward: a draft task, and what it was made from."""

    candidate: Candidate
    task: Task
    """The draft. Its instruction holds the statement; `instructions.write_instruction` writes it anew from another."""
    tests: Overlay = Overlay()
    fail_to_pass: tuple[str, ...] = ()
    statement: Statement
    tells_expected: bool = False
    """What the tests expect is told however long the statement is: it speaks of something else."""

    @property
    def id(self) -> str:
        return self.task.id
