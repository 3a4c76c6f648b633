"""Log lines say which item they are about and never drive the terminal."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import pytest
from rich.console import Console

from crucible.running import log
from crucible.running.terminal import escape_controls, to_one_line


@pytest.fixture(autouse=True)
def _quiet_afterwards() -> Iterator[None]:
    root = logging.getLogger()
    before = (root.handlers[:], root.level)
    yield
    root.handlers[:], root.level = before
    for name in log.OURS:
        logging.getLogger(name).setLevel(logging.NOTSET)


def test_a_json_line_has_the_item_and_the_stage(capsys: pytest.CaptureFixture[str]) -> None:
    log.configure_logging(as_json=True)
    with log.about_item("swe-1", "validate"), log.about_item("swe-2"):
        logging.getLogger("crucible.x").info("said %s", "\x1b[31mred")
    line = json.loads(capsys.readouterr().err)
    assert (line["level"], line["item"], line["stage"]) == ("info", "swe-2", "validate")
    assert line["message"] == "said \\x1b[31mred"
    assert line["time"].endswith("+00:00")


def test_a_line_for_people_is_plain_text() -> None:
    out = io.StringIO()
    log.configure_logging(console=Console(file=out, width=200))
    with log.about_item("swe-1"):
        logging.getLogger("agents.x").info("[bold]kept[/bold] \x1b]0;title\x07 \u202eback")
    assert "swe-1: [bold]kept[/bold] \\x1b]0;title\\x07 \\u202eback" in out.getvalue()


def test_an_error_raised_from_data_is_harmless_too() -> None:
    out = io.StringIO()
    log.configure_logging(console=Console(file=out, width=200))
    try:
        raise ValueError("\x1b[2J")
    except ValueError:
        logging.getLogger("crucible").exception("failed")
    assert "\x1b" not in out.getvalue()


def test_other_peoples_chatter_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    log.configure_logging(as_json=True)
    logging.getLogger("urllib3").info("chatter")
    logging.getLogger("pipelines.swe").debug("detail")
    assert capsys.readouterr().err == ""


def test_half_a_request_that_nobody_waits_for_is_left_out_and_a_lost_task_of_ours_is_not(
    capsys: pytest.CaptureFixture[str],
) -> None:
    log.configure_logging(as_json=True)
    for name in ("ClientRequest.write_bytes", "drain"):
        logging.getLogger("asyncio").error("Task exception was never retrieved\nfuture: <Task coro=<%s()>>", name)
    (line,) = capsys.readouterr().err.splitlines()
    assert "drain" in line


@pytest.mark.parametrize("text", ["plain", "naïve 日本語", "a\tb\nc"])
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert escape_controls(text) == text


@pytest.mark.parametrize("text", ["\x1b[0m", "\x9b1m", "\x07", "\r", "\u2066", "\ud800", "\x7f"])
def test_what_acts_on_a_terminal_is_shown_as_an_escape(text: str) -> None:
    assert escape_controls(text).isascii()
    assert escape_controls(text).isprintable()


def test_one_line_is_one_line() -> None:
    assert to_one_line("a\nb\u2028c\x1b") == "a b c\\x1b"
