"""busted, for Lua, by its JUnit XML."""

from __future__ import annotations

import re

from crucible.domains.code.outcomes import FinishedCommand, Status
from verifiers.readers.junit import Case, parse_xml, read_cases
from verifiers.readers.reader import Reader, Reading, worst_outcomes

UNLOADED = re.compile(r"^(?:\./)?(\S+?):\d+: ")
# matches: "./spec/a_spec.lua:3: unexpected symbol", an error outside of any test: a file that does not load
LINE_NUMBER = re.compile(r":\d+$")
# matches: the ":12" of "spec/a_spec.lua:12"


def read(report: bytes, done: FinishedCommand) -> Reading:
    """Every test by its file, which is the class with a line's number; a file that does not load is named by its path
    alone."""
    pairs: list[tuple[str, Status]] = [(_test_id(case), case.status) for case in read_cases(report)]
    unloaded = [UNLOADED.match(error.text or "") for error in parse_xml(report).iterfind("error")]
    return Reading(outcomes=worst_outcomes([*pairs, *((match[1] if match else "?", "failed") for match in unloaded)]))


def _test_id(case: Case) -> str:
    path = LINE_NUMBER.sub("", case.classname).removeprefix("./")
    return f"{path}::{case.name}" if case.name and case.name != path else path


READERS = {"busted": Reader("busted", read, last_code=255)}
