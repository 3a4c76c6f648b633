"""Laid into a box and loaded by pytest there: writes which lines of the wanted files were executed."""

import json
import os
import sys
import threading
from functools import lru_cache
from typing import Any

WANTED: "dict[str, str]" = json.loads(r"""{wanted}""")
OUT = "{out}"

seen: "dict[str, set[int]]" = {name: set() for name in WANTED.values()}


@lru_cache(maxsize=None)  # noqa: UP033, a box may have a Python older than 3.9
def name_of(path: str) -> "str | None":
    """The wanted file at a path, under whatever link. Asked of every call there is, so the answer is kept."""
    return WANTED.get(os.path.realpath(path))


def trace(frame: Any, event: str, arg: Any) -> Any:
    name = name_of(frame.f_code.co_filename)
    if name is None:
        return None
    lines = seen[name]

    def local(frame: Any, event: str, arg: Any) -> Any:
        lines.add(frame.f_lineno)
        return local

    return local(frame, event, arg)


def line(code: Any, number: int) -> Any:
    name = name_of(code.co_filename)
    if name is not None:
        seen[name].add(number)
    return sys.monitoring.DISABLE  # type: ignore[attr-defined]


def start() -> None:
    if hasattr(sys, "monitoring"):
        tool = sys.monitoring.COVERAGE_ID
        sys.monitoring.use_tool_id(tool, "lines")
        sys.monitoring.register_callback(tool, sys.monitoring.events.LINE, line)
        sys.monitoring.set_events(tool, sys.monitoring.events.LINE)
    else:
        threading.settrace(trace)
        sys.settrace(trace)


def pytest_unconfigure(config: Any) -> None:
    with open(OUT, "w") as out:  # noqa: PTH123
        json.dump({name: sorted(lines) for name, lines in seen.items()}, out)


if WANTED:
    start()
