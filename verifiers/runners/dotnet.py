"""dotnet test, by the .trx file that each test project leaves."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from crucible.domains.code.suite import Runner, Status, runner
from crucible.sandbox import Done
from verifiers.runners.archive import members
from verifiers.runners.framework import Found, Framework, merged
from verifiers.runners.junit import BadReport, tree

STATUS: dict[str, Status] = {"Passed": "passed", "NotExecuted": "skipped", "Inconclusive": "skipped"}
UNFINISHED = ("Aborted", "Error", "Disconnected", "Timeout")


@runner("dotnet")
def dotnet() -> Runner:
    """dotnet test. A test is called `Namespace.Class::Method(parameters)`."""
    return Framework("dotnet", read)


def read(report: bytes, done: Done) -> Found:
    """One file for each project."""
    return Found(outcomes=merged(pair for _, data in members(report) for pair in _project(data)))


def _project(data: bytes) -> Iterator[tuple[str, Status]]:
    root = tree(data)
    if _tag(root) != "TestRun":
        raise BadReport(f"the report's root element is '{root.tag[:40]}'")
    summary = next((element for element in root.iter() if _tag(element) == "ResultSummary"), None)
    if summary is None or summary.get("outcome") in UNFINISHED:
        raise BadReport("the run was aborted")
    classes = {element.get("id", ""): _class(element) for element in root.iter() if _tag(element) == "UnitTest"}
    for result in root.iter():
        if _tag(result) == "UnitTestResult":
            yield _id(classes, result), STATUS.get(result.get("outcome", ""), "failed")


def _id(classes: dict[str, str], result: Element) -> str:
    """Frameworks differ in whether a test's name holds its class."""
    above, name = classes.get(result.get("testId", ""), ""), result.get("testName", "")
    return f"{above}::{name.removeprefix(f'{above}.')}" if above else name


def _class(test: Element) -> str:
    method = next((element for element in test.iter() if _tag(element) == "TestMethod"), None)
    return "" if method is None else method.get("className", "").partition(",")[0]


def _tag(element: Element) -> str:
    return element.tag.rpartition("}")[2]
