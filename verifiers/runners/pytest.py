"""pytest: started so that it writes JUnit XML and leaves no cache, read into one outcome per test."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

from crucible.domains.code.suite import Canary, Report, Runner, Status, Suite, runner
from crucible.sandbox import Done
from verifiers.canary import hatch
from verifiers.runners.junit import BadReport, Case, cases

OPTIONS = (
    *("-p", "no:cacheprovider", "-o", "junit_family=xunit1", "-o", "junit_logging=no"),
    *("--continue-on-collection-errors", "--maxfail=0", "-q", "--tb=short", "--color=no"),
)
WORST: dict[Status, int] = {"failed": 3, "skipped": 2, "xfailed": 1, "passed": 0}
ENDED = (0, 1)
"""Exit codes of a run that came to its end: all passed, some failed."""
CODES = {2: "it was interrupted", 3: "an internal error", 4: "it was called wrongly", 5: "it found no tests"}
LOG = 6000


class Pytest:
    """Implements `crucible.domains.code.suite.Runner`."""

    def command(self, suite: Suite, report: str, paths: Sequence[str]) -> str:
        """Options from outside are cleared; the report's place is the last word."""
        words = shlex.join([*OPTIONS, f"--junitxml={report}", *paths])
        return f"env -u PYTEST_ADDOPTS -u PYTEST_PLUGINS {suite.command} {words}"

    def parse(self, report: bytes, done: Done) -> Report:
        """What each test did; not complete unless pytest itself came to its end."""
        log = f"{done.out}\n{done.err}".strip()[-LOG:]
        try:
            outcomes = _outcomes(report)
        except BadReport as bad:
            return Report(code=done.code, why=_stopped(done) or str(bad), log=log)
        why = _stopped(done) or ("" if outcomes else "the report counts no tests")
        return Report(outcomes=outcomes, complete=not why, code=done.code, why=why, log=log)

    def paths(self, tests: Sequence[str]) -> Sequence[str]:
        """The files they are in."""
        return sorted({test.partition("::")[0] for test in tests})

    def canary(self, tests: Sequence[str], files: Mapping[str, str]) -> Canary | None:
        """One of the tests under another name, with one more assertion."""
        return hatch(tests, files)


@runner("pytest")
def pytest() -> Runner:
    """Python's pytest, by its JUnit XML."""
    return Pytest()


def _stopped(done: Done) -> str:
    if done.stopped:
        return f"pytest was stopped: {done.stopped}"
    return "" if done.code in ENDED else f"pytest ended with code {done.code}, {CODES.get(done.code, 'not its own')}"


def _outcomes(report: bytes) -> dict[str, Status]:
    """Where a test is reported twice (its body, then its teardown) the worse counts."""
    outcomes: dict[str, Status] = {}
    for case in cases(report):
        name = test_id(case)
        outcomes[name] = max(case.status, outcomes.get(name, "passed"), key=WORST.__getitem__)
    return outcomes


def test_id(case: Case) -> str:
    """`path::Class::name[param]`. A file that could not be collected is named by its path alone."""
    if not case.classname:
        return case.file or f"{case.name.replace('.', '/')}.py"
    path, classes = _place(case)
    return "::".join([path, *classes, case.name])


def _place(case: Case) -> tuple[str, list[str]]:
    """A test inherited from another file reports that file, so the class name decides where it is."""
    module = case.file.removesuffix(".py").replace("/", ".")
    if case.file and f"{case.classname}.".startswith(f"{module}."):
        return case.file, [part for part in case.classname[len(module) :].split(".") if part]
    parts = case.classname.split(".")
    ends = next(
        (n for n, part in enumerate(parts) if part.startswith("test_") or part.endswith("_test")), len(parts) - 1
    )
    return "/".join(parts[: ends + 1]) + ".py", parts[ends + 1 :]
