"""A pytest report is read as it is, and one that cannot be believed is not a grade."""

import subprocess
import sys
from pathlib import Path

import pytest

from crucible.domains.code.suite import Report, Suite
from crucible.sandbox import Done
from verifiers.readers.bad_report import LARGEST_REPORT_BYTES
from verifiers.runners.python import Pytest

HEAD = '<?xml version="1.0" encoding="utf-8"?>'
CASE = '<testcase classname="tests.test_a" name="test_one" file="tests/test_a.py"/>'
WHOLE = f"{HEAD}<testsuites><testsuite>{CASE}</testsuite></testsuites>"

TESTS = """
import pytest

@pytest.mark.parametrize("x", [1, "a::b/c.d"])
def test_param(x): pass

class TestOuter:
    class TestInner:
        def test_deep(self): pass

def test_fails(): assert 0

@pytest.mark.skip
def test_skipped(): pass

@pytest.mark.xfail
def test_expected(): assert 0

@pytest.fixture
def broken(): raise ValueError

def test_setup(broken): pass

@pytest.fixture
def late():
    yield
    raise ValueError

def test_teardown(late): pass
"""


def read(text: str | bytes, **done: object) -> Report:
    data = text if isinstance(text, bytes) else text.encode()
    return Pytest().reader.parse(data, Done.model_validate({"code": 0, **done}))


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """What the real pytest reports of tests that end in every way."""
    folder = tmp_path_factory.mktemp("real")
    (folder / "tests").mkdir()
    (folder / "tests/test_every.py").write_text(TESTS)
    (folder / "tests/test_unloadable.py").write_text("import nothing_of_that_name\n")
    (folder / "pyproject.toml").write_text('[tool.pytest.ini_options]\naddopts = "-x"\n')
    suite = Suite(command=f"{sys.executable} -m pytest -p no:asyncio -p no:timeout")
    command = Pytest().command(suite, str(folder / "report"), [])
    done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True, check=False)
    return read((folder / "report").read_bytes(), code=done.returncode, out=done.stdout)


def test_every_outcome_is_told_apart(real: Report) -> None:
    assert real.outcomes == {
        "tests/test_unloadable.py": "failed",
        "tests/test_every.py::test_param[1]": "passed",
        "tests/test_every.py::test_param[a::b/c.d]": "passed",
        "tests/test_every.py::TestOuter::TestInner::test_deep": "passed",
        "tests/test_every.py::test_fails": "failed",
        "tests/test_every.py::test_skipped": "skipped",
        "tests/test_every.py::test_expected": "xfailed",
        "tests/test_every.py::test_setup": "failed",
        "tests/test_every.py::test_teardown": "failed",
    }


def test_a_run_with_failures_is_complete(real: Report) -> None:
    assert (real.complete, real.code, real.why) == (True, 1, "")


def test_a_whole_report_is_complete() -> None:
    assert read(WHOLE).complete


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"", "no report was written"),
        (WHOLE[:-20], "cut off or malformed"),
        (f"{HEAD}<testsuites/>", "no tests"),
        ("<html/>", "root element"),
        (WHOLE.encode("utf-16"), "not UTF-8"),
        (f'<!DOCTYPE x [<!ENTITY a "b">]><testsuite>{CASE}</testsuite>', "document type"),
        ("<testsuite>" * 5000, "cut off or malformed"),
        (b"\x00\xff", "not UTF-8"),
        ("9 passed in 0.1s", "cut off or malformed"),
        (b" " * (LARGEST_REPORT_BYTES + 1), "too large"),
    ],
)
def test_a_report_that_cannot_be_believed_is_no_grade(text: str | bytes, why: str) -> None:
    report = read(text)
    assert not report.complete
    assert why in report.why


@pytest.mark.parametrize(
    "done", [{"code": 2}, {"code": 3}, {"code": 4}, {"code": 5}, {"code": 137, "stopped": "timeout"}, {"code": 139}]
)
def test_a_run_that_did_not_end_by_itself_is_no_grade(done: dict[str, object]) -> None:
    report = read(WHOLE, **done)
    assert not report.complete
    assert report.why


def test_a_test_reported_twice_counts_as_its_worse_half() -> None:
    failed = CASE.replace("/>", "><error/></testcase>")
    assert read(f"<testsuite>{failed}{CASE}</testsuite>").outcomes == {"tests/test_a.py::test_one": "failed"}


def test_an_inherited_test_belongs_to_the_class_that_runs_it() -> None:
    case = '<testcase classname="tests.test_b.TestB" name="test_x" file="lib/testing.py"/>'
    assert list(read(f"<testsuite>{case}</testsuite>").outcomes) == ["tests/test_b.py::TestB::test_x"]


def test_options_from_outside_are_cleared_and_paths_are_quoted(tmp_path: Path) -> None:
    command = Pytest().command(Suite(), str(tmp_path / "report"), ["a b.py"])
    assert "\nenv -u PYTEST_ADDOPTS" in command
    assert command.endswith("'a b.py'")
