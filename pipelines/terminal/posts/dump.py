"""Threads out of a Stack Exchange dump, or out of answers of the API."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from crucible.errors import SettingsError
from pipelines.terminal.model import Answer, Thread
from pipelines.terminal.posts.index import IndexedThread
from pipelines.terminal.posts.licences import licence_of
from pipelines.terminal.posts.rows import BrokenRow, parse_row, split_tags


def site_of(path: Path) -> str:
    """The site that a dump is of, as its archive or its folder is called: `unix.stackexchange.com.7z`."""
    return path.stem if path.suffix == ".7z" else path.resolve().parent.name


def read_thread(site: str, indexed: IndexedThread) -> Thread:
    """The thread of a question's and its answers' rows; where the question's cannot be read it has a fault."""
    try:
        row = parse_row(indexed.question)
    except BrokenRow as broken:
        return Thread(site=site, number=indexed.number, fault=f"{broken}: {_begin_of(indexed.question)}")
    answers = sorted(_readable_answers(indexed.answers), key=lambda answer: (-answer.score, answer.number))
    return Thread(
        site=site,
        number=indexed.number,
        title=row.get("Title", ""),
        tags=tuple(split_tags(row.get("Tags", ""))),
        accepted=_number(row.get("AcceptedAnswerId")),
        answers=tuple(answers),
        **_common_fields(row),
    )


def read_broken_row(site: str, end: int, text: bytes) -> Thread:
    """The thread of a row that tells neither what it is nor its number."""
    return Thread(site=site, fault=f"no Id or no PostTypeId, in the row that ends at byte {end}: {_begin_of(text)}")


def _begin_of(text: bytes) -> str:
    return text[:200].decode(errors="replace")


def _readable_answers(rows: list[bytes]) -> Iterator[Answer]:
    """The answers but for those whose rows are broken: the thread is judged by the others."""
    for text in rows:
        try:
            row = parse_row(text)
        except BrokenRow:
            continue
        yield Answer(number=_number(row.get("Id")), **_common_fields(row))


def _common_fields(row: Mapping[str, str]) -> dict[str, Any]:
    """What questions and answers have in common."""
    edited, created = row.get("LastEditDate", ""), row.get("CreationDate", "")
    return {
        "body": row.get("Body", ""),
        "score": _number(row.get("Score")),
        "author": row.get("OwnerDisplayName") or (f"user {row['OwnerUserId']}" if row.get("OwnerUserId") else ""),
        "created": created,
        "edited": edited,
        "licence": licence_of(row.get("ContentLicense", ""), edited or created),
    }


def _number(text: str | None) -> int:
    try:
        return int(text or 0)
    except ValueError:
        return 0


def read_api_file(path: Path) -> Iterator[Thread]:
    """The threads of a file with answers of the API; an entry that is no question is left out."""
    try:
        read = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as fault:
        raise SettingsError(f"{path} is no answer of the API: {fault}") from None
    entries = read.get("items") if isinstance(read, dict) else read
    if not isinstance(entries, list):
        raise SettingsError(f"{path} is no answer of the API: it has no list of items")
    for entry in entries:
        if isinstance(entry, dict) and entry.get("question_id"):
            yield _thread_of_entry(entry)


def _thread_of_entry(entry: Mapping[str, Any]) -> Thread:
    site = str(entry.get("link") or "").partition("://")[2].partition("/")[0]
    answers = [
        Answer(number=int(answer.get("answer_id") or 0), **_fields_of_entry(answer))
        for answer in entry.get("answers") or ()
        if isinstance(answer, dict)
    ]
    accepted = next((a.get("answer_id") for a in entry.get("answers") or () if a.get("is_accepted")), 0)
    return Thread(
        site=site or "stackexchange",
        number=int(entry["question_id"]),
        title=str(entry.get("title") or ""),
        tags=tuple(map(str, entry.get("tags") or ())),
        accepted=int(entry.get("accepted_answer_id") or accepted or 0),
        answers=tuple(sorted(answers, key=lambda answer: (-answer.score, answer.number))),
        **_fields_of_entry(entry),
    )


def _fields_of_entry(entry: Mapping[str, Any]) -> dict[str, Any]:
    created, edited = _day(entry.get("creation_date")), _day(entry.get("last_edit_date"))
    return {
        "body": str(entry.get("body") or ""),
        "score": int(entry.get("score") or 0),
        "author": str((entry.get("owner") or {}).get("display_name") or ""),
        "created": created,
        "edited": edited,
        "licence": licence_of(str(entry.get("content_license") or ""), edited or created),
    }


def _day(seconds: object) -> str:
    """A time of the API, seconds since 1970, as dumps write it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat()[:19] if isinstance(seconds, int) else ""
