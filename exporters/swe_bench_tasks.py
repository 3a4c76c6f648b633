"""A task as SWE-bench's harness runs it: its image, and the script that judges what was made of it.

Both are the Harbor folder's: its Dockerfile, and its grader packed into the script, so that a test has one name and one
outcome, and what an attempt did to the test run is undone, here and there. The grader tells each test's outcome as TAP,
which the harness reads by a parser of its own.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Template
from typing import Any

from crucible.exporting import File
from crucible.mining import BlobStore
from crucible.model import Task
from exporters.harbor.environment import environment_files
from exporters.harbor.tests import image_commands, test_files
from exporters.packing import pack_files

HARNESS_FOLDER = "/testbed"
"""Where the harness applies a patch."""
LINE_LENGTH = 120
"""Characters of a line of the packed grader."""
SCRIPT = Path(__file__).with_name("swe_bench_eval.sh")


def image_name(instance_id: str) -> str:
    """The name that the harness gives to the image that it builds for an instance."""
    return f"sweb.eval.x86_64.{instance_id}:latest".lower()


def eval_script(task: Task) -> str:
    """The script that the harness runs once a patch is applied."""
    packed = base64.b64encode(pack_files(test_files(task))).decode()
    lines = [packed[start : start + LINE_LENGTH] for start in range(0, len(packed), LINE_LENGTH)]
    return Template(SCRIPT.read_text("utf-8")).substitute(grader="\n".join(lines))


def task_files(row: Mapping[str, Any], task: Task, blobs: BlobStore) -> Iterator[File]:
    """The task as a folder of a task repository: from it the harness builds the image itself."""
    folder = f"tasks/{row['instance_id']}"
    tests = {name: json.loads(row[name]) for name in ("FAIL_TO_PASS", "PASS_TO_PASS")}
    separate = {"patch", "test_patch", "eval_script", "problem_statement", "hints_text", *tests}
    facts = {name: value for name, value in row.items() if name not in separate}
    # JSON is YAML
    task_yaml = json.dumps(facts | {"split": "test", "datasets": ["crucible"]}, indent=2, sort_keys=True)
    texts = {
        "task.yaml": f"{task_yaml}\n",
        "tests.json": f"{json.dumps(tests, indent=2)}\n",
        "problem_statement.md": row["problem_statement"],
        "gold.patch": row["patch"],
        "test.patch": row["test_patch"],
        "eval.sh": row["eval_script"],
    }
    for name, text in texts.items():
        yield File(f"{folder}/{name}", text.encode())
    for file in environment_files(task.env, blobs, image_commands(task)):
        path = file.path.removeprefix("environment/")
        data = file.data + _link_workdir(task.env.workdir).encode() if path == "Dockerfile" else file.data
        yield File(f"{folder}/{path}", data)


def _link_workdir(workdir: str) -> str:
    """The line of a Dockerfile by which the harness finds the tree."""
    return "" if workdir == HARNESS_FOLDER else f'RUN ["ln", "-s", {json.dumps(workdir)}, "{HARNESS_FOLDER}"]\n'
