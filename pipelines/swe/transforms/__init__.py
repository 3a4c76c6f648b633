"""The last stage: the task itself, and the variants that are made from it, as many as the settings allow."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from crucible.collecting import Dropped
from crucible.errors import Rejected
from crucible.mining import MiningContext
from crucible.model import Task
from crucible.record import Record, digest
from pipelines.swe.model import Built
from pipelines.swe.settings import TransformSettings
from pipelines.swe.transforms.injection import inject_bug
from pipelines.swe.transforms.inversion import ask_for_tests
from pipelines.swe.transforms.limits import load_limits
from pipelines.swe.transforms.merge import merge_neighbours
from pipelines.swe.transforms.review import ask_for_review

Transform = Callable[[Built, MiningContext], Awaitable[Task]]

TRANSFORMS: dict[str, Transform] = {
    "injection": inject_bug,
    "inversion": ask_for_tests,
    "review": ask_for_review,
    "merge": merge_neighbours,
}
"""By the names that `limits.toml` and a task's provenance use."""


class Variant(Record):
    """A variant of a task, by what makes it."""

    task_id: str
    transform: str

    @property
    def id(self) -> str:
        return f"{self.task_id}~{self.transform}"


async def transform(built: Built, context: MiningContext) -> Sequence[Record]:
    """The task as it was built, and its variants. One that cannot be made costs its task nothing: it is dropped with
    its reason."""
    most = context.section(TransformSettings).variants
    variants: list[Task] = []
    unmade: list[Dropped] = []
    for name in order_transforms(built.task.id):
        if len(variants) == most:
            break
        try:
            variants.append(_as_variant(await TRANSFORMS[name](built, context), built.task, name))
        except Rejected as rejected:
            variant = Variant(task_id=built.task.id, transform=name)
            unmade.append(Dropped(record=variant, reason=rejected.reason, detail=rejected.detail))
    return [built.task, *variants, *unmade]


def _as_variant(task: Task, parent: Task, transform: str) -> Task:
    """The task with its parent's provenance and difficulty, and a source of its own among the parent's variants."""
    origin = parent.provenance
    provenance = origin.model_copy(
        update={"source": f"{origin.source}~{transform}", "parent": parent.id, "transform": transform}
    )
    return task.model_copy(update={"provenance": provenance, "difficulty": parent.difficulty})


def order_transforms(task_id: str) -> list[str]:
    """The names of the transforms in the order in which they are tried for a task: each task begins at another place of
    the list, always the same."""
    names = [name for name in load_limits().order if name in TRANSFORMS]
    start = int(digest(task_id)[:8], 16) % len(names)
    return names[start:] + names[:start]
