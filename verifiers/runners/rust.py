"""Rust: cargo, and nextest where the command says so."""

from __future__ import annotations

from collections.abc import Sequence

from crucible.domains.code.suite import Runner, Suite, runner
from verifiers.readers.cargo import CARGO, NEXTEST, CargoReader
from verifiers.runners.framework import Framework


class Cargo:
    """Implements `crucible.domains.code.suite.Runner`: nextest's command leaves JUnit XML, any other its text."""

    reader = CargoReader()

    def command(self, suite: Suite, report: str, paths: Sequence[str]) -> str:
        """The script for cargo or for nextest."""
        reader = NEXTEST if "nextest" in suite.command else CARGO
        return Framework(reader, adapt=add_options).command(suite, report, paths)

    def paths(self, tests: Sequence[str]) -> Sequence[str]:
        """Nothing: only all can be run."""
        return ()


@runner("cargo")
def cargo() -> Runner:
    """Rust's tests. A test is called `binary::source file::module::name`; with nextest `binary::module::name`."""
    return Cargo()


def add_options(command: str, paths: Sequence[str]) -> str:
    """The command with options before those of the test binaries."""
    before, dashes, after = command.partition(" -- ")
    return f"{before} --no-fail-fast{dashes}{after}"
