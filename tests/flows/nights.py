"""Nights of the toy pipeline: their settings, their processes, what they leave in the ledger."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from crucible.lookup import items, verdicts
from crucible.run import Run, open_run
from crucible.settings import NightlySettings, Settings, SoundnessSettings, Wish

FILE = """
home = "{home}"
ledger = "{ledger}"
[soundness]
repeats = 1
probes = false
[nightly]
teachers = ["oracle", "nop"]
chunk_items = 20
[[nightly.pipelines]]
name = "tests.flows.toy:toy"
origin = "{items}"
"""

Left = tuple[set[str], set[str], set[tuple[str, str, str]]]
"""Tasks, trajectories, verdicts."""


def chosen(home: Path, n: int, **nightly: object) -> Settings:
    facts = {"teachers": ("oracle", "nop"), "chunk_items": 20, **nightly}
    wish = Wish(name="tests.flows.toy:toy", origin=str(n))
    return Settings(
        home=home,
        soundness=SoundnessSettings(repeats=1, probes=False),
        nightly=NightlySettings.model_validate({"pipelines": (wish,), **facts}),
    )


def config(home: Path, n: int, ledger: str = "") -> Path:
    home.mkdir(parents=True, exist_ok=True)
    file = home / "crucible.toml"
    file.write_text(FILE.format(home=home, items=n, ledger=ledger or f"sqlite:///{home}/ledger.sqlite"))
    return file


def start(file: Path, *arguments: str, **variables: str) -> subprocess.Popen[str]:
    """`crucible nightly --once`, as a process."""
    command = [sys.executable, "-m", "crucible", "--config", str(file), "nightly", "--once", *arguments]
    streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, env=os.environ | variables, text=True, **streams)


def ended(process: subprocess.Popen[str]) -> int:
    process.communicate(timeout=120)
    return process.returncode


def left_in(home: Path, ledger: str = "") -> Left:
    with open_run(Settings(home=home, **({"ledger": ledger} if ledger else {}))) as run:
        return left(run)


def left(run: Run) -> Left:
    tried = [item.id for item in items(run.ledger, "trajectory")]
    judged = [verdict for id in tried for verdict in verdicts(run.ledger, id)]
    tasks = [item.id for item in items(run.ledger, "task")]
    found = [(one.trajectory_id, one.verifier, one.outcome) for one in judged]
    assert len(found) == len(set(found))
    return set(tasks), set(tried), set(found)
