"""The importer `predictions`: patches that a model wrote for SWE-bench instances, played as scripted attempts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated

from pydantic import BeforeValidator, ConfigDict, Field, ValidationError

from crucible.acting import PlannedAttempt
from crucible.errors import Rejected
from crucible.mining import Importer, MiningContext, Pipeline, Stage
from crucible.model import Agent
from crucible.parts import importer
from crucible.record import Json, Record, digest
from pipelines.swe.imports.reward import came_as
from pipelines.swe.imports.rows import Row, rows

APPLY = "git apply --whitespace=nowarn {file} || patch --batch --fuzz=5 -p1 -i {file}; rm -f {file}"
"""As the benchmark's own harness applies them: by git, and where that is too strict by patch."""


class Prediction(Record):
    """One line of a predictions file; others of its columns are let be."""

    model_config = ConfigDict(frozen=True, extra="ignore", protected_namespaces=())

    instance_id: Annotated[str, Field(min_length=1)]
    model_name_or_path: str = ""
    model_patch: Annotated[str, BeforeValidator(lambda value: value or "")] = ""


@importer("predictions")
def predictions() -> Importer:
    """SWE-bench predictions: a model's patches for instances that were imported, as attempts."""
    return Importer(rows, Pipeline("predictions", stages=(Stage("read", Row, read),), makes="attempt"))


async def read(row: Row, context: MiningContext) -> Sequence[PlannedAttempt]:
    """The attempt that plays the patch."""
    try:
        told = Prediction.model_validate(json.loads(row.text))
    except (ValidationError, ValueError, RecursionError) as wrong:
        raise Rejected("malformed_row", str(wrong)[:300]) from wrong
    task = context.memory.recall(came_as(told.instance_id))
    if task is None:
        raise Rejected("unknown_instance", f"{told.instance_id}: import its row first, then validate it")
    options: dict[str, Json] = {"model": told.model_name_or_path, "turns": turns(told.model_patch)}
    return [PlannedAttempt(task_id=task, agent=Agent(scaffold="native", teacher="scripted", options=options))]


def turns(patch: str) -> list[Json]:
    """Write the patch, apply it, submit."""
    submit: Json = {"calls": [{"tool": "submit"}]}
    if not patch.strip():
        return [submit]
    file = f"/tmp/{digest(patch)[:16]}.patch"
    written: Json = {"tool": "write", "arguments": {"path": file, "content": patch.rstrip("\n") + "\n"}}
    applied: Json = {"tool": "shell", "arguments": {"command": APPLY.format(file=file)}}
    return [{"text": "I write the patch.", "calls": [written]}, {"text": "I apply it.", "calls": [applied]}, submit]
