"""Commit messages as the forges write them: the number, the title, the text, the issue, the labels.

How each forge writes is a row of `messages.toml`; nothing else is taken for a pull request.
"""

from __future__ import annotations

import re
from functools import cache, cached_property
from pathlib import Path
from typing import Literal

from crucible.datafile import read_row, read_rows
from crucible.record import Record
from pipelines.swe.repository import templates

MESSAGE_RULES = Path(__file__).with_name("messages.toml")
"""How each forge writes, and what is cut out of a text."""

TRAILER = re.compile(r"([A-Z][A-Za-z-]*): (.+)")  # matches: Labels: bug, search
ISSUE_HEADING = re.compile(r"^Issue #\d+: ", re.MULTILINE)  # matches the start of: Issue #12: Ranges are not found
BULLET = re.compile(r"[*-] +")  # matches the start of: * Fix typo
SECURITY_MERGE = re.compile(r"Merge commit from fork|Merge pull request from GHSA(?:-\w{4}){3}")
# matches: Merge pull request from GHSA-4p3x-8qw9-j24f
"""What GitHub writes over the fix of a security advisory, whose pull request nobody may see."""
TITLE_NUMBER = re.compile(r" \((?:#|!)\d{1,9}\)$")  # matches the end of: Find quoted phrases (#12)


class Message(Record):
    """What a commit message says of a pull request."""

    number: int
    """0 where none is named."""
    title: str
    body: str = ""
    issue: str = ""
    labels: tuple[str, ...] = ()


class MessageShape(Record):
    """One row of `messages.toml`: how a forge writes the message of a pull request."""

    forge: str
    on: Literal["merge", "single", "any"]
    subject: str
    text: str = ""

    def read(self, subject: str, text: str) -> Message | None:
        """What the message says, when it has this shape."""
        head = self._head.fullmatch(subject)
        tail = self._tail.search(text) if head and self.text else None
        if not head or (self.text and not tail):
            return None
        parts = head.groupdict() | (tail.groupdict() if tail else {})
        if tail:
            text = text[: tail.start()] + text[tail.end() :]
        if "title" not in parts:
            parts["title"], _, text = text.strip().partition("\n")
        return _build_message(int(parts["number"]), TITLE_NUMBER.sub("", parts["title"].strip()), text)

    @cached_property
    def _head(self) -> re.Pattern[str]:
        return re.compile(self.subject)

    @cached_property
    def _tail(self) -> re.Pattern[str]:
        return re.compile(self.text)


class Cleaning(Record):
    """The table `cleaning` of `messages.toml`."""

    noise: tuple[str, ...]
    idle: tuple[str, ...]


@cache
def message_shapes(on: Literal["merge", "single"]) -> tuple[MessageShape, ...]:
    """The shapes in which forges write merges, or commits with one parent; the first that fits is taken."""
    return tuple(shape for shape in read_rows(MESSAGE_RULES, "shapes", MessageShape) if shape.on in (on, "any"))


@cache
def _noise_expression() -> re.Pattern[str]:
    return re.compile("|".join(read_row(MESSAGE_RULES, "cleaning", Cleaning).noise), re.IGNORECASE)


@cache
def _idle_expression() -> re.Pattern[str]:
    return re.compile("|".join(read_row(MESSAGE_RULES, "cleaning", Cleaning).idle), re.IGNORECASE)


def read_message(message: str, parents: int) -> Message | None:
    """What a commit message says of a pull request; None when it names none."""
    subject, text = (part.strip() for part in message.strip().partition("\n")[::2])
    messages = (shape.read(subject, text) for shape in message_shapes("merge" if parents > 1 else "single"))
    return next((message for message in messages if message), None)


def read_unnumbered(message: str) -> Message:
    """What a commit message says of a change that was brought in without naming its pull request."""
    subject, _, text = message.strip().partition("\n")
    if SECURITY_MERGE.fullmatch(subject.strip()):
        subject, _, text = clean_text(text).removeprefix("* ").partition("\n")
    return _build_message(0, subject.strip(), text)


def clean_text(text: str) -> str:
    """The text without the project's template, the bookkeeping of forges, and commits that say nothing."""
    lines = [line.rstrip() for line in templates.cut_template(text.strip()).splitlines()]
    kept = [line for line in lines if not _noise_expression().fullmatch(line.strip()) and not _is_idle_bullet(line)]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(templates.drop_empty_headings(kept))).strip()


def describe_commits(messages: list[str]) -> str:
    """What the messages of a branch's commits say, oldest first: all the text that a merge without its own has."""
    texts = [clean_text(_split_trailers(message.strip())[0]) for message in messages]
    return "\n\n".join(dict.fromkeys(text for text in texts if text and not _idle_expression().fullmatch(text)))


def _is_idle_bullet(line: str) -> bool:
    """Whether the line is an entry of a squash's list of commits that tells nothing."""
    bullet = BULLET.match(line)
    return bool(bullet and _idle_expression().fullmatch(line[bullet.end() :].strip()))


def _build_message(number: int, title: str, text: str) -> Message:
    text, trailers = _split_trailers(text.strip())
    heading = ISSUE_HEADING.search(text)
    body, issue = (text[: heading.start()], text[heading.end() :]) if heading else (text, "")
    labels = tuple(label.strip() for label in trailers.get("Labels", "").split(",") if label.strip())
    body = f"{clean_text(body)}\n".removeprefix(f"{title}\n").strip()  # a squash of one commit says its title twice
    return Message(number=number, title=title, body=body, issue=issue.strip(), labels=labels)


def _split_trailers(text: str) -> tuple[str, dict[str, str]]:
    """The text without its trailers, and the trailers by name: the last paragraph, when each of its lines is one."""
    before, _, last = text.rpartition("\n\n")
    trailers = [TRAILER.fullmatch(line.strip()) for line in last.splitlines()]
    if not trailers or not all(trailers):
        return text, {}
    return before, {trailer[1]: trailer[2] for trailer in trailers if trailer}
