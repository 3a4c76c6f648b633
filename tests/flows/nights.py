"""Nights of the toy pipeline: their settings, their processes, what they leave in the ledger."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from sqlalchemy import create_engine, func, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from crucible.running.run import Run, open_run
from crucible.settings import NightlyPipeline, NightlySettings, Settings, SoundnessSettings
from crucible.store.lookup import list_items, trajectory_verdicts
from crucible.store.tables import item

FILE = """
home = "{home}"
ledger = "{ledger}"
blobs = "{blobs}"
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
    wish = NightlyPipeline(name="tests.flows.toy:toy", origin=str(n))
    return Settings(
        home=home,
        soundness=SoundnessSettings(repeats=1, probes=False),
        nightly=NightlySettings.model_validate({"pipelines": (wish,), **facts}),
    )


def config(home: Path, n: int, ledger: str = "", blobs: str = "") -> Path:
    home.mkdir(parents=True, exist_ok=True)
    file = home / "crucible.toml"
    places = {"ledger": ledger or f"sqlite:///{home}/ledger.sqlite", "blobs": blobs or f"{home}/blobs"}
    file.write_text(FILE.format(home=home, items=n, **places))
    return file


def start(file: Path, *arguments: str, **variables: str) -> subprocess.Popen[str]:
    """`crucible nightly --once`, as a process."""
    command = [sys.executable, "-m", "crucible", "--config", str(file), "nightly", "--once", *arguments]
    streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, env=os.environ | variables, text=True, **streams)


def ended(process: subprocess.Popen[str]) -> int:
    process.communicate(timeout=120)
    return process.returncode


def reached(noun: str, n: int, ledger: str, seconds: float = 30.0) -> None:
    """Wait until a night has made so many of a noun."""
    engine, until = create_engine(ledger, poolclass=NullPool), time.monotonic() + seconds
    made = select(func.count()).where(item.c.noun == noun)
    while time.monotonic() < until:
        with suppress(DBAPIError), engine.connect() as connection:  # its tables are not there from the start
            if (connection.scalar(made) or 0) >= n:
                return
        time.sleep(0.02)
    raise AssertionError(f"no {n} of {noun} within {seconds} s")


def left_in(home: Path, ledger: str = "") -> Left:
    with open_run(Settings(home=home, **({"ledger": ledger} if ledger else {}))) as run:
        return left(run)


def exported(home: Path) -> dict[str, str]:
    """The sha256 of every file that a night has exported: shards, lineage, manifest, card."""
    files = [path for path in (home / "shards").rglob("*") if path.is_file()]
    return {str(path.relative_to(home)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def left(run: Run) -> Left:
    tried = [one.id for one in list_items(run.ledger, "trajectory")]
    judged = [verdict for id in tried for verdict in trajectory_verdicts(run.ledger, id)]
    tasks = [one.id for one in list_items(run.ledger, "task")]
    found = [(one.trajectory_id, one.verifier, one.outcome) for one in judged]
    assert len(found) == len(set(found))
    return set(tasks), set(tried), set(found)
