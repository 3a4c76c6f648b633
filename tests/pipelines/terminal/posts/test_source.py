"""Threads out of dumps and of the API's answers: whole, in order, whatever the file looks like."""

from __future__ import annotations

import io
import json
import subprocess
from pathlib import Path
from xml.sax.saxutils import quoteattr

import pytest

from crucible.errors import SettingsError
from pipelines.terminal.model import Thread
from pipelines.terminal.posts import rows
from pipelines.terminal.posts.index import open_index
from pipelines.terminal.posts.rows import RawRow, read_rows
from pipelines.terminal.posts.source import find_dump, read_threads


def row(number: int, kind: int, **fields: object) -> str:
    """One row as a dump has it."""
    attributes = {"Id": number, "PostTypeId": kind, **fields}
    return "  <row " + " ".join(f"{name}={quoteattr(str(value))}" for name, value in attributes.items()) + " />\r\n"


def question(number: int, accepted: int = 0, tags: str = "<bash>", **fields: object) -> str:
    shown = {"Body": "<p>How?</p>", "Title": "How", "CreationDate": "2015-01-01T00:00:00.000"} | fields
    return row(number, 1, **({"AcceptedAnswerId": accepted} if accepted else {}), Tags=tags, Score=3, **shown)


def answer(number: int, parent: int, **fields: object) -> str:
    shown = {"Body": "<pre><code>ls</code></pre>", "CreationDate": "2015-01-02T00:00:00.000", "Score": 1} | fields
    return row(number, 2, ParentId=parent, **shown)


def write_dump(folder: Path, *lines: str) -> Path:
    path = folder / "unix.example.com" / "Posts.xml"
    path.parent.mkdir(parents=True, exist_ok=True)
    text = '\ufeff<?xml version="1.0" encoding="utf-8"?>\r\n<posts>\r\n' + "".join(lines) + "</posts>\r\n"
    path.write_bytes(text.encode())
    return path


def threads_of(path: Path, folder: Path) -> list[Thread]:
    return list(read_threads(path, folder / "index"))


def test_answers_join_their_question_wherever_they_stand(tmp_path: Path) -> None:
    path = write_dump(tmp_path, answer(9, 5), question(5, 12), question(6), answer(11, 6), answer(12, 5, Score=8))
    first, second = threads_of(path, tmp_path)
    assert (first.id, [each.number for each in first.answers]) == ("unix.example.com-5", [12, 9])
    assert first.accepted_answer is not None
    assert [each.number for each in second.answers] == [11]
    assert second.accepted_answer is None


def test_an_accepted_answer_that_was_deleted_is_none(tmp_path: Path) -> None:
    [thread] = threads_of(write_dump(tmp_path, question(5, 99), answer(6, 5)), tmp_path)
    assert (thread.accepted, thread.accepted_answer) == (99, None)


def test_tags_are_read_in_both_spellings_and_others_are_left(tmp_path: Path) -> None:
    path = write_dump(
        tmp_path, question(1, tags="<sed><awk>"), question(2, tags="|sed|awk|"), question(3, tags="<css>")
    )
    assert [thread.tags for thread in threads_of(path, tmp_path)] == [("sed", "awk"), ("sed", "awk")]


def test_the_licence_is_the_stated_one_or_that_of_the_day(tmp_path: Path) -> None:
    days = ("2010-03-01", "2012-03-01", "2019-03-01")
    path = write_dump(
        tmp_path,
        *(question(number, CreationDate=f"{day}T00:00:00.000") for number, day in enumerate(days, start=1)),
        question(4, CreationDate="2010-03-01T00:00:00.000", LastEditDate="2020-01-01T00:00:00.000"),
        question(5, ContentLicense="CC BY-SA 3.0", OwnerDisplayName="Ada"),
    )
    read = threads_of(path, tmp_path)
    assert [thread.licence[-3:] for thread in read] == ["2.5", "3.0", "4.0", "4.0", "3.0"]
    assert (read[4].author, read[4].url) == ("Ada", "https://unix.example.com/q/5")


def test_a_broken_row_takes_nobody_along(tmp_path: Path) -> None:
    path = write_dump(
        tmp_path,
        question(1),
        '  <row Id="2" PostTypeId="1" Tags="&lt;bash&gt;" Title="no end of quote />\r\n',
        '  <row PostTypeId="1" Tags="&lt;bash&gt;" Title="no number" />\r\n',
        row(3, 5, Body="a wiki page"),
        question(4),
        '  <row Id="5" PostTypeId="1" Tags="&lt;bash&gt;" Ti',
    )
    read = threads_of(path, tmp_path)
    assert [thread.number for thread in read if not thread.fault] == [1, 4]
    assert [thread.number for thread in read if thread.fault] == [0, 2, 5]
    assert len({thread.id for thread in read}) == 5


def test_a_row_longer_than_any_may_be_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "CHUNK_BYTES", 1000)
    monkeypatch.setattr(rows, "LONGEST_ROW_BYTES", 3000)
    text = "<posts>" + question(1) + question(2, Body="x" * 50_000) + question(3)
    read = list(read_rows(io.BytesIO(text.encode())))
    assert [each.number for each in read] == [1, 2, 3]
    assert max(len(each.text) for each in read) < 5000
    assert text.encode()[read[1].next_offset :].startswith(b'<row Id="3"')


@pytest.mark.parametrize("chunk", [7, 64, 1 << 20])
def test_rows_are_the_same_however_the_file_is_cut(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "CHUNK_BYTES", chunk)
    text = "<posts>\n" + "".join(question(number) for number in range(1, 30)) + "</posts>"
    read = list(read_rows(io.BytesIO(text.encode())))
    assert [each.number for each in read] == list(range(1, 30))
    resumed = io.BytesIO(text.encode()[read[9].next_offset :])
    assert [each.number for each in read_rows(resumed, read[9].next_offset)] == list(range(11, 30))


def test_an_interrupted_pass_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_dump(
        tmp_path, *(question(number, 100 + number) + answer(100 + number, number) for number in (1, 2, 3))
    )
    monkeypatch.setattr("pipelines.terminal.posts.index.SAVE_SECONDS", -1.0)
    seen: list[int] = []

    def interrupt(each: RawRow) -> bool:
        seen.append(each.number)
        if seen == [1, 2]:
            raise KeyboardInterrupt
        return True

    with pytest.raises(KeyboardInterrupt), open_index(path, tmp_path / "index") as index:
        index.fill(path, interrupt)
    with open_index(path, tmp_path / "index") as index:
        index.fill(path, interrupt)
        assert [(each.number, len(each.answers)) for each in index.threads()] == [(1, 1), (2, 1), (3, 1)]
    assert seen == [1, 2, 2, 3]


def test_a_dump_is_read_within_its_archive(tmp_path: Path) -> None:
    path = write_dump(tmp_path, question(5, 6), answer(6, 5))
    archive = tmp_path / "unix.example.com.7z"
    subprocess.run(["bsdtar", "--format", "7zip", "-cf", str(archive), "-C", str(path.parent), "Posts.xml"], check=True)
    assert threads_of(archive, tmp_path) == threads_of(path, tmp_path)


def test_an_archive_that_is_none_says_so(tmp_path: Path) -> None:
    broken = tmp_path / "x.7z"
    broken.write_bytes(b"not an archive")
    with pytest.raises(SettingsError, match=r"cannot be unpacked"):
        threads_of(broken, tmp_path)


def test_the_apis_answers_are_threads_too(tmp_path: Path) -> None:
    path = tmp_path / "api.json"
    entry = {
        "question_id": 7,
        "title": "t",
        "body": "<p>q</p>",
        "tags": ["sed"],
        "score": 4,
        "link": "https://unix.example.com/questions/7/t",
        "owner": {"display_name": "Ada"},
        "creation_date": 1_300_000_000,
        "answers": [
            {"answer_id": 8, "is_accepted": True, "body": "<p>a</p>", "score": 2, "creation_date": 1_600_000_000}
        ],
    }
    path.write_text(json.dumps({"items": [entry, {"other": 1}], "has_more": False}))
    [thread] = threads_of(path, tmp_path)
    assert (thread.id, thread.accepted, thread.licence) == ("unix.example.com-7", 8, "CC BY-SA 2.5")
    assert thread.answers[0].licence == "CC BY-SA 4.0"


def test_what_is_no_dump_is_told_what_to_name(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="is no dump"):
        find_dump(tmp_path)


def test_a_file_without_a_single_post_is_told_what_to_name(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing of a dump\n")
    with pytest.raises(SettingsError, match="has no posts"):
        list(read_threads(tmp_path / "notes.txt", tmp_path))
