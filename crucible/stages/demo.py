"""x"""

from __future__ import annotations

from crucible.run import Run
from crucible.stages.drain import Tally


async def demo(run: Run) -> Tally:
    raise NotImplementedError
