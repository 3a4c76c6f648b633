"""What every variant has in common: where it came from, and a name of its own among its parent's."""

from __future__ import annotations

from crucible.model import Task
from pipelines.swe.model import Built


def variant(built: Built, task: Task, transform: str) -> Task:
    """The task as a variant of the built one."""
    origin = built.task.provenance
    made = origin.model_copy(
        update={"source": f"{origin.source}~{transform}", "parent": built.task.id, "transform": transform}
    )
    return task.model_copy(update={"provenance": made, "difficulty": built.task.difficulty})
