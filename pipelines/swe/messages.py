"""Commit messages as merges and squashes write them: the number, the title, the text, the issue, the labels."""

from __future__ import annotations

import re

from crucible.record import Record

MERGE = re.compile(r"Merge pull request #(\d{1,9}) from \S+")
SQUASH = re.compile(r"(.+?) \(#(\d{1,9})\)")
TRAILER = re.compile(r"([A-Z][A-Za-z-]*): (.+)")
ISSUE = re.compile(r"^Issue #\d+: ", re.MULTILINE)


class Message(Record):
    """What a commit message says of a pull request."""

    number: int
    title: str
    body: str = ""
    issue: str = ""
    labels: tuple[str, ...] = ()


def of_merge(text: str) -> Message | None:
    """A merge commit's message; None when it names no pull request."""
    subject, _, rest = text.strip().partition("\n")
    found = MERGE.fullmatch(subject.strip())
    if not found:
        return None
    title, _, body = rest.strip().partition("\n")
    return _message(int(found[1]), title.strip(), body)


def of_squash(text: str) -> Message | None:
    """A squashed commit's message; None when it names no pull request."""
    subject, _, body = text.strip().partition("\n")
    found = SQUASH.fullmatch(subject.strip())
    return _message(int(found[2]), found[1], body) if found else None


def _message(number: int, title: str, text: str) -> Message:
    text, trailers = _without_trailers(text.strip())
    found = ISSUE.search(text)
    body, issue = (text[: found.start()], text[found.end() :]) if found else (text, "")
    labels = tuple(label.strip() for label in trailers.get("Labels", "").split(",") if label.strip())
    return Message(number=number, title=title, body=body.strip(), issue=issue.strip(), labels=labels)


def _without_trailers(text: str) -> tuple[str, dict[str, str]]:
    """Trailers are the last paragraph, when each of its lines is one."""
    before, _, last = text.rpartition("\n\n")
    found = [TRAILER.fullmatch(line.strip()) for line in last.splitlines()]
    if not found or not all(found):
        return text, {}
    return before, {match[1]: match[2] for match in found if match}
