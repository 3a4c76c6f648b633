"""Reports gathered from many files: each must be whole, and none may grow without end."""

import gzip
import io
import tarfile

import pytest

from crucible.domains.code.suite import Report
from crucible.sandbox import Done
from tests.verifiers.runners.recorded import Recorded, get_runner

CASE = '<testcase name="adds" classname="acme.SumTest"/>'


def packed(**files: str) -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w:gz") as archive:
        for name, text in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text.encode())
            archive.addfile(entry, io.BytesIO(text.encode()))
    return held.getvalue()


def maven(data: bytes, **done: object) -> Report:
    return get_runner("maven").reader.parse(data, Done.model_validate({"code": 0, **done}))


def test_every_file_counts_and_the_worse_of_two_results() -> None:
    failed = CASE.replace("/>", "><failure/></testcase>")
    report = maven(packed(a=f"<testsuite>{failed}</testsuite>", b=f"<testsuite>{CASE}</testsuite>"), code=1)
    assert (report.outcomes, report.complete) == ({"acme.SumTest::adds": "failed"}, True)


def test_one_file_that_was_cut_off_spoils_the_report() -> None:
    assert not maven(packed(a=f"<testsuite>{CASE}</testsuite>", b=f"<testsuite>{CASE}")).complete


def test_what_tests_print_may_look_like_a_document_type() -> None:
    printed = "<system-out><![CDATA[<!DOCTYPE html>]]></system-out>"
    assert maven(packed(a=f"<testsuite>{CASE}{printed}</testsuite>")).complete


@pytest.mark.parametrize("hidden", ["<?x <![CDATA[ ?>", "<!-- -->", ""])
def test_a_document_type_is_refused_wherever_it_hides(hidden: str) -> None:
    text = f'{hidden}<!DOCTYPE x [<!ENTITY a "]]>">]><testsuite>{CASE}</testsuite>'
    assert "document type" in maven(packed(a=text)).why


def test_an_archive_that_grows_without_end_is_refused() -> None:
    assert not maven(gzip.compress(b"\0" * (257 << 20), compresslevel=1)).complete


def test_a_dead_virtual_machine_is_no_grade() -> None:
    said = "[ERROR] The forked VM terminated without properly saying goodbye."
    report = maven(packed(a=f"<testsuite>{CASE}</testsuite>"), out=said)
    assert "a test process died" in report.why


def test_a_module_that_does_not_compile_leaves_the_others() -> None:
    report = Recorded("maven", "unbuilt").read()
    assert report.complete
    assert "cannot find symbol" in report.broken


def test_maven_runs_classes_and_what_is_nested_in_them() -> None:
    assert get_runner("maven").paths(["acme.A::x", "acme.A$B::y"]) == ["acme.A", "acme.A$*"]
