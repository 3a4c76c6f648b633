"""A run with a ledger of its own, and what a trainer does first: load the shards, offline."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import docker
import pytest

os.environ.update(HF_HUB_OFFLINE="1", HF_DATASETS_OFFLINE="1", HF_HUB_DISABLE_TELEMETRY="1")

from crucible.running.run import Run, open_run
from crucible.settings import Settings

Load = Callable[[Path], list[dict[str, Any]]]


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    with open_run(Settings(home=tmp_path / "home")) as opened:
        yield opened


@pytest.fixture(scope="session")
def engine() -> Iterator[docker.DockerClient]:
    client = docker.from_env(timeout=300)
    yield client
    client.close()


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """The rows as Hugging Face `datasets` gives them, found by the card's front matter alone."""
    import datasets

    datasets.disable_progress_bars()

    def rows(folder: Path) -> list[dict[str, Any]]:
        return list(datasets.load_dataset(str(folder), split="train", cache_dir=str(tmp_path / "cache")))

    return rows
