"""What an edit of a dependency file means: another image, or none."""

import pytest

from pipelines.swe.recipes.manifests import dependency_content

SETUP = 'setup(\n    name="a",\n    version="{0}",\n    install_requires=["{1}"],\n)\n'
CMAKE = "project(a VERSION {0})\nfind_package({1})\nadd_executable(a a.c)\n"


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("pyproject.toml", '[project]\nversion = "1"\n', '[project]\nversion = "2"\n[tool.ruff]\nx = 1\n'),
        ("pyproject.toml", "[tool.ruff]\nx = 1\n", "[tool.ruff]\nx = 2\n"),
        ("package.json", '{"scripts": {"test": "a"}}', '{"scripts": {"test": "b"}}'),
        (
            "package-lock.json",
            '{"packages": {"": {"version": "1"}}}',
            '{"version": "2", "packages": {"": {"version": "2"}}}',
        ),
        ("packages/a/package.json", '{"name": "a", "version": "1.0.0"}', '{"name": "a", "version": "1.0.1"}'),
        ("Cargo.toml", '[package]\nversion = "1.0.0"\n', '[package]\nversion = "1.0.1"\n[lints]\nx = 1\n'),
        ("setup.cfg", "[metadata]\nversion = 1\n", "[metadata]\nversion = 2\n[flake8]\nx = 1\n"),
        ("setup.py", SETUP.format(1, "six"), "# why\n" + SETUP.format(2, "six")),
        (
            "tox.ini",
            "[testenv]\ndeps = pytest\n",
            "[tox]\nx = y\n[testenv]\ndeps = pytest\ncommands = pytest\n",
        ),
        ("requirements.txt", "six\n", "# why\nsix\n"),
        ("tests/CMakeLists.txt", CMAKE.format(1, "ZLIB"), CMAKE.format(2, "ZLIB") + "add_test(a a)\n"),
        ("a.gemspec", "s.version = '1'\ns.add_dependency 'x'\n", "s.version = '2'\ns.add_dependency 'x'\n"),
    ],
)
def test_an_edit_that_says_nothing_of_dependencies_is_none(path: str, before: str, after: str) -> None:
    assert dependency_content(path, before) == dependency_content(path, after)


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("pyproject.toml", "[project]\n", '[tool.poetry.group.dev.dependencies]\nsix = "1"\n'),
        ("pyproject.toml", "[project]\n", '[project.scripts]\na = "a:main"\n'),
        ("package.json", "{}", '{"devDependencies": {"ms": "2"}}'),
        ("package.json", "{}", '{"scripts": {"postinstall": "b"}}'),
        ("package.json", "{}", "{"),
        ("Cargo.toml", "[dependencies]\n", '[dependencies]\nlog = "1"\n'),
        ("setup.py", SETUP.format(1, "six"), SETUP.format(1, "seven")),
        ("tox.ini", "[testenv]\ndeps = pytest\n", "[testenv]\ndeps = nose\n"),
        ("CMakeLists.txt", CMAKE.format(1, "ZLIB"), CMAKE.format(1, "OpenSSL")),
        ("a.gemspec", "s.version = '1'\n", "s.version = '1'\ns.add_dependency 'x'\n"),
        ("go.sum", "a v1\n", "a v2\n"),
        ("pom.xml", "<a/>", "<b/>"),
    ],
)
def test_an_edit_that_says_something_else_of_dependencies_is_one(path: str, before: str, after: str) -> None:
    assert dependency_content(path, before) != dependency_content(path, after)
