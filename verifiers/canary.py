"""The canary: a test that must fail. A report in which it passes was not written by the test runner.

It looks like any other test of the file it is put beside, so that a forger cannot tell it apart.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import PurePosixPath

from crucible.record import Record


class Canary(Record):
    """A failing test: the file it is in, and its id."""

    path: str
    content: str
    test: str


def hatch(tests: Sequence[str]) -> Canary:
    """A canary beside the first of these tests, named after it."""
    path, _, name = tests[0].partition("::")
    word = name.rpartition("::")[2].partition("[")[0] or "test_it"
    mark, value = secrets.token_hex(4), secrets.randbelow(900) + 100
    place = PurePosixPath(path)
    beside = str(place.with_name(f"{place.stem}_{mark}.py"))
    function = f"{word}_{secrets.token_hex(3)}"
    content = f"def {function}():\n    value = {value}\n    assert value == {value + 1}\n"
    return Canary(path=beside, content=content, test=f"{beside}::{function}")
