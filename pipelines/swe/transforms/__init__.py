"""The last stage: the task itself, and the variants that are made from it."""

from __future__ import annotations

from collections.abc import Sequence

from crucible.mining import Workshop
from crucible.model import Task
from pipelines.swe.model import Built


async def transform(built: Built, shop: Workshop) -> Sequence[Task]:
    """The task as it was built."""
    return [built.task]
