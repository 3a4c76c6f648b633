"""Test suites: how a repository's tests are run and read. Pipelines measure with it, verifiers judge with it.

A *runner* knows one test framework: how to make it write a machine-readable report, and who reads that report. It
never decides anything; its reader returns what each test did (`outcomes.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from pydantic import Field

from crucible import parts
from crucible.domains.code.outcomes import Report as Report
from crucible.domains.code.outcomes import ReportReader
from crucible.domains.code.outcomes import Status as Status
from crucible.domains.code.report_pipes import ReportPipes
from crucible.domains.code.siblings import Sibling
from crucible.domains.code.twins import Twin
from crucible.errors import SandboxError
from crucible.record import Record
from crucible.sandbox import Done, Sandbox


class Suite(Record):
    """How one repository's tests are started."""

    runner: str = "pytest"
    command: str = "python3 -m pytest"
    """The framework's own command, without report options."""
    build: str = ""
    """What is run first, where code must be compiled or bundled before its tests can run."""
    paths: tuple[str, ...] = ()
    """What is run of it, as the runner names things; everything when empty."""
    timeout: float = 300.0
    """Of the build, and of the tests."""


class SuiteParams(Record):
    """What a suite must show of a change: the parameters of the `suite` verifier, as a pipeline writes them."""

    suite: Suite = Suite()
    tests: dict[str, str] = Field(default_factory=dict)
    """The task's own test files by path below the workdir; they are laid over whatever is there."""
    data: dict[str, str] = Field(default_factory=dict)
    """Those of its test files that are no text, in base64."""
    inline: dict[str, str] = Field(default_factory=dict)
    """The task's tests within source files, by path: they take the place of whatever tests are in those files."""
    deleted: tuple[str, ...] = ()
    """Test files that must not be there."""
    fail_to_pass: tuple[str, ...]
    """Ids of the tests that must start to pass. A skipped or missing one has failed."""
    pass_to_pass: tuple[str, ...] = ()
    """Ids of the tests that must keep passing. A missing one has failed, and so has a skipped one unless the
    reference's run skips it too."""
    twins: tuple[Twin, ...] = ()
    """Alterations of these tests that right code fails, as seen when the task was proven, and others of the same tests
    that were not tried."""

    siblings: tuple[Sibling, ...] = Field(default=(), exclude_if=lambda siblings: not siblings)
    """The same tests with other inputs, over which right code was seen to answer otherwise than the base. Without any,
    a task's id is what it was before there were such."""

    @property
    def proven_twins(self) -> tuple[Twin, ...]:
        """The alterations that right code was seen to fail."""
        return tuple(twin for twin in self.twins if twin.is_proven)


class Runner(Protocol):
    """One test framework."""

    def command(self, suite: Suite, report: str, paths: Sequence[str]) -> str:
        """The shell command that runs `paths` (all when empty) and writes the report file."""

    @property
    def reader(self) -> ReportReader:
        """What reads the report file."""

    def paths(self, tests: Sequence[str]) -> Sequence[str]:
        """What to run so that these tests run, and as little else as possible; empty when only all can be run."""


def runner(name: str) -> Callable[[Callable[[], Runner]], Callable[[], Runner]]:
    """Register a test framework: `() -> Runner`."""
    return parts.register("runner", name)


def find_runner(name: str) -> Runner:
    """The test framework of that name."""
    runner: Runner = parts.find("runner", name).make()
    return runner


async def run_suite(box: Sandbox, runner: Runner, suite: Suite, paths: Sequence[str] = ()) -> Report:
    """Build, then run the tests in a box."""
    return await build_suite(box, suite) or await run_built(box, runner, suite, paths)


async def build_suite(box: Sandbox, suite: Suite) -> Report | None:
    """Run what must be compiled or bundled first. The report of a build that failed, None where the tests can run."""
    if not suite.build:
        return None
    built = await box.exec(suite.build, timeout=suite.timeout)
    await box.end_processes()  # what a build leaves running could watch the tests
    return None if built.ok else _report_failed_build(built)


async def run_built(box: Sandbox, runner: Runner, suite: Suite, paths: Sequence[str] = ()) -> Report:
    """Run the tests of what is built. The report goes where the code under test cannot predict it and nobody can
    rewrite it; it is read once every process of the run is gone, and held against what the framework said as it ran."""
    pipes = ReportPipes(box)
    if not (opened := await pipes.open()).ok:
        raise SandboxError(f"the report's pipes could not be made: {opened.err.strip()[-300:]}")
    done = await box.exec(runner.command(suite, pipes.report, paths or suite.paths), timeout=suite.timeout)
    await pipes.close(done)
    report = runner.reader.parse(await pipes.read("report"), done)
    return runner.reader.dispute(report, await pipes.read("events")) if report.complete else report


def _report_failed_build(built: Done) -> Report:
    """The report after a failed build. A compiler that says no has decided something; one that was stopped has not."""
    log = f"{built.out}\n{built.err}".strip()[-6000:]
    why = f"the build was stopped: {built.stopped}" if built.stopped else f"the build ended with code {built.code}"
    return Report(code=built.code, why=why, broken="" if built.stopped else why, log=log)
