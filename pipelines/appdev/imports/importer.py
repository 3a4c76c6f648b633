"""The importers `applications` and `application-attempts`: folders of applications, judged by their own rubrics."""

from __future__ import annotations

import asyncio
import tomllib
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from posixpath import join
from shlex import quote
from typing import TypeVar

from pydantic import Field, ValidationError

from crucible.acting import PlannedAttempt
from crucible.domains.web.rubric import Rubric
from crucible.domains.web.world import app_env
from crucible.errors import Rejected
from crucible.mining import BlobStore, Importer, MiningContext, Pipeline, Stage
from crucible.model import Agent, Provenance, Reference, Task
from crucible.parts import importer
from crucible.record import Json, Record
from pipelines.appdev.imports.folder import APPLICATION, RUBRIC, AppFolder, read_applications, read_attempts
from pipelines.appdev.settings import AppdevSettings
from pipelines.appdev.stages import make_checks

ENCODED = "/tmp/.application.b64"
DECODE_COMMAND = 'mkdir -p "$(dirname {path})" && base64 -d < {encoded} > {path}; rm -f {encoded}'
"""Tools write text: other files are written in another form, and put in place by the shell."""


class Application(Record):
    """The file `application.toml`."""

    instruction: str = Field(min_length=1)
    """What is asked for, as the agent is told."""
    kind: str = "frontend"
    least_visual: float | None = Field(default=None, ge=0, le=1)
    """The least share of what is asked of its looks; that of the settings where it is left out."""
    licence: str = ""
    author: str = ""
    url: str = ""


R = TypeVar("R", bound=Record)


@importer("applications")
def applications() -> Importer:
    """Folders with an application.toml, a rubric.toml and perhaps a good application, to drafts."""
    return Importer(read_applications, Pipeline("applications", stages=(Stage("read", AppFolder, make_draft),)))


@importer("application-attempts")
def application_attempts() -> Importer:
    """What lies in `attempts` of such folders, as attempts at the tasks that were imported and proven."""
    stages = (Stage("read", AppFolder, plan_attempt),)
    return Importer(read_attempts, Pipeline("application-attempts", stages=stages, makes="attempt"))


async def make_draft(folder: AppFolder, context: MiningContext) -> Sequence[Task]:
    """The draft of a folder. Rejected where it, or one of its two files, is none."""
    if folder.refused:
        raise Rejected(folder.refused, folder.detail)
    application = _parse_file(APPLICATION, folder.application, Application)
    rubric = _parse_file(RUBRIC, folder.rubric, Rubric)
    if not (rubric.elements or rubric.workflows or rubric.paths):
        raise Rejected("empty_rubric", f"{RUBRIC} asks for no element, no workflow and no address")
    env = app_env(rubric.surface)
    settings = context.section(AppdevSettings)
    if application.least_visual is not None:
        settings = settings.model_copy(update={"least_visual": application.least_visual})
    task = Task(
        domain="appdev",
        kind=application.kind,
        instruction=application.instruction,
        env=env,
        checks=make_checks(rubric, settings),
        proven_by="rubric",
        reference=Reference(blobs={join(env.workdir, path): blob for path, blob in folder.files.items()}),
        provenance=Provenance(
            source=f"application:{folder.name}",
            licence=application.licence,
            author=application.author,
            url=application.url,
        ),
    )
    await asyncio.to_thread(context.memory.remember, folder.task_key, task.id)
    return [task]


def _parse_file(name: str, text: str, record: type[R]) -> R:
    try:
        return record.model_validate(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, ValidationError) as wrong:
        raise Rejected("malformed_file", f"{name}: {wrong}"[:600]) from None


async def plan_attempt(folder: AppFolder, context: MiningContext) -> Sequence[PlannedAttempt]:
    """The attempt that writes the files of a folder. Rejected where what is asked there was not imported."""
    if folder.refused:
        raise Rejected(folder.refused, folder.detail)
    task = await asyncio.to_thread(context.memory.recall, folder.task_key)
    if task is None:
        raise Rejected("unknown_application", f"{folder.name}: import it as `applications` first, then validate it")
    turns: list[Json] = await asyncio.to_thread(lambda: [*_write_turns(folder.files, context.blobs)])
    options: dict[str, Json] = {"attempt": folder.attempt, "turns": turns}
    return [PlannedAttempt(task_id=task, agent=Agent(scaffold="native", teacher="scripted", options=options))]


def _write_turns(files: Mapping[str, str], blobs: BlobStore) -> Iterator[Json]:
    """The turns of a scripted attempt: write all files, submit."""
    calls: list[Json] = []
    for path, blob in files.items():
        data = blobs.get(blob)
        try:
            calls.append({"tool": "write", "arguments": {"path": path, "content": data.decode("utf-8")}})
        except UnicodeDecodeError:
            command = DECODE_COMMAND.format(path=quote(path), encoded=ENCODED)
            calls.append({"tool": "write", "arguments": {"path": ENCODED, "content": b64encode(data).decode()}})
            calls.append({"tool": "shell", "arguments": {"command": command}})
    if calls:
        yield {"text": "I write the application.", "calls": calls}
    yield {"calls": [{"tool": "submit"}]}
