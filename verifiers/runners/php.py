"""PHPUnit, by its JUnit XML."""

from __future__ import annotations

from crucible.domains.code.suite import Runner, runner
from crucible.sandbox import Done
from verifiers import canaries
from verifiers.runners.framework import Found, Framework, merged
from verifiers.runners.junit import Case, cases
from verifiers.runners.rooted import below, split


@runner("phpunit")
def phpunit() -> Runner:
    """PHPUnit. A test is called `file::Class::method`. It runs one path at most, so all are run."""
    return Framework("phpunit", read, hatch=canaries.appended("phpunit"))


def read(report: bytes, done: Done) -> Found:
    """Every case by its file, its class and its data set."""
    root, body = split(report)
    return Found(outcomes=merged((_id(root, case), case.status) for case in cases(body)))


def _id(root: str, case: Case) -> str:
    """Classes are written with dots in one attribute and backslashes in the other: backslashes are PHP's."""
    return "::".join([below(root, case.file), case.classname.replace(".", "\\"), case.name])
