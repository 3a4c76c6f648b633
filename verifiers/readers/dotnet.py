"""dotnet test, by the .trx file that each test project leaves."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from crucible.domains.code.outcomes import FinishedCommand, Status
from verifiers.readers.archive import read_members
from verifiers.readers.bad_report import BadReport
from verifiers.readers.junit import parse_xml
from verifiers.readers.reader import Reader, Reading, worst_outcomes

STATUS: dict[str, Status] = {"Passed": "passed", "NotExecuted": "skipped", "Inconclusive": "skipped"}
UNFINISHED = ("Aborted", "Error", "Disconnected", "Timeout")
BROKEN = (r": error (CS|FS|BC|MSB|NETSDK)\d+: ",)  # A.cs(3,1): error CS1002: ; expected


def read(report: bytes, done: FinishedCommand) -> Reading:
    """The tests of every project, each of which leaves one file."""
    return Reading(outcomes=worst_outcomes(pair for _, data in read_members(report) for pair in _read_project(data)))


def _read_project(data: bytes) -> Iterator[tuple[str, Status]]:
    root = parse_xml(data)
    if _tag(root) != "TestRun":
        raise BadReport(f"the report's root element is '{root.tag[:40]}'")
    summary = next((element for element in root.iter() if _tag(element) == "ResultSummary"), None)
    if summary is None or summary.get("outcome") in UNFINISHED:
        raise BadReport("the run was aborted")
    classes = {element.get("id", ""): _class_name(element) for element in root.iter() if _tag(element) == "UnitTest"}
    for result in root.iter():
        if _tag(result) == "UnitTestResult":
            yield _test_id(classes, result), STATUS.get(result.get("outcome", ""), "failed")


def _test_id(classes: dict[str, str], result: Element) -> str:
    """`Class::name`, whether or not the framework puts the class into the test's name."""
    above, name = classes.get(result.get("testId", ""), ""), result.get("testName", "")
    return f"{above}::{name.removeprefix(f'{above}.')}" if above else name


def _class_name(test: Element) -> str:
    method = next((element for element in test.iter() if _tag(element) == "TestMethod"), None)
    return "" if method is None else method.get("className", "").partition(",")[0]


def _tag(element: Element) -> str:
    """The element's name without its namespace."""
    return element.tag.rpartition("}")[2]


READERS = {"dotnet": Reader("dotnet", read, broken=BROKEN)}
