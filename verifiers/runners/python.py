"""Python: pytest, unittest, and tests behind a command of their own."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from crucible.domains.code.suite import Runner, Suite, runner
from verifiers.readers import nose as nose_text
from verifiers.readers import unittest as unittest_text
from verifiers.readers.pytest import PytestReader
from verifiers.runners.framework import Framework, files_of, write_reporter

PYTEST_OPTIONS = (
    *("-p", "no:cacheprovider", "-o", "junit_family=xunit1", "-o", "junit_logging=no"),
    *("--continue-on-collection-errors", "--maxfail=0", "-q", "--tb=short", "--color=no"),
)
EVENTS = "crucible_events.py"
"""Our plugin, which says what each test did as soon as it did."""


class Pytest:
    """Implements `crucible.domains.code.suite.Runner`: JUnit XML is written, and no cache is left behind."""

    reader = PytestReader()

    def command(self, suite: Suite, report: str, paths: Sequence[str]) -> str:
        """Options from outside are cleared; the report's place is the last word."""
        words = shlex.join([*PYTEST_OPTIONS, "-p", EVENTS.removesuffix(".py"), f"--junitxml={report}", *paths])
        found = f'export PYTHONPATH="{report}.d${{PYTHONPATH:+:$PYTHONPATH}}"\n'
        run = f"env -u PYTEST_ADDOPTS -u PYTEST_PLUGINS {suite.command} {words}"
        return write_reporter(EVENTS, shlex.quote(report)) + found + run

    def paths(self, tests: Sequence[str]) -> Sequence[str]:
        """The files they are in."""
        return files_of(tests)


@runner("pytest")
def pytest() -> Runner:
    """Python's pytest, by its JUnit XML."""
    return Pytest()


@runner("unittest")
def unittest() -> Runner:
    """Python's unittest. A test is called `module.Class::method`."""
    return Framework(unittest_text.READERS["unittest"])


@runner("nose")
def nose() -> Runner:
    """nose, tox and the like. A test is called as it is printed: `path::name` or `name (module.Class)`."""
    return Framework(nose_text.READERS["nose"])
