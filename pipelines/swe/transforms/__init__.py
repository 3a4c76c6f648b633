"""The last stage: the task itself, and the variants that are made from it, as many as `limits.toml` allows."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence

from crucible.errors import Rejected
from crucible.mining import MiningContext
from crucible.model import Task
from crucible.record import digest
from pipelines.swe.model import Built
from pipelines.swe.transforms.injection import injection
from pipelines.swe.transforms.inversion import inversion
from pipelines.swe.transforms.limits import limits
from pipelines.swe.transforms.merge import merge
from pipelines.swe.transforms.review import review
from pipelines.swe.transforms.variants import variant

log = logging.getLogger(__name__)

Transform = Callable[[Built, MiningContext], Awaitable[Task]]

TRANSFORMS: dict[str, Transform] = {made.__name__: made for made in (injection, inversion, review, merge)}
"""By the names that `limits.toml` and a task's provenance use."""


async def transform(built: Built, context: MiningContext) -> Sequence[Task]:
    """The task as it was built, and its variants. A variant that cannot be made costs its task nothing."""
    made: list[Task] = []
    for name in order(built.task.id):
        if len(made) == limits().variants:
            break
        try:
            made.append(variant(built, await TRANSFORMS[name](built, context), name))
        except Rejected as why:
            log.info("no %s of %s: %s", name, built.task.id, why)
    return [built.task, *made]


def order(task_id: str) -> list[str]:
    """Each task begins at another place of the list, always the same."""
    names = [name for name in limits().order if name in TRANSFORMS]
    start = int(digest(task_id)[:8], 16) % len(names)
    return names[start:] + names[:start]
