"""What judges the task, as a script that leaves a reward: its test suite, or the script it came with."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from string import Template

from pydantic import ValidationError

from crucible.errors import Rejected
from crucible.exporting import File
from crucible.harbor import HarborParams
from crucible.laying import whole_files
from crucible.model import Task
from crucible.record import canonical
from crucible.suites import SuiteParams
from exporters import suites

HERE = Path(__file__).parent
RUNNER = "pytest"


def files(task: Task) -> Iterator[File]:
    """`test.sh`, who grades, what must pass, and the test files; the tests of an imported folder as they were."""
    if given := imported(task):
        for path, file in given.files.items():
            yield File(f"tests/{path}", file.data, executable=file.executable or path == "test.sh")
        return
    wanted = suite(task)
    ids = {"fail_to_pass": list(wanted.fail_to_pass), "pass_to_pass": list(wanted.pass_to_pass)}
    yield File("tests/test.sh", _script(task, wanted).encode(), executable=True)
    yield File("tests/grade.py", (HERE / "grade.py.txt").read_bytes())
    yield File("tests/wanted.json", canonical(ids))
    yield File("tests/files/.keep", b"")
    for path, content in sorted(whole_files(wanted.tests, wanted.data).items()):
        yield File(f"tests/files/{path}", content)


def seconds(task: Task) -> float:
    """How long the tests may take."""
    given = imported(task)
    return given.timeout if given else suite(task).suite.timeout + 60.0


def imported(task: Task) -> HarborParams | None:
    """The tests that the task came with, if it is a folder that was taken in."""
    if [check.verifier for check in task.checks] != ["harbor"]:
        return None
    try:
        return HarborParams.model_validate(task.checks[0].params)
    except ValidationError as wrong:
        raise Rejected("not_judged_by_a_suite", str(wrong)) from wrong


def suite(task: Task) -> SuiteParams:
    """The one suite that judges the task, if its framework can be told in Harbor's terms."""
    found = suites.suite(task)
    if found.suite.runner != RUNNER:
        raise Rejected("no_harbor_runner", found.suite.runner)
    return found


def _script(task: Task, wanted: SuiteParams) -> str:
    named = {test.partition("::")[0] for test in (*wanted.fail_to_pass, *wanted.pass_to_pass)}
    words = {
        "workdir": shlex.quote(task.env.workdir),
        "build": wanted.suite.build or ":",
        "command": wanted.suite.command,
        "stale": shlex.join(sorted({*wanted.tests, *wanted.data, *wanted.deleted})),
        "paths": shlex.join(sorted(named)),
    }
    return Template((HERE / "test.sh").read_text("utf-8")).substitute(words)
