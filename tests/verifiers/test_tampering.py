"""Code that reaches for the test run is recognised; honest code is left alone."""

import pytest

from verifiers.diffs import Added
from verifiers.protected import is_protected
from verifiers.tampering import found


def caught(text: str, base: str | None = "x = 1\n") -> bool:
    return bool(found([Added(path="lib/a.py", number=1, text=text)], {"lib/a.py": base}))


@pytest.mark.parametrize(
    "text",
    [
        "import _pytest.runner",
        "from _pytest import reports",
        "import pytest",
        "def pytest_runtest_makereport(item, call):",
        "    os._exit(0)",
        '__import__("os")._exit(0)',
        "sys.settrace(hook)",
        "import atexit",
        "for thing in gc.get_objects():",
        'if "PYTEST_CURRENT_TEST" in os.environ:',
        'path = [w for w in sys.argv if "junitxml" in w]',
        'open("/proc/self/cmdline")',
        "sys.modules['pytest']",
        "frame = sys._getframe(1)",
        'print("12 passed in 0.10s")',
    ],
)
def test_reaching_for_the_run_is_recognised(text: str) -> None:
    assert caught(text)


@pytest.mark.parametrize(
    "text",
    [
        "    return value == other",
        "raise SystemExit(2)",
        "def exit_code(self): return 0",
        "processed = process(self)",
        "# see /procurement/self",
        "passed = [check for check in checks if check.ok]",
        "sys.argv[1:]",
    ],
)
def test_honest_code_is_left_alone(text: str) -> None:
    assert not caught(text)


def test_what_the_file_did_before_does_not_count() -> None:
    assert not caught("atexit.register(close)", base="import atexit\n")


def test_a_script_left_behind_may_use_the_test_runner() -> None:
    assert not caught("import pytest", base=None)
    assert caught("import _pytest", base=None)


@pytest.mark.parametrize(
    "path",
    [
        "conftest.py",
        "src/pkg/conftest.py",
        "tests/data/x.json",
        "tests",
        "test_x.py",
        "pytest.ini",
        "x.egg-info/entry_points.txt",
        "a/b.pth",
        "sitecustomize.py",
        "_pytest/runner.py",
        "pytest.py",
    ],
)
def test_files_of_the_run_are_protected(path: str) -> None:
    assert is_protected(path)


@pytest.mark.parametrize("path", ["lib/a.py", "testing.py", "lib/contest.py", "attest/x.py", "pyproject.toml"])
def test_other_files_are_the_attempts_own(path: str) -> None:
    assert not is_protected(path)
