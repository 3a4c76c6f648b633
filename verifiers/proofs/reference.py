"""The plan `reference`: the task comes with a solution, which must pass, and doing nothing must not."""

from __future__ import annotations

from collections.abc import Iterator

from crucible.model import Task
from crucible.parts import proof
from crucible.proving import Control


@proof("reference", version=1)
def reference(task: Task) -> Iterator[Control]:
    """The oracle passes, nop fails, both every time."""
    yield Control(player="oracle", want="pass")
    yield Control(player="nop", want="fail")
