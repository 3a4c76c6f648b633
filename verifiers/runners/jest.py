"""Jest, and Vitest, which writes the same JSON."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import Any

from crucible.domains.code.suite import Runner, Status, runner
from crucible.sandbox import Done
from verifiers import canaries
from verifiers.runners.framework import Found, Framework, files_of, merged, patient
from verifiers.runners.junit import BadReport
from verifiers.runners.rooted import below, loaded, objects, split

STATUS: dict[str, Status] = {"passed": "passed", "pending": "skipped", "skipped": "skipped", "todo": "skipped"}
STATUS["disabled"] = "skipped"
WORKERS = {"-i", "--runInBand", "-w", "--maxWorkers"}


@runner("jest")
def jest() -> Runner:
    """Jest, by its JSON."""
    return Framework("jest", read, files_of, canaries.appended("jest"), beside)


@runner("vitest")
def vitest() -> Runner:
    """Vitest, by the JSON it shares with Jest."""
    return Framework("vitest", read, files_of, canaries.appended("vitest"), patient)


def beside(command: str, paths: Sequence[str]) -> str:
    """The command with tests in processes of their own, unless it says where they are to run, and given time."""
    said = {word.partition("=")[0] for word in shlex.split(command)}
    return patient(command if said & WORKERS else f"{command} $workers", paths)


def read(report: bytes, done: Done) -> Found:
    """One outcome for each test, and one for each file that failed without a failing test of its own."""
    root, body = split(report)
    whole = loaded(body)
    if not isinstance(whole, dict):
        raise BadReport("the report has another shape than the framework gives it")
    if whole.get("wasInterrupted"):
        raise BadReport("the run was interrupted")
    found = [pair for file in objects(whole.get("testResults")) for pair in _file(root, file)]
    counted = sum("::" in name for name, _ in found)
    if whole.get("numTotalTests") != counted:
        raise BadReport(f"the report counts {whole.get('numTotalTests')} tests and holds {counted}")
    return Found(outcomes=merged(found))


def _file(root: str, file: dict[str, Any]) -> Iterator[tuple[str, Status]]:
    path = below(root, str(file.get("name", "")))
    tests = [_test(path, test) for test in objects(file.get("assertionResults"))]
    yield from tests
    if file.get("status") == "failed" and "failed" not in dict(merged(tests)).values():
        yield path, "failed"


def _test(path: str, test: dict[str, Any]) -> tuple[str, Status]:
    above = test.get("ancestorTitles")
    names = [*(above if isinstance(above, list) else ()), test.get("title", "")]
    return f"{path}::{' > '.join(str(name) for name in names if name)}", STATUS.get(str(test.get("status")), "failed")
