"""pytest is given the paths that the project itself gives it."""

import pytest

from pipelines.swe.recipes.python import write_plans
from pipelines.swe.recipes.tree import Tree

TESTS = {"a.py": "", "tests/test_a.py": "", "unit/test_b.py": "", "benchmarks/conftest.py": "", "conftest.py": ""}
NOX = "def lint(session):\n    session.run('pytest', 'benchmarks')\n\ndef tests(session):\n    session.run({})\n"
BOTH = ("tests", "unit")


def paths(**files: str) -> list[tuple[str, ...]]:
    """What each plan gives to pytest in a repository with these files too."""
    named = {
        path.replace("__", "/").replace("_ini", ".ini").replace("_yml", ".yml"): text for path, text in files.items()
    }
    named = {path.replace("_toml", ".toml").replace("_py", ".py"): text for path, text in named.items()}
    return [plan.suite.paths for plan in write_plans(Tree.of_files(TESTS | named))]


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        ("tox_ini", "[testenv]\ncommands = pytest --cov a {posargs:tests}\n", ("tests",)),
        ("tox_ini", "[testenv]\ncommands =\n    coverage run -m pytest \\\n      {toxinidir}/tests unit/\n", BOTH),
        (
            "tox_ini",
            "[testenv:bench]\ncommands = pytest benchmarks\n[testenv:x]\ncommands = py.test -n 4 tests\n",
            ("tests",),
        ),
        ("tox_toml", '[env_run_base]\ncommands = [["pytest", "-v", "tests"]]\n', ("tests",)),
        ("noxfile_py", NOX.format("'python', '-m', 'pytest', '-k', 'unit', 'tests', *session.posargs"), ("tests",)),
        (
            "Makefile",
            "bench:\n\tpytest benchmarks\ntest: a.py\n\t@PYTHONPATH=. pytest tests/test_a.py::test_x unit\n",
            ("tests/test_a.py", "unit"),
        ),
        (
            "pyproject_toml",
            '[tool.hatch.envs.default.scripts]\nbench = "pytest benchmarks"\ntest = "pytest tests {args}"\n',
            ("tests",),
        ),
        (
            ".github__workflows__ci_yml",
            "- name: Run pytest\n    run: pip install pytest\n  - run: |\n      make && pytest tests/*.py unit\n",
            BOTH,
        ),
        ("tox_ini", "[testenv]\ncommands = pytest {posargs}\n", ()),
        ("tox_ini", "[testenv]\nchangedir = tests\ncommands = pytest unit\n", ()),
        ("tox_ini", "[testenv]\ncommands = pytest tests\n[pytest]\ntestpaths = unit\n", ()),
        ("Makefile", "test:\n\tcd sub && pytest unit && pytest .\n", ()),
        ("Makefile", "test:\n\tpytest $(WHERE)\n", ()),
        ("Makefile", "test:\n\tpytest nowhere 'open\n", ()),
        ("noxfile_py", "def tests(session:\n", ()),
    ],
)
def test_the_first_place_that_starts_pytest_says_where_tests_are(
    file: str, text: str, expected: tuple[str, ...]
) -> None:
    first = paths(**{file: text})[0]
    assert first == expected


def test_a_plan_without_the_paths_is_tried_last() -> None:
    found = paths(tox_ini="[testenv]\ncommands = pytest tests\n")
    assert (found[0], found[-1], len(found)) == (("tests",), (), 2)


def test_a_place_that_only_runs_benchmarks_does_not_say_where_tests_are() -> None:
    assert paths(Makefile="all:\n\tpytest benchmarks --benchmark-only\n") == [()]
    assert paths(Makefile="all:\n\tpytest benchmarks\n\tpytest unit\n")[0] == ("unit",)


def test_paths_that_leave_nothing_out_are_not_given() -> None:
    assert paths(Makefile="test:\n\tpytest tests unit benchmarks\n") == [()]
