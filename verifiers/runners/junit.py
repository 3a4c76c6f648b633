"""JUnit XML, read without trust: the code under test may have written it."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree
from xml.parsers import expat

from crucible.domains.code.suite import Status
from crucible.record import Record

LARGEST = 32 << 20
MOST_CASES = 200_000


class Case(Record):
    """One `testcase` element."""

    classname: str
    name: str
    file: str
    status: Status


class BadReport(ValueError):
    """The bytes are no report; the message says why."""


def cases(data: bytes) -> Iterator[Case]:
    """Every test case, in order. BadReport when the document cannot be trusted to be whole."""
    root = tree(data)
    if root.tag not in ("testsuites", "testsuite"):
        raise BadReport(f"the report's root element is '{root.tag[:40]}'")
    for count, element in enumerate(root.iter("testcase")):
        if count >= MOST_CASES:
            raise BadReport(f"more than {MOST_CASES} test cases")
        yield Case(
            classname=element.get("classname", ""),
            name=element.get("name", ""),
            file=element.get("file", ""),
            status=_status(element),
        )


def tree(data: bytes) -> ElementTree.Element:
    """The document, once it is known to be small, whole and without surprises."""
    if not data:
        raise BadReport("no report was written")
    if len(data) > LARGEST:
        raise BadReport("the report is too large")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise BadReport("the report is not UTF-8") from None
    try:
        _no_document_type(text)
        return ElementTree.fromstring(text)
    except BadReport:
        raise
    except (ElementTree.ParseError, expat.ExpatError, ValueError, RecursionError) as broken:
        raise BadReport(f"the report is cut off or malformed: {broken}") from None


def _no_document_type(text: str) -> None:
    """A DOCTYPE can declare entities that expand without end. The parser itself looks for one: the letters may well
    stand in what a test printed."""

    def refuse(*_: object) -> None:
        raise BadReport("the report has a document type, which no framework writes")

    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = refuse
    parser.Parse(text, True)


def _status(element: ElementTree.Element) -> Status:
    """An error anywhere is a failure; a skip that pytest calls `xfail` is an expected failure."""
    if element.find("failure") is not None or element.find("error") is not None:
        return "failed"
    skipped = element.find("skipped")
    if skipped is None:
        return "passed"
    return "xfailed" if skipped.get("type") == "pytest.xfail" else "skipped"
