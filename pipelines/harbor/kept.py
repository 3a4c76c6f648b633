"""Folders that we wrote ourselves: where nobody has changed one, the task in it is the very task it was."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pydantic import ValidationError

from crucible import parts
from crucible.domains.code.harbor import METADATA_KEY, FolderOrigin, sha256
from crucible.domains.code.suite import SuiteParams
from crucible.errors import Rejected, UnknownPart
from crucible.mining import BlobStore
from crucible.model import Task
from pipelines.harbor.facts import Facts

JUDGES = ("suite", "harbor")


def ours(said: Facts, files: Mapping[str, bytes], blobs: BlobStore) -> Task | None:
    """The task that the folder was exported from; None when another hand wrote it, or changed a file of it."""
    try:
        kept = FolderOrigin.model_validate_json(str(said.metadata.get(METADATA_KEY, "")))
    except ValidationError:
        return None
    if kept.files != {path: sha256(data) for path, data in files.items() if path != "task.toml"}:
        return None
    _known(kept.task)
    archives = [data for path, data in sorted(files.items()) if re.fullmatch(r"environment/archive-\d+\.tar", path)]
    held = {blobs.put(data) for data in archives}
    missing = sorted(set(kept.task.env.recipe.archives.values()) - held)
    if missing:
        raise Rejected("archive_missing", ", ".join(missing))
    return kept.task


def _known(task: Task) -> None:
    """Only judges that an export writes, and parts that are here by name: a folder from elsewhere must not make us
    import a module of its choice."""
    strange = [check.verifier for check in task.checks if check.verifier not in JUDGES]
    if strange or not task.checks:
        raise Rejected("unknown_part", f"not judged by {' or '.join(JUDGES)}: {', '.join(strange)}"[:300])
    for kind, name in [("env", task.env.name), *(("runner", runner) for runner in _runners(task))]:
        try:
            parts.find(kind, name if ":" not in name else "")
        except UnknownPart as unknown:
            raise Rejected("unknown_part", f"{kind} '{name}': {unknown}"[:300]) from unknown


def _runners(task: Task) -> list[str]:
    try:
        wanted = [SuiteParams.model_validate(check.params) for check in task.checks if check.verifier == "suite"]
    except ValidationError as wrong:
        raise Rejected("bad_check", str(wrong)[:300]) from wrong
    return [one.suite.runner for one in wanted]
