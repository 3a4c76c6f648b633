"""C and C++ (and whatever else these build): CTest, GoogleTest and Meson, by the JUnit XML each of them writes."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from crucible.domains.code.outcomes import FinishedCommand, Status
from verifiers.readers.archive import read_junit_members, read_members
from verifiers.readers.junit import parse_xml, read_cases
from verifiers.readers.reader import Reader, Reading, worst_outcomes

UNABLE = re.compile(r"unable to find|could not find|missing|failed", re.IGNORECASE)
# matches: "Unable to find executable: a_test": CTest calls a test skipped that it could not run, and fails


def read_ctest(report: bytes, done: FinishedCommand) -> Reading:
    """Every test by its name. Skipped tests that could not be run have failed."""
    outcomes = worst_outcomes((case.name, case.status) for case in read_cases(report))
    for element in parse_xml(report).iter("testcase"):
        skipped, name = element.find("skipped"), element.get("name", "")
        if skipped is not None and UNABLE.search(skipped.get("message", "")):
            outcomes[name] = "failed"
        elif element.get("status") == "disabled":
            outcomes[name] = "skipped"
    return Reading(outcomes=outcomes)


def read_gtest(report: bytes, done: FinishedCommand) -> Reading:
    """The tests of every binary, each of which leaves one file. A disabled test is reported as one that was not run."""
    pairs: list[tuple[str, Status]] = []
    for path, data in read_members(report):
        elements = parse_xml(data).iter("testcase")
        not_run = {
            f"{case.get('classname', '')}.{case.get('name', '')}" for case in elements if case.get("status") == "notrun"
        }
        binary = PurePosixPath(path).stem
        for case in read_cases(data):
            name = f"{case.classname}.{case.name}"
            pairs.append((f"{binary}::{name}", "skipped" if name in not_run else case.status))
    return Reading(outcomes=worst_outcomes(pairs))


def read_meson(report: bytes, done: FinishedCommand) -> Reading:
    """The tests of every build folder, each of which leaves one file."""
    cases = read_junit_members(report)
    return Reading(outcomes=worst_outcomes((f"{case.classname}::{case.name}", case.status) for case in cases))


READERS = {
    "ctest": Reader("ctest", read_ctest, last_code=8),
    "gtest": Reader("gtest", read_gtest),
    "meson": Reader("meson", read_meson, last_code=125, broken=(r"^ninja: build stopped",)),
}
