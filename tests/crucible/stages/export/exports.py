"""What tests of the export have in common: what is in the ledger, and what lies in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from crucible.running.run import Run
from crucible.shards.manifest import Manifest, Request
from tests.exporters import attempts

TRL = Request(format="trl")


def fill(run: Run, tasks: int = 3) -> None:
    """Attempts of every shape at so many tasks."""
    for number in range(tasks):
        task = attempts.task(number)
        attempts.keep(run, task, *attempts.shapes(task).values())


def read_manifest(out: Path) -> Manifest:
    return Manifest.model_validate_json((out / "manifest.json").read_bytes())


def read_tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, by its path."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def read_rows(out: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pq.read_table(out / "data").to_pylist()
    return rows
