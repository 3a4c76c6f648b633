"""PHPUnit, by its JUnit XML."""

from __future__ import annotations

from crucible.domains.code.outcomes import FinishedCommand
from verifiers.readers.junit import Case, read_cases
from verifiers.readers.reader import Reader, Reading, worst_outcomes
from verifiers.readers.rooted import relative_path, split_root

BROKEN = (r"^PHP (Parse|Fatal) error: ", r"^(Parse|Fatal) error: ")  # PHP Parse error: syntax error, unexpected ';'


def read(report: bytes, done: FinishedCommand) -> Reading:
    """Every case by its file, its class and its data set."""
    root, body = split_root(report)
    return Reading(outcomes=worst_outcomes((_test_id(root, case), case.status) for case in read_cases(body)))


def _test_id(root: str, case: Case) -> str:
    """`file::Class::method`. Classes are written with dots in one attribute and backslashes in the other: backslashes
    are PHP's."""
    return "::".join([relative_path(root, case.file), case.classname.replace(".", "\\"), case.name])


READERS = {"phpunit": Reader("phpunit", read, last_code=2, broken=BROKEN)}
