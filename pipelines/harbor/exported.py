"""Folders that our own exporter wrote: where nobody has changed one, its draft is the very task that was exported."""

from __future__ import annotations

import io
import re
import tarfile
from collections.abc import Iterator, Mapping

from pydantic import ValidationError

from crucible import parts
from crucible.domains.code.harbor import METADATA_KEY, FolderOrigin, sha256
from crucible.domains.code.suite import SuiteParams
from crucible.errors import Rejected, UnknownPart
from crucible.mining import BlobStore
from crucible.model import Task
from pipelines.harbor.task_toml import TaskToml

EXPORTED_VERIFIERS = ("suite", "script-effects", "harbor")
"""The verifiers of tasks that an export writes."""
LAID = "environment/laid.tar"
ARCHIVE = re.compile(r"environment/archive-\d+\.tar")  # matches: environment/archive-0.tar


def exported_task(facts: TaskToml, files: Mapping[str, bytes], blobs: BlobStore) -> Task | None:
    """The task that the folder was exported from; None when another hand wrote it, or changed a file of it."""
    try:
        kept = FolderOrigin.model_validate_json(str(facts.metadata.get(METADATA_KEY, "")))
    except ValidationError:
        return None
    if kept.files != {path: sha256(data) for path, data in files.items() if path != "task.toml"}:
        return None
    _require_known_parts(kept.task)
    archives = {blobs.put(data) for path, data in sorted(files.items()) if ARCHIVE.fullmatch(path)}
    laid = {blobs.put(data) for data in _laid_files(files.get(LAID, b""))}
    env = kept.task.env
    wanted = {*env.recipe.archives.values(), *(file.blob for file in env.files.values())}
    if missing := sorted(wanted - archives - laid):
        raise Rejected("archive_missing", ", ".join(missing))
    return kept.task


def _laid_files(archive: bytes) -> Iterator[bytes]:
    """The files of the archive that is laid over the image; Rejected when it cannot be read."""
    if not archive:
        return
    try:
        with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
            yield from (opened.read() for info in tar if (opened := tar.extractfile(info)))
    except tarfile.TarError as broken:
        raise Rejected("archive_missing", f"{LAID} cannot be read: {broken}") from broken


def _require_known_parts(task: Task) -> None:
    """Rejected unless the task's verifiers are those that an export writes, and its parts are registered by name: a
    folder from elsewhere must not make us import a module of its choice."""
    strange = [check.verifier for check in task.checks if check.verifier not in EXPORTED_VERIFIERS]
    if strange or not task.checks:
        raise Rejected("unknown_part", f"not judged by {' or '.join(EXPORTED_VERIFIERS)}: {', '.join(strange)}"[:300])
    for kind, name in [("env", task.env.name), *(("runner", runner) for runner in _runners(task))]:
        try:
            parts.find(kind, name if ":" not in name else "")
        except UnknownPart as unknown:
            raise Rejected("unknown_part", f"{kind} '{name}': {unknown}"[:300]) from unknown


def _runners(task: Task) -> list[str]:
    try:
        suites = [SuiteParams.model_validate(check.params) for check in task.checks if check.verifier == "suite"]
    except ValidationError as wrong:
        raise Rejected("bad_check", str(wrong)[:300]) from wrong
    return [params.suite.runner for params in suites]
