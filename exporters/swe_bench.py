"""SWE-bench: one row per solved task, as its harness reads them. `crucible import swe-bench` gives the tasks back.

Beside the rows lies the folder `tasks`, from which the harness builds the images that the rows name. What SWE-bench has
no column for is in `crucible`, which other readers let be. A variant of a task (its base is no commit of the
repository) has no row.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import TypedDict

from crucible.errors import Rejected
from crucible.exporting import File, Judged
from crucible.mining import BlobStore
from crucible.model import Task
from crucible.parts import exporter
from crucible.record import canonical
from exporters.suites import suite_params
from exporters.swe_bench_tasks import eval_script, image_name, task_files
from exporters.test_patch import test_patch

STATEMENT = re.compile(r"<(problem|request)>\n(.*)\n</\1>", re.DOTALL)
# matches: "<problem>\nIt crashes.\n</problem>", how an instruction holds what the issue says
MINED_SOURCE = re.compile(r"git:(?P<repo>.+)#(?P<number>\d+)")
# matches: "git:owner/name#12"
IMPORTED_SOURCE = re.compile(r"swe-bench:(?P<id>(?P<repo>.+)-\d+)")
# matches: "swe-bench:owner__name-12"


class Row(TypedDict):
    """One instance."""

    repo: str
    instance_id: str
    base_commit: str
    patch: str
    test_patch: str
    problem_statement: str
    hints_text: str
    created_at: str
    version: str
    FAIL_TO_PASS: str
    PASS_TO_PASS: str
    environment_setup_commit: str
    image: str
    eval_script: str
    log_parser: str
    eval_type: str
    crucible: str


@exporter("swe-bench", shape="jsonl", per="task", split="test", needs=("blobs",))
def swe_bench(judged: Judged, *, blobs: BlobStore) -> Iterator[Row | File]:
    """SWE-bench rows, one per solved task: patches, statement, tests, and how its harness runs them.

    `swebench eval FOLDER --gold --task-repo FOLDER` builds the images and grades the reference patches; with
    `-p PREDICTIONS` it grades others.
    """
    if judged.task.images:
        raise Rejected("has_pictures", "a problem statement is text")
    task, params = judged.task, suite_params(judged.task)
    if task.env.leaves != "diff" or task.env.files:
        raise Rejected("no_diff", "attempts at it leave no diff of a repository's own files")
    if task.provenance.transform or not task.reference.patch:
        raise Rejected("no_swe_bench_row", "a variant, or a task that no patch solves")
    _require_plain_names((*params.fail_to_pass, *params.pass_to_pass))
    repo, name = _instance_name(task)
    row: Row = {
        "repo": repo,
        "instance_id": name,
        "base_commit": task.provenance.commit,
        "patch": task.reference.patch,
        "test_patch": test_patch(task.env, params, blobs),
        "problem_statement": problem_statement(task.instruction),
        "hints_text": "",
        "created_at": task.provenance.created,
        "version": "",
        "FAIL_TO_PASS": json.dumps(params.fail_to_pass),
        "PASS_TO_PASS": json.dumps(params.pass_to_pass),
        "environment_setup_commit": task.provenance.commit,
        "image": image_name(name),
        "eval_script": eval_script(task),
        "log_parser": "parse_log_tap",
        "eval_type": "pass_and_fail",
        "crucible": _crucible_column(task),
    }
    yield row
    yield from task_files(row, task, blobs)


def _require_plain_names(tests: Sequence[str]) -> None:
    """Refuse names of tests that are no line of their own in the harness's log."""
    for test in tests:
        if test != " ".join(test.splitlines()).strip():
            raise Rejected("no_swe_bench_row", f"the harness cannot read this name of a test: {test!r}")


def problem_statement(instruction: str) -> str:
    """What the issue says, without what is said around it; the whole instruction where that cannot be told."""
    match = STATEMENT.search(instruction)
    return match[2] if match else instruction


def _instance_name(task: Task) -> tuple[str, str]:
    """The repository, and the instance's id: `owner__name-NUMBER`."""
    if mined := MINED_SOURCE.fullmatch(task.provenance.source):
        return mined["repo"], f"{mined['repo'].replace('/', '__')}-{mined['number']}"
    if imported := IMPORTED_SOURCE.fullmatch(task.provenance.source):
        return imported["repo"].replace("__", "/", 1), imported["id"]
    raise Rejected("no_instance_id", f"the source '{task.provenance.source}' names no change of a repository")


def _crucible_column(task: Task) -> str:
    """What SWE-bench has no column for, as JSON."""
    origin = task.provenance
    facts = {
        "kind": task.kind,
        "instruction": task.instruction,
        "licence": origin.licence,
        "author": origin.author,
        "url": origin.url,
    }
    return canonical(facts).decode()
