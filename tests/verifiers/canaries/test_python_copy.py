"""The canary cannot be told from the task's own tests, and always fails."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from crucible.domains.code.suite import Canary, Report
from verifiers.canaries.python_copy import make_canary

FILE = """import pytest


@pytest.mark.parametrize("x", [1, 2])
def test_param(x, tmp_path):
    with pytest.raises(ValueError):
        int("a")


class TestThings:
    def test_inside(self):
        pass


def test_line(): pass


def test_early():
    return


if __name__ == "__main__":
    pytest.main()
"""


def run(canary: Canary, folder: Path) -> tuple[int, str]:
    (folder / canary.path).parent.mkdir(parents=True, exist_ok=True)
    (folder / canary.path).write_text(canary.content)
    name = canary.test.rpartition("::")[2]
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", canary.path, "-k", name]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def test_it_is_a_copy_of_a_test_and_fails_with_each_parameter(tmp_path: Path) -> None:
    canary = make_canary(["t/test_a.py::test_param[1]"], {"t/test_a.py": FILE})
    assert canary.path == "t/test_a.py"
    assert canary.content.count("@pytest.mark.parametrize") == 2
    code, out = run(canary, tmp_path)
    assert code == 1
    assert "2 failed" in out


@pytest.mark.parametrize("test", ["TestThings::test_inside", "test_line", "test_early", "test_gone"])
def test_what_cannot_be_copied_gets_a_plain_one_beside_it(test: str, tmp_path: Path) -> None:
    canary = make_canary([f"t/test_a.py::{test}"], {"t/test_a.py": FILE})
    assert canary.path.startswith("t/test_a_")
    assert run(canary, tmp_path)[0] == 1


def test_a_file_without_text_of_its_own_does_no_harm() -> None:
    ast.parse(make_canary(["t/test_a.py"], {}).content)


def test_two_canaries_have_different_names() -> None:
    tests = ["t/test_a.py::test_param"]
    assert make_canary(tests, {"t/test_a.py": FILE}).test != make_canary(tests, {"t/test_a.py": FILE}).test


@pytest.mark.parametrize(
    ("outcomes", "alive"),
    [
        ({}, False),
        ({"x": "skipped"}, True),
        ({"x": "xfailed"}, False),
        ({"x[1]": "failed"}, True),
        ({"x": "passed"}, False),
        ({"x[1]": "failed", "x[2]": "passed"}, False),
    ],
)
def test_no_parameter_may_pass(outcomes: dict[str, str], alive: bool) -> None:
    report = Report(outcomes=outcomes)
    assert Canary(path="p", content="", test="x").fails_in(report) is alive
