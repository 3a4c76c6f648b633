"""Nights of the toy pipeline: their settings, their processes, what they leave in the ledger."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from sqlalchemy import create_engine, func, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from crucible.running.run import Run, open_run
from crucible.settings import NightlyPipeline, NightlySettings, Settings, SoundnessSettings
from crucible.store.lookup import list_items, trajectory_verdicts
from crucible.store.tables import item
from tests.patience import HUNG, wait_until

CONFIG = """
home = "{home}"
ledger = "{ledger}"
blobs = "{blobs}"
[soundness]
repeats = 1
probes = false
[nightly]
teachers = ["oracle", "nop"]
authored = true
chunk_items = 20
[[nightly.pipelines]]
name = "tests.flows.toy:toy"
origin = "{items}"
"""

LedgerContents = tuple[set[str], set[str], set[tuple[str, str, str]]]
"""The tasks, trajectories and verdicts of a ledger."""


def night_settings(home: Path, n: int, **nightly: object) -> Settings:
    facts = {"teachers": ("oracle", "nop"), "authored": True, "chunk_items": 20, **nightly}
    pipeline = NightlyPipeline(name="tests.flows.toy:toy", origin=str(n))
    return Settings(
        home=home,
        soundness=SoundnessSettings(repeats=1, probes=False),
        nightly=NightlySettings.model_validate({"pipelines": (pipeline,), **facts}),
    )


def write_config(home: Path, n: int, ledger: str = "", blobs: str = "") -> Path:
    home.mkdir(parents=True, exist_ok=True)
    file = home / "crucible.toml"
    places = {"ledger": ledger or f"sqlite:///{home}/ledger.sqlite", "blobs": blobs or f"{home}/blobs"}
    file.write_text(CONFIG.format(home=home, items=n, **places))
    return file


def start_night(file: Path, *arguments: str, **variables: str) -> subprocess.Popen[str]:
    """`crucible nightly --once`, as a process."""
    command = [sys.executable, "-m", "crucible", "--config", str(file), "nightly", "--once", *arguments]
    streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, env=os.environ | variables, text=True, **streams)


def exit_code(process: subprocess.Popen[str]) -> int:
    process.communicate(timeout=HUNG)
    return process.returncode


def wait_until_made(noun: str, n: int, ledger: str) -> None:
    """Wait until a night has made so many of a noun."""
    engine = create_engine(ledger, poolclass=NullPool)
    made = select(func.count()).where(item.c.noun == noun)

    def are_made() -> bool:
        with suppress(DBAPIError), engine.connect() as connection:  # its tables are not there from the start
            return (connection.scalar(made) or 0) >= n
        return False

    wait_until(are_made, f"{n} of {noun}")


def ledger_contents_at(home: Path, ledger: str = "") -> LedgerContents:
    with open_run(Settings(home=home, **({"ledger": ledger} if ledger else {}))) as run:
        return ledger_contents(run)


def exported_checksums(home: Path) -> dict[str, str]:
    """The sha256 of every file that a night has exported: shards, lineage, manifest, card."""
    files = [path for path in (home / "shards").rglob("*") if path.is_file()]
    return {str(path.relative_to(home)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def ledger_contents(run: Run) -> LedgerContents:
    tried = [item.id for item in list_items(run.ledger, "trajectory")]
    judged = [verdict for id in tried for verdict in trajectory_verdicts(run.ledger, id)]
    tasks = [item.id for item in list_items(run.ledger, "task")]
    outcomes = [(verdict.trajectory_id, verdict.verifier, verdict.outcome) for verdict in judged]
    assert len(outcomes) == len(set(outcomes))
    return set(tasks), set(tried), set(outcomes)
