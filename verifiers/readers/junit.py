"""JUnit XML, the format that most frameworks can write."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree
from xml.parsers import expat

from crucible.domains.code.outcomes import Status
from verifiers.readers.bad_report import BadReport, check_size

MOST_CASES = 200_000


@dataclass(frozen=True)
class Case:
    """One `testcase` element."""

    classname: str
    name: str
    file: str
    status: Status


def read_cases(data: bytes) -> Iterator[Case]:
    """Every test case, in order. BadReport when the document cannot be trusted to be whole."""
    root = parse_xml(data)
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


def parse_xml(data: bytes) -> ElementTree.Element:
    """The document, once it is known to be small, whole and without surprises; otherwise BadReport."""
    check_size(data)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise BadReport("the report is not UTF-8") from None
    try:
        _refuse_document_type(text)
        return ElementTree.fromstring(text)
    except BadReport:
        raise
    except (ElementTree.ParseError, expat.ExpatError, ValueError, RecursionError) as broken:
        raise BadReport(f"the report is cut off or malformed: {broken}") from None


def _refuse_document_type(text: str) -> None:
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
