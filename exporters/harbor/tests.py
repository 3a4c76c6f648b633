"""What judges the task, as a script that leaves a reward: its test suite, the folders that its script is tried in, or
the tests it came with."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from string import Template
from typing import TypeVar

from pydantic import ValidationError

from crucible.domains.code.harbor import HarborParams
from crucible.domains.code.overlay import clear_command, whole_files
from crucible.domains.code.suite import SuiteParams
from crucible.domains.terminal.comparing import ScriptParams
from crucible.errors import Rejected
from crucible.exporting import File
from crucible.model import Task
from crucible.record import Record, canonical
from exporters.harbor.grader import find_runner, grader_files, reader_module, script_grader_files
from exporters.suites import suite_params

R = TypeVar("R", bound=Record)
HERE = Path(__file__).parent
SUPPORTED = "import sys; sys.exit(sys.version_info < (3, 10))"
"""A Python program that ends with 0 where the interpreter can run the grader."""
TOKEN = "THE-REPORTS-PLACE"
"""What `run.sh` says for a name that nobody can guess."""
SERVICE_SECONDS = 20.0
"""How long a service of a folder may take to start, and to answer."""
LONGEST_COMMAND = 60_000
"""What names more than this runs everything, as the verifier does."""
NOT_EXPORTED = {"line", "is_near", "is_proven", "is_copied", "is_denied", "is_told", "is_told_beside", "shown"}
"""What the grader of a folder does not need to know of an alteration."""


def test_files(task: Task) -> Iterator[File]:
    """`test.sh`, who grades, what must pass, and the test files; the tests of an imported folder as they were."""
    if imported := imported_params(task):
        for path, test_file in imported.files.items():
            yield File(f"tests/{path}", test_file.data, executable=test_file.executable or path == "test.sh")
        return
    if script := script_params(task):
        yield from _script_test_files(task, script)
        return
    params = suite_params(task)
    yield File("tests/test.sh", _test_script(task, params).encode(), executable=True)
    yield File("tests/run.sh", _run_script(params).encode())
    if params.suite.build:
        yield File("tests/build.sh", f"{params.suite.build}\n".encode())
    for file in grader_files(params.suite.runner, bool(params.inline)):
        yield file._replace(path=f"tests/grade/{file.path}")
    yield File("tests/wanted.json", canonical(_grader_params(params)))
    for path, content in sorted(whole_files(params.tests, params.data).items()):
        yield File(f"tests/files/{path}", content)


def _script_test_files(task: Task, params: ScriptParams) -> Iterator[File]:
    """`test.sh`, who grades, and the folders with what is expected in them."""
    fields = {
        "workdir": shlex.quote(task.env.workdir),
        "user": shlex.quote(task.env.recipe.user),
        "supported": SUPPORTED,
    }
    test = Template((HERE / "script" / "test.sh").read_text("utf-8")).substitute(fields)
    yield File("tests/test.sh", test.encode(), executable=True)
    for file in script_grader_files():
        yield file._replace(path=f"tests/grade/{file.path}")
    yield File("tests/wanted.json", canonical(params.model_dump(mode="json")))


def image_commands(task: Task) -> tuple[str, ...]:
    """The commands that give an image what grades; it is the tests' own affair in a folder that was taken in."""
    return () if imported_params(task) else ((HERE / "python.sh").read_text("utf-8").replace("SUPPORTED", SUPPORTED),)


def time_limit(task: Task) -> float:
    """How many seconds the build and the tests may take."""
    if imported := imported_params(task):
        return imported.timeout
    if script := script_params(task):
        services = sum(bool(case.scene.service or case.scene.asked) for case in script.cases)
        return script.seconds * len(script.cases) + 60.0 + SERVICE_SECONDS * services
    limits = suite_params(task).suite
    runs = 2 if suite_params(task).twins else 1
    return runs * limits.timeout * (2 if limits.build else 1) + 60.0


def imported_params(task: Task) -> HarborParams | None:
    """The tests that the task came with, if it is a folder that was taken in."""
    return _only_params(task, "harbor", HarborParams)


def script_params(task: Task) -> ScriptParams | None:
    """What a script must do, if the task asks for one."""
    return _only_params(task, "script-effects", ScriptParams)


def _only_params(task: Task, verifier: str, kind: type[R]) -> R | None:
    """The parameters of the task's only check, if that is by this verifier."""
    if [check.verifier for check in task.checks] != [verifier]:
        return None
    try:
        return kind.model_validate(task.checks[0].params)
    except ValidationError as wrong:
        raise Rejected("not_judged_by_a_suite", str(wrong)) from wrong


def _grader_params(params: SuiteParams) -> dict[str, object]:
    """`wanted.json`, by which `grade/__main__.py` grades."""
    return {
        "runner": params.suite.runner,
        "module": reader_module(params.suite.runner),
        "fail_to_pass": list(params.fail_to_pass),
        "pass_to_pass": list(params.pass_to_pass),
        "inline": params.inline,
        "twins": [twin.model_dump(mode="json", exclude=NOT_EXPORTED) for twin in params.proven_twins],
    }


def _run_script(params: SuiteParams) -> str:
    """`run.sh`, what the verifier would run: the framework's own command, for the tests that count."""
    runner = find_runner(params.suite.runner)
    paths = runner.paths([*params.fail_to_pass, *params.pass_to_pass])
    few = sum(map(len, paths)) < LONGEST_COMMAND
    return runner.command(params.suite, f"/tmp/{TOKEN}/report", (few and paths) or params.suite.paths) + "\n"


def _test_script(task: Task, params: SuiteParams) -> str:
    """`test.sh`, filled in."""
    fields = {
        "workdir": shlex.quote(task.env.workdir),
        "user": shlex.quote(task.env.recipe.user),
        "supported": SUPPORTED,
        "seconds": f"{params.suite.timeout:.0f}",
        "clear": clear_command(sorted({*params.tests, *params.data, *params.deleted})),
        "token": TOKEN,
        "twins": "yes" if params.twins else "no",
    }
    return Template((HERE / "test.sh").read_text("utf-8")).substitute(fields)
