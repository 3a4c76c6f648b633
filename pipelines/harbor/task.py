"""A Harbor folder as a draft task, judged by its own `test.sh` unless it is one of ours."""

from __future__ import annotations

import base64
import re
import shlex

from crucible.domains.code.harbor import HarborFile, HarborParams, sha256
from crucible.errors import Rejected
from crucible.mining import BlobStore
from crucible.model import Check, Provenance, Reference, Task
from crucible.record import digest
from pipelines.harbor.content import Content
from pipelines.harbor.environment import env_of
from pipelines.harbor.exported import exported_task
from pipelines.harbor.task_toml import TaskToml, read_task_toml

MAX_TESTS_BYTES = 8 << 20
INSTRUCTION = "instruction.md"
SOLUTION = "solution/solve.sh"
TESTS = "tests/test.sh"
RUN_SOLUTION = """set +e
/solution/solve.sh
code=$?
rm -rf /solution/*
exit $code
"""
"""The end of a script that wrote the solution's files: it runs them, and leaves none of them behind."""


def read_draft(name: str, content: Content, blobs: BlobStore) -> Task:
    """The draft of a folder of that name: the task that it was exported from, or one made of what it says."""
    facts = read_task_toml(content.files.get("task.toml", b""))
    return exported_task(facts, content.files, blobs) or draft_from_folder(name, facts, content, blobs)


def draft_from_folder(name: str, facts: TaskToml, content: Content, blobs: BlobStore) -> Task:
    """A draft made of what a folder says that another hand wrote. Rejected when a file is missing."""
    missing = [path for path in (INSTRUCTION, SOLUTION, TESTS) if path not in content.files]
    if missing:
        raise Rejected("incomplete_folder", f"there is no {', '.join(missing)}")
    return Task(
        domain="terminal",
        kind=_kind(facts),
        instruction=content.text(INSTRUCTION).strip(),
        env=env_of(facts, content, blobs),
        # altered tests are found out in the proof, and are no part of the draft
        checks=(Check(verifier="harbor", params=_tests(facts, content).model_dump(mode="json", exclude={"twins"})),),
        reference=Reference(script=solution_script(content)),
        provenance=_provenance(name, facts),
    )


def solution_script(content: Content) -> str:
    """`solve.sh`; where there are files beside it, a script that writes all of them into `/solution` first. Its last
    line names the tests it is made for: a task's id is made of its problem and its solution, and without that line a
    folder whose tests were mended would be taken for the old task."""
    files = content.below("solution").files
    tests = digest({path: sha256(data) for path, data in content.below("tests").files.items()})[:12]
    with_files = ["set -e", *(_write_command(path, data) for path, data in files.items()), RUN_SOLUTION]
    script = content.text(SOLUTION) if len(files) == 1 else "\n".join(with_files)
    return f"{script.rstrip()}\n# Made for tests {tests}.\n"


def _write_command(path: str, data: bytes) -> str:
    """The shell command that writes a file of the solution."""
    target = shlex.quote(f"/solution/{path}")
    encoded = base64.encodebytes(data).decode().strip()
    return f"mkdir -p \"$(dirname {target})\"\nbase64 -d > {target} <<'END'\n{encoded}\nEND\nchmod 755 {target}"


def _tests(facts: TaskToml, content: Content) -> HarborParams:
    tests = content.below("tests")
    if sum(map(len, tests.files.values())) > MAX_TESTS_BYTES:
        raise Rejected("tests_too_large", f"more than {MAX_TESTS_BYTES >> 20} MB")
    files = {path: HarborFile.from_bytes(data, path in tests.programs) for path, data in tests.files.items()}
    return HarborParams(files=files, timeout=facts.verifier.timeout_sec)


def _kind(facts: TaskToml) -> str:
    """What the folder calls its category, as one word."""
    category = re.sub(r"[^a-z0-9]+", "-", str(facts.metadata.get("category", "")).lower())
    return category.strip("-")[:40] or "shell"


def _provenance(name: str, facts: TaskToml) -> Provenance:
    metadata = {key: str(value) for key, value in facts.metadata.items()}
    return Provenance(
        source=f"harbor:{facts.task.name or name}",
        licence=metadata.get("licence", metadata.get("license", "")),
        author=metadata.get("author", metadata.get("author_name", "")),
        url=metadata.get("url", ""),
        commit=metadata.get("commit", ""),
    )
