"""Log lines that say which item they are about: for people on standard error, or as JSON lines for machines."""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime

from rich.console import Console
from rich.logging import RichHandler

from crucible.running.terminal import escape_controls

MARGIN = 20
"""Columns that the time and the level take of a line."""
FILE_WIDTH = 200
OURS = ("crucible", "pipelines", "envs", "agents", "verifiers", "flows", "exporters")

_item: ContextVar[str] = ContextVar("item", default="")
_stage: ContextVar[str] = ContextVar("stage", default="")


@contextmanager
def about_item(id: str, stage: str = "") -> Iterator[None]:
    """Lines logged inside are about this item, in this task and those it starts."""
    items, stages = _item.set(id), _stage.set(stage or _stage.get())
    try:
        yield
    finally:
        _item.reset(items)
        _stage.reset(stages)


def configure_logging(*, as_json: bool = False, debug: bool = False, console: Console | None = None) -> None:
    """Send log lines to standard error. Ours from `info` on, other people's from `warning` on."""
    people = console or people_console()
    handler = logging.StreamHandler(sys.stderr) if as_json else _console_handler(people)
    handler.setFormatter(JsonLine() if as_json else PlainLine(0 if debug else people.width - MARGIN))
    if not debug:
        handler.addFilter(_is_worth_showing)
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    for name in OURS:
        logging.getLogger(name).setLevel(logging.DEBUG if debug else logging.INFO)


def _is_worth_showing(record: logging.LogRecord) -> bool:
    """An object store that goes away leaves its client with half a request that nobody waits for: the other half
    tells, so that a traceback for each would only bury the line that matters."""
    if record.name.partition(".")[0] == "prefect":  # its tracebacks, like ours, are behind --debug
        record.exc_info = record.exc_text = None
    return not (record.name == "asyncio" and "ClientRequest.write_bytes" in record.getMessage())


def _console_handler(console: Console) -> logging.Handler:
    return RichHandler(console=console, show_path=False, markup=False, highlighter=None, log_time_format="[%X]")


def people_console() -> Console:
    """Standard error: as wide as the terminal, and in a file so wide that lines stay whole."""
    console = Console(stderr=True)
    return console if console.is_terminal else Console(stderr=True, width=FILE_WIDTH)


def result_console() -> Console:
    """Standard output, for results that are not JSON: as wide as the terminal; a file gets lines that are not cut to
    the width of a terminal that is not there, unless COLUMNS says how wide they may be."""
    console = Console()
    return console if console.is_terminal or "COLUMNS" in os.environ else Console(width=FILE_WIDTH)


class PlainLine(logging.Formatter):
    """`item: message`, with nothing in it that a terminal would obey. What is only information fits its line: all of
    it is in the ledger."""

    def __init__(self, width: int = 0) -> None:
        super().__init__()
        self._width = width
        """Characters of one line; 0: as many as there are."""

    def format(self, record: logging.LogRecord) -> str:
        about = _item.get()
        line = escape_controls((f"{about}: " if about else "") + super().format(record))
        if self._width and record.levelno <= logging.INFO and len(line) > self._width:
            return f"{' '.join(line.split())[: self._width - 1]}…"
        return line


class JsonLine(logging.Formatter):
    """One JSON object per line: time, level, item, stage, message."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname.lower(),
            "item": _item.get(),
            "stage": _stage.get(),
            "logger": record.name,
            "message": escape_controls(super().format(record)),
        }
        return json.dumps(line)
