"""busted, for Lua, by its JUnit XML."""

from __future__ import annotations

import re

from crucible.domains.code.suite import Runner, Status, runner
from crucible.sandbox import Done
from verifiers import canaries
from verifiers.runners.framework import Found, Framework, files_of, merged
from verifiers.runners.junit import Case, cases, tree

UNLOADED = re.compile(r"^(?:\./)?(\S+?):\d+: ")
"""An error outside of any test: a file that does not load."""


@runner("busted")
def busted() -> Runner:
    """busted. A test is called `file::full name`."""
    return Framework("busted", read, files_of, canaries.appended("busted"))


def read(report: bytes, done: Done) -> Found:
    """The class is the file and the line; a file that does not load is named by its path alone."""
    found: list[tuple[str, Status]] = [(_id(case), case.status) for case in cases(report)]
    unloaded = [UNLOADED.match(error.text or "") for error in tree(report).iterfind("error")]
    return Found(outcomes=merged([*found, *((match[1] if match else "?", "failed") for match in unloaded)]))


def _id(case: Case) -> str:
    path = re.sub(r":\d+$", "", case.classname).removeprefix("./")
    return f"{path}::{case.name}" if case.name and case.name != path else path
