"""Harbor task folders (schema 1.4): the tasks that were solved, for any stack that reads them.

Only tasks judged by a test suite, by what a script does, or by the tests they came with can be told in Harbor's terms:
their graders need nothing but Python. Any other is refused, and counted by the verifier that has no grader. What Harbor
has no word for rides along in `[metadata]`, so that `crucible import harbor` gives the very same task back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from crucible.domains.code.harbor import METADATA_KEY, FolderOrigin, sha256
from crucible.errors import Rejected
from crucible.exporting import File, Judged
from crucible.mining import BlobStore
from crucible.model import Task
from crucible.parts import exporter
from exporters.harbor import environment, solution, tests
from exporters.harbor.toml import dump_tables

GRADED = ("suite", "script-effects", "harbor")
"""The verifiers that have a grader in a folder."""


@exporter("harbor", shape="folder", per="task", needs=("blobs",))
def harbor(judged: Judged, *, blobs: BlobStore) -> Iterator[File]:
    """Harbor task folders, one per solved task: instruction, environment, solution, tests."""
    if judged.task.images:
        raise Rejected("has_pictures", "an instruction of Harbor is text")
    _require_words(judged.task)
    task, folder = judged.task, re.sub(r"[^A-Za-z0-9._-]", "_", judged.task_id).lstrip(".")
    # matches: the ":" of "swe:1f3c", and whatever else a folder should not be called
    files = [
        File("instruction.md", (task.instruction.rstrip("\n") + "\n").encode()),
        *environment.environment_files(task.env, blobs, tests.image_commands(task)),
        *solution.solution_files(task),
        *tests.test_files(task),
    ]
    origin = FolderOrigin(task=task, files={file.path: sha256(file.data) for file in files})
    task_toml = dump_tables(_task_tables(task, folder, origin.model_dump_json()))
    for file in (*files, File("task.toml", task_toml.encode())):
        yield file._replace(path=f"{folder}/{file.path}")


def _require_words(task: Task) -> None:
    """Refuse what a folder's grader would judge otherwise than here: a suite's gets the workdir's changes alone, a
    script's finds whatever the attempt left."""
    if names := [check.verifier for check in task.checks if check.verifier not in GRADED]:
        raise Rejected(f"no_harbor_grader_for_{names[0]}", f"a folder has no grader that judges as {', '.join(names)}")
    script = tests.script_params(task)
    env, leaves = task.env, "layer" if script else "diff"
    if env.leaves != leaves:
        raise Rejected(
            f"no_{leaves}", f"the task is judged by its attempts' {env.leaves}, and the folder's grader by a {leaves}"
        )
    if env.capabilities or task.reference.blobs or (env.files and leaves == "diff"):
        raise Rejected(
            "no_harbor_word", "a folder has no word for capabilities, references of any bytes, and files beside a suite"
        )


def _task_tables(task: Task, name: str, folder_origin: str) -> dict[str, dict[str, object]]:
    """The tables of `task.toml`. The workdir alone goes to a fresh container, where a suite judges it; a script is
    judged where it was written, since it may use whatever else the attempt left."""
    limits, network, origin = task.env.limits, task.env.networks.attempting, task.provenance
    mode = "allowlist" if network.mode == "allow" else "no-network"
    separate = {} if tests.script_params(task) else {"environment_mode": "separate"}
    return {
        # without `artifacts`, a separate container has nothing of the attempt
        "": {"schema_version": "1.4", **({"artifacts": [task.env.workdir]} if separate else {})},
        "task": {"name": f"crucible/{name}", "version": "1.0", "description": "", "keywords": [task.domain, task.kind]},
        "metadata": {
            "source": origin.source,
            "licence": origin.licence,
            "author": origin.author,
            "url": origin.url,
            "commit": origin.commit,
            "category": task.kind,
            METADATA_KEY: folder_origin,
        },
        "verifier": {"timeout_sec": tests.time_limit(task), **separate},
        "agent": {"timeout_sec": 1200.0},
        "environment": {
            "build_timeout_sec": 1800.0,
            "cpus": max(1, round(limits.cpus)),
            "memory_mb": limits.memory_mb,
            "storage_mb": limits.disk_mb,
            "network_mode": mode,
            "allowed_hosts": list(network.hosts),
            "workdir": task.env.workdir,
        },
    }
