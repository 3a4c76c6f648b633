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
from pipelines.harbor import facts
from pipelines.harbor.content import Content
from pipelines.harbor.environment import env
from pipelines.harbor.facts import Facts
from pipelines.harbor.kept import ours

LARGEST_TESTS = 8 << 20
INSTRUCTION, SOLUTION, TESTS = "instruction.md", "solution/solve.sh", "tests/test.sh"
PLAY = """set +e
/solution/solve.sh
code=$?
rm -rf /solution/*
exit $code
"""


def draft(name: str, content: Content, blobs: BlobStore) -> Task:
    """The draft of a folder of that name."""
    said = facts.read(content.files.get("task.toml", b""))
    return ours(said, content.files, blobs) or anybodys(name, said, content, blobs)


def anybodys(name: str, said: Facts, content: Content, blobs: BlobStore) -> Task:
    """A draft by what the folder says."""
    missing = [path for path in (INSTRUCTION, SOLUTION, TESTS) if path not in content.files]
    if missing:
        raise Rejected("incomplete_folder", f"there is no {', '.join(missing)}")
    return Task(
        domain="terminal",
        kind=_kind(said),
        instruction=content.text(INSTRUCTION).strip(),
        env=env(said, content, blobs),
        checks=(Check(verifier="harbor", params=_tests(said, content).model_dump(mode="json")),),
        reference=Reference(script=script(content)),
        provenance=_provenance(name, said),
    )


def script(content: Content) -> str:
    """`solve.sh`; where it has neighbours, a script that lays all of them into `/solution` first. The tests it is made
    for are named at its end: a task is known by its problem and its solution, and whoever mends a folder's tests and
    takes it in again would be given the old one."""
    around = content.below("solution").files
    tests = digest({path: sha256(data) for path, data in content.below("tests").files.items()})[:12]
    laid = ["set -e", *(_laid(path, data) for path, data in around.items()), PLAY]
    played = content.text(SOLUTION) if len(around) == 1 else "\n".join(laid)
    return f"{played.rstrip()}\n# Made for tests {tests}.\n"


def _laid(path: str, data: bytes) -> str:
    place = shlex.quote(f"/solution/{path}")
    encoded = base64.encodebytes(data).decode().strip()
    return f"mkdir -p \"$(dirname {place})\"\nbase64 -d > {place} <<'END'\n{encoded}\nEND\nchmod 755 {place}"


def _tests(said: Facts, content: Content) -> HarborParams:
    found = content.below("tests")
    if sum(map(len, found.files.values())) > LARGEST_TESTS:
        raise Rejected("tests_too_large", f"more than {LARGEST_TESTS >> 20} MB")
    files = {path: HarborFile.from_bytes(data, path in found.programs) for path, data in found.files.items()}
    return HarborParams(files=files, timeout=said.verifier.timeout_sec)


def _kind(said: Facts) -> str:
    """What the folder calls its category, as one word."""
    word = re.sub(r"[^a-z0-9]+", "-", str(said.metadata.get("category", "")).lower())
    return word.strip("-")[:40] or "shell"


def _provenance(name: str, said: Facts) -> Provenance:
    told = {key: str(value) for key, value in said.metadata.items()}
    return Provenance(
        source=f"harbor:{said.task.name or name}",
        licence=told.get("licence", told.get("license", "")),
        url=told.get("url", ""),
        commit=told.get("commit", ""),
    )
