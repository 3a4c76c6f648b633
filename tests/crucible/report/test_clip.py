"""How texts are prepared for a page."""

from __future__ import annotations

from crucible.report.attempt_page import _number_names
from crucible.report.clip import split_fences
from crucible.report.rows import task_title
from tests.crucible.report import ledgers


def test_code_within_fences_is_told_apart_from_prose() -> None:
    text = "I have\n\n```sh\nls -l\n```\nand `a` want\n```\nx\n"
    assert split_fences(text) == [(False, "I have"), (True, "ls -l"), (False, "and `a` want"), (True, "x")]


def test_a_title_has_no_mark_of_a_heading() -> None:
    assert task_title(ledgers.task(instruction="## Sum a column\n\nof a table")) == "Sum a column"


def test_attachments_of_one_name_are_told_apart() -> None:
    named = [("log", "a"), ("screenshot", "b"), ("log", "c")]
    assert list(_number_names(named)) == [("log 1", "a"), ("screenshot", "b"), ("log 2", "c")]
