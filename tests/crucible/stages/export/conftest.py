"""A ledger to export from, and where to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from crucible.running.run import Run, open_run
from crucible.settings import Settings


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    with open_run(Settings(home=tmp_path / "home")) as opened:
        yield opened


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"
