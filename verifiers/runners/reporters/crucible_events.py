"""pytest: a line for each test as soon as it has ended, to the pipe beside this file's folder."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any


def _make_sayer() -> Callable[[str], None]:
    """The function that writes a line to the pipe. It holds what it needs, and so does without whatever a test puts in
    the place of `os`."""
    write = os.write
    try:
        pipe = os.open(Path(__file__).parent.with_name("events"), os.O_WRONLY | os.O_NONBLOCK)
    except OSError:  # nobody listens: a task that was exported has no such pipe
        return lambda line: None
    os.set_blocking(pipe, True)

    def say(line: str) -> None:
        left = line.encode("utf-8", "backslashreplace")
        while left:
            left = left[write(pipe, left) :]

    return say


_say = _make_sayer()


def pytest_runtest_logreport(report: Any) -> None:
    """Said by the process that writes the report, also where others run the tests. A test whose preparation went well
    has not passed yet."""
    if report.when == "call" or report.outcome != "passed":
        expected = hasattr(report, "wasxfail") and report.outcome == "skipped"
        name = report.nodeid.replace("\n", "\\n")
        _say(f"{'xfailed' if expected else report.outcome} {name}\n")
