"""The checkout is the application: its folders are what gets imported, and its files say nothing of this machine."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = [
    name
    for name in ("crucible", "pipelines", "envs", "services", "agents", "verifiers", "exporters", "flows")
    if (ROOT / name).is_dir()
]
HOSTS = [
    ".".join(words)
    for words in (
        ("pypi", "org"),
        ("".join(("python", "hosted")), "org"),
        ("npmjs", "org"),
        ("npmjs", "com"),
        ("crates", "io"),
        ("proxy", "golang", "org"),
        ("deb", "debian", "org"),
        ("archive", "ubuntu", "com"),
        ("repo1", "maven", "org"),
        ("ruby" + "gems", "org"),
        ("pack" + "agist", "org"),
        ("yarn" + "pkg", "com"),
    )
]
"""Package registries, in pieces so that this file does not name them either."""
PLACES = ["/".join(("", "work", "")), f"{ROOT}/"]


@pytest.mark.parametrize("folder", FOLDERS)
def test_each_folder_is_what_gets_imported_from_anywhere(folder: str, tmp_path: Path) -> None:
    code = f"import {folder}; print({folder}.__file__)"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert Path(done.stdout.strip()) == ROOT / folder / "__init__.py"


def test_every_folder_is_held_to_types_and_import_rules() -> None:
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
    assert set(tools["mypy"]["packages"]) >= set(FOLDERS)
    assert set(tools["importlinter"]["root_packages"]) >= set(FOLDERS)


def test_imports_form_a_star() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([linter], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("phrase", [*HOSTS, *PLACES])
def test_no_tracked_file_names_a_registry_or_a_path_of_this_machine(phrase: str) -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    found = subprocess.run(["git", "grep", "-IlF", phrase], cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.stdout == ""


def test_tests_are_not_packages() -> None:
    assert list((ROOT / "tests").rglob("__init__.py")) == []


def test_pins_are_names_and_versions_only() -> None:
    lines = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if not line.startswith("#")]
    assert lines
    assert all(line.count("==") == 1 and not set(line) & set(" @/;") for line in lines)
