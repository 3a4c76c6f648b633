"""The stage `walk`: seeded walks of operations over a file."""

from __future__ import annotations

from collections.abc import Sequence

from crucible.mining import MiningContext
from pipelines.cowork.model import Seed, Walk
from pipelines.cowork.slides.walks import walk_deck
from pipelines.cowork.workbooks.walks import walk_workbook


async def walk_file(seed: Seed, context: MiningContext) -> Sequence[Walk]:
    """Several walks over one workbook or deck, each to a state that can be checked."""
    walk = {"xlsx": walk_workbook, "pptx": walk_deck}[seed.suffix]
    return await walk(seed, context)
