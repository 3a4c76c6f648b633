"""Temporary folders with an owner: they go away at their end, or with the next sweep after a kill."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from crucible.store.owner import current_owner, is_dead

PREFIX = "crucible-scratch-"
OWNER = "owner"


@contextmanager
def open_scratch_folder(purpose: str) -> Iterator[Path]:
    """An empty temporary folder that is removed at the end of the block."""
    with tempfile.TemporaryDirectory(prefix=f"{PREFIX}{purpose}-") as folder:
        (Path(folder) / OWNER).write_text(current_owner())
        inside = Path(folder) / purpose
        inside.mkdir()
        yield inside


def sweep_scratch(dry_run: bool = False) -> list[str]:
    """Remove the folders of dead processes; returns one line for each."""
    folders = Path(tempfile.gettempdir()).glob(f"{PREFIX}*")
    dead = [path for path in folders if _is_dead(path)]
    for path in dead:
        if not dry_run:
            shutil.rmtree(path, ignore_errors=True)
    return [f"scratch folder {path.name}" for path in dead]


def _is_dead(folder: Path) -> bool:
    try:
        return is_dead((folder / OWNER).read_text())
    except OSError:
        return False
