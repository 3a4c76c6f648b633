"""Whatever a Python repository declares, for whatever purpose, is known where a skipped test lacks it."""

import pytest

from crucible.datafile import read_rows
from pipelines.swe.recipes.diagnosis import HERE, SkipReason, find_missing_words
from pipelines.swe.recipes.mends import find_declared, install_requirements
from pipelines.swe.recipes.python import write_plans
from pipelines.swe.recipes.tree import Tree

NOX = "import nox\n@nox.session\ndef tests(session):\n    session.install('-e', '.', 'from-nox==1')\n"
SETUP = "extra = ['from-setup>=1']\nsetup(name='a', extras_require={'x': extra})\n"
FILES = {
    "a.py": "",
    "requirements-dev.txt": "-r requirements.txt\npytz==2023.3  # zones\nPyYAML[all]>=5,<7 ; python_version < '3.9'\n",
    "docs/requirements.txt": "from-docs @ https://example.org/from.zip\npytz\n",
    "requirements/ci.in": "from-ci\n",
    "tox.ini": "[testenv]\ndeps = x\n[testenv:zones]\ndeps =\n    py38: from-tox\n    -rrequirements-dev.txt\n",
    "setup.py": SETUP,
    "noxfile.py": NOX,
    "Pipfile": '[dev-packages]\nfrom-pipfile = "*"\n',
    "setup.cfg": "[options.extras_require]\nx =\n    from-cfg\n",
    "pyproject.toml": '[project]\nname = "a"\n[project.optional-dependencies]\ndocs = ["from-extra~=1.2"]\n'
    '[dependency-groups]\nlint = ["from-group"]\n',
    ".github/workflows/ci.yml": "    - run: pip install -U 'from-workflow<2' coverage && pytest\n",
}


def test_every_place_in_which_a_package_may_be_declared_is_read() -> None:
    declared = write_plans(Tree.of_files(FILES))[0].declared
    assert declared[:2] == ("pytz==2023.3", "PyYAML[all]>=5,<7")
    places = ("docs", "ci", "tox", "setup>=1", "nox==1", "pipfile", "cfg", "extra~=1.2", "group", "workflow<2")
    assert {f"from-{place}" for place in places} <= set(declared)


def test_a_repository_that_cannot_be_read_declares_what_the_rest_says() -> None:
    broken = {"a.py": "", "setup.py": "print 'two'", "tox.ini": "[", "pyproject.toml": "[", "requirements.txt": "six\n"}
    assert write_plans(Tree.of_files(broken))[0].declared == ("six",)


@pytest.mark.parametrize("row", read_rows(HERE / "diagnoses.toml", "skips", SkipReason), ids=lambda row: row.example)
def test_the_example_of_a_reason_for_skipping_names_what_is_missing(row: SkipReason) -> None:
    assert "pytz" in find_missing_words(f"..s\nSKIPPED [1] tests/test_a.py:3: {row.example}\n1 skipped")


@pytest.mark.parametrize(
    ("reason", "found"),
    [
        ("pytz unavailable", ["pytz==2023.3"]),
        ("could not import 'yaml.nodes': No module named 'yaml'", ["PyYAML[all]>=5,<7"]),
        ("needs from_docs and from_ci", ["from-docs", "from-ci"]),
        ("requires coverage", []),  # it is installed
        ("needs zoneinfo", []),  # nobody declares it
        ("pytz is slow here", []),  # nothing is said to be missing
    ],
)
def test_what_a_skipped_test_lacks_is_what_is_declared_and_not_installed(reason: str, found: list[str]) -> None:
    plan = write_plans(Tree.of_files(FILES))[0]
    words = find_missing_words(f"SKIPPED [2] tests/test_a.py:3: {reason}\nFAILED x - no pytz\n")
    assert find_declared(plan, words, ["Coverage", "pip"]) == found


def test_the_packages_are_installed_after_all_others() -> None:
    plan = write_plans(Tree.of_files(FILES))[0]
    better = install_requirements(plan, ["pytz==2023.3", "six<2"])
    assert better.commands[:-1] == plan.commands
    assert better.commands[-1].endswith(" pytz==2023.3 'six<2'")
