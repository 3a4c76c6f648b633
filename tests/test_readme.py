"""The README is true: it is short, and every command in it does what it says."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import HUNG

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
COMMANDS = [line.strip() for line in README.splitlines() if line.startswith("    crucible ")]
SAMPLE = "sample_data/swe/tidings"
ELSEWHERE = {'crucible nightly --cron "0 2 * * *"': "tests/flows/test_server.py"}
"""Commands that go on until they are interrupted, and the test that interrupts them."""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy that commands may write into, with the samples and the code that they do not touch."""
    for folder in ("crucible", "envs", "agents", "exporters"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    for folder in ("pipelines", "verifiers"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "sample_data").mkdir()
    (tmp_path / "sample_data/swe").symlink_to(ROOT / "sample_data/swe")
    return tmp_path


def run(command: str, checkout: Path) -> str:
    words = ["--json", *_words(command.replace("PATH_TO_CLONE", SAMPLE))]
    quick = {
        "CRUCIBLE_SOUNDNESS__REPEATS": "1",
        "CRUCIBLE_SOUNDNESS__PROBES": "false",
        "CRUCIBLE_DOCKER__POOL": "0",
        "CRUCIBLE_TRANSFORMS__VARIANTS": "0",
    }
    done = subprocess.run(
        [sys.executable, "-m", "crucible", *words],
        cwd=checkout,
        env=os.environ | quick,
        capture_output=True,
        text=True,
        timeout=HUNG,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def _words(command: str) -> list[str]:
    done = subprocess.run(["sh", "-c", f'printf "%s\\n" {command}'], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[1:]


@pytest.mark.slow
def test_every_command_of_the_readme_works_in_its_order(checkout: Path) -> None:
    assert len(COMMANDS) > 12
    for command in COMMANDS:
        if command in ELSEWHERE:
            assert command.split()[2] in (ROOT / ELSEWHERE[command]).read_text()
            continue
        written = run(command, checkout)
        if command.startswith(("crucible new verifier", "crucible new router")):
            for path in json.loads(written)["files"]:
                (checkout / path).unlink()  # as long as it is not written it would stop every item
    assert (checkout / "report/index.html").exists()
    assert (checkout / "shards/manifest.json").exists()
    assert json.loads((checkout / "shards/manifest.json").read_text())["counts"]["rows"] > 0


@pytest.mark.parametrize("target", ["demo", "test"])
def test_the_two_commands_at_the_top_are_there(target: str) -> None:
    assert f"    make {target} " in README
    done = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=True)
    assert {"demo": "-m crucible demo", "test": "-m pytest"}[target] in done.stdout


def test_the_readme_is_short() -> None:
    assert len(README.split()) < 1500


def test_every_file_and_folder_of_the_tree_is_there() -> None:
    tree = README.partition("## The tree\n\n```\n")[2].partition("```")[0]
    names = {word.rstrip(":,") for word in tree.split() if word.rstrip(":,").endswith(("/", ".py"))}
    places = [ROOT, ROOT / "crucible", *(folder for folder in ROOT.iterdir() if folder.is_dir())]
    missing = [name for name in sorted(names) if not any((place / name).exists() for place in places)]
    assert missing == []
