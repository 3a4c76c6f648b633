"""C and C++ (and whatever else these build): CTest, GoogleTest and Meson, by the JUnit XML each of them writes."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from crucible.domains.code.suite import Runner, Status, runner
from crucible.sandbox import Done
from verifiers.runners.archive import junit, members
from verifiers.runners.framework import Found, Framework, merged
from verifiers.runners.junit import cases, tree

UNABLE = re.compile(r"unable to find|could not find|missing|failed", re.IGNORECASE)
"""CTest's reasons for a test that it wanted to run and could not: it calls these skipped, and fails."""


@runner("ctest")
def ctest() -> Runner:
    """CTest. A test is called by the name it was added under."""
    return Framework("ctest", read_ctest)


@runner("gtest")
def gtest() -> Runner:
    """GoogleTest binaries. A test is called `binary::Suite.Name`."""
    return Framework("gtest", read_gtest)


@runner("meson")
def meson() -> Runner:
    """Meson's own test command. A test is called `suite::name`."""
    return Framework("meson", read_meson)


def read_ctest(report: bytes, done: Done) -> Found:
    """Skipped tests that could not be run have failed."""
    states = merged((case.name, case.status) for case in cases(report))
    for element in tree(report).iter("testcase"):
        skipped, name = element.find("skipped"), element.get("name", "")
        if skipped is not None and UNABLE.search(skipped.get("message", "")):
            states[name] = "failed"
        elif element.get("status") == "disabled":
            states[name] = "skipped"
    return Found(outcomes=states)


def read_gtest(report: bytes, done: Done) -> Found:
    """One file for each binary. A disabled test is reported as one that was not run."""
    found: list[tuple[str, Status]] = []
    for path, data in members(report):
        unrun = {_name(case.attrib) for case in tree(data).iter("testcase") if case.get("status") == "notrun"}
        binary = PurePosixPath(path).stem
        for case in cases(data):
            name = f"{case.classname}.{case.name}"
            found.append((f"{binary}::{name}", "skipped" if name in unrun else case.status))
    return Found(outcomes=merged(found))


def read_meson(report: bytes, done: Done) -> Found:
    """One file for each build folder."""
    return Found(outcomes=merged((f"{case.classname}::{case.name}", case.status) for _, case in junit(report)))


def _name(attributes: dict[str, str]) -> str:
    return f"{attributes.get('classname', '')}.{attributes.get('name', '')}"
