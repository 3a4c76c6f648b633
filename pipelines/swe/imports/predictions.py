"""The importer `predictions`: patches that a model wrote for SWE-bench instances, played as scripted attempts."""

from __future__ import annotations

import asyncio
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
from pipelines.swe.imports.reward import instance_key
from pipelines.swe.imports.rows import Row, read_rows

APPLY_COMMAND = "git apply --whitespace=nowarn {file} || patch --batch --fuzz=5 -p1 -i {file}; rm -f {file}"
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
    return Importer(read_rows, Pipeline("predictions", stages=(Stage("read", Row, plan_attempt),), makes="attempt"))


async def plan_attempt(row: Row, context: MiningContext) -> Sequence[PlannedAttempt]:
    """The attempt that plays a prediction's patch. Rejected where its instance was not imported."""
    try:
        prediction = Prediction.model_validate(json.loads(row.text))
    except (ValidationError, ValueError, RecursionError) as wrong:
        raise Rejected("malformed_row", str(wrong)[:300]) from wrong
    task = await asyncio.to_thread(context.memory.recall, instance_key(prediction.instance_id))
    if task is None:
        raise Rejected("unknown_instance", f"{prediction.instance_id}: import its row first, then validate it")
    options: dict[str, Json] = {"model": prediction.model_name_or_path, "turns": script_turns(prediction.model_patch)}
    return [PlannedAttempt(task_id=task, agent=Agent(scaffold="native", teacher="scripted", options=options))]


def script_turns(patch: str) -> list[Json]:
    """The turns of a scripted attempt: write the patch, apply it, submit. An empty patch is only submitted."""
    submit: Json = {"calls": [{"tool": "submit"}]}
    if not patch.strip():
        return [submit]
    file = f"/tmp/{digest(patch)[:16]}.patch"
    write: Json = {"tool": "write", "arguments": {"path": file, "content": patch.rstrip("\n") + "\n"}}
    apply: Json = {"tool": "shell", "arguments": {"command": APPLY_COMMAND.format(file=file)}}
    return [{"text": "I write the patch.", "calls": [write]}, {"text": "I apply it.", "calls": [apply]}, submit]
