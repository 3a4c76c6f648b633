"""Java and its kin: Maven and Gradle, by the JUnit XML that each test class leaves, gathered after the run."""

from __future__ import annotations

import re

from crucible.domains.code.outcomes import FinishedCommand
from verifiers.readers.archive import read_junit_members
from verifiers.readers.bad_report import BadReport
from verifiers.readers.junit import Case
from verifiers.readers.reader import Reader, Reading, worst_outcomes
from verifiers.readers.text import clean_text

CRASHED = re.compile(r"forked VM terminated|error in the fork|Gradle Test Executor \d+' finished with non-zero")
# matches: "The forked VM terminated without saying properly goodbye"
BROKEN_MAVEN = (
    r"^\[ERROR\] /.*\.(java|scala|groovy):\[\d+,\d+\]",  # [ERROR] /workspace/src/A.java:[3,9] cannot find symbol
    r"^\[ERROR\] COMPILATION ERROR",
    r"^\[ERROR\] .*Compilation failure",
)
BROKEN_GRADLE = (
    r"\.(java|kt|scala|groovy):\d+: error:",  # /workspace/src/A.java:3: error: cannot find symbol
    r"^e: .*\.kt",  # e: /workspace/src/A.kt: (3, 9): Unresolved reference
    r"^> Task :\S*compile\S* FAILED",  # > Task :compileJava FAILED
    r"Compilation failed; see",
)


def read(report: bytes, done: FinishedCommand) -> Reading:
    """Every test of every class. A virtual machine that died has taken its results along: then nothing is known."""
    if crash := CRASHED.search(clean_text(f"{done.out}\n{done.err}")):
        raise BadReport(f"a test process died: {crash[0]}")
    return Reading(outcomes=worst_outcomes((_test_id(case), case.status) for case in read_junit_members(report)))


def _test_id(case: Case) -> str:
    """`package.Class::method`. Gradle ends a method of JUnit 5 with parentheses, Maven does not. A class that could not
    start has no method."""
    name = case.name.removesuffix("()")
    return f"{case.classname}::{name}" if name and name != case.classname else case.classname


READERS = {
    "maven": Reader("maven", read, broken=BROKEN_MAVEN),
    "gradle": Reader("gradle", read, broken=BROKEN_GRADLE),
}
