"""Java and its kin: Maven and Gradle, by the JUnit XML that each test class leaves, gathered after the run."""

from __future__ import annotations

import re
from collections.abc import Sequence

from crucible.domains.code.suite import Runner, runner
from crucible.sandbox import Done
from verifiers import canaries
from verifiers.runners.archive import junit
from verifiers.runners.framework import Found, Framework, merged
from verifiers.runners.junit import BadReport, Case
from verifiers.runners.text import clean

CRASHED = re.compile(r"forked VM terminated|error in the fork|Gradle Test Executor \d+' finished with non-zero")


@runner("maven")
def maven() -> Runner:
    """Maven's Surefire. A test is called `package.Class::method`."""
    return Framework("maven", read, classes_of, canaries.appended("maven"))


@runner("gradle")
def gradle() -> Runner:
    """Gradle's test tasks. A test is called `package.Class::method`."""
    return Framework("gradle", read, hatch=canaries.appended("gradle"))


def classes_of(tests: Sequence[str]) -> Sequence[str]:
    """The outermost classes, each with those nested in it."""
    outer = {re.split(r"::|\$", test)[0] for test in tests}
    return sorted(pattern for name in outer for pattern in (name, f"{name}$*"))


def read(report: bytes, done: Done) -> Found:
    """A virtual machine that died has taken its results along: nothing is known of them."""
    if crash := CRASHED.search(clean(f"{done.out}\n{done.err}")):
        raise BadReport(f"a test process died: {crash[0]}")
    return Found(outcomes=merged((_id(case), case.status) for _, case in junit(report)))


def _id(case: Case) -> str:
    """Gradle ends a method of JUnit 5 with parentheses, Maven does not. A class that could not start has no method."""
    name = case.name.removesuffix("()")
    return f"{case.classname}::{name}" if name and name != case.classname else case.classname
