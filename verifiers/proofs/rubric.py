"""The plan `rubric`: the task need not come with a solution, so what is certainly bad must fail, every time.

Nothing done, outputs that are there and empty, and outputs that are damaged. Where the task has an authored good
attempt it must pass, and it is what is damaged.
"""

from __future__ import annotations

from collections.abc import Iterator

from crucible.model import Reference, Task
from crucible.parts import proof
from crucible.proving import Control


@proof("rubric", version=1)
def rubric(task: Task) -> Iterator[Control]:
    """Idle, empty and damaged work fails, the authored good attempt passes where there is one, every time."""
    if task.reference != Reference():
        yield Control(player="oracle", want="pass")
    yield Control(player="nop", want="fail")
    yield Control(player="empty", want="fail", may_idle=True)
    yield Control(player="damaged", want="fail", may_idle=True)
