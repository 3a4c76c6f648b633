"""The sample history as a real repository, and the pull requests mined from it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import pytest_asyncio

from crucible import parts
from crucible.mining import Workshop
from pipelines.swe import history
from pipelines.swe.model import PullRequest

SAMPLE = "sample_data/swe/shelf"


async def mined(origin: str | Path, shop: Workshop) -> list[PullRequest]:
    return [pull async for pull in parts.find("source", "git").make(str(origin), shop)]


@pytest.fixture(scope="session")
def mine() -> Callable[..., object]:
    return mined


@pytest.fixture(scope="session")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample as a bare repository."""
    return history.build(Path(SAMPLE), tmp_path_factory.mktemp("built") / "shelf.git")


@pytest.fixture(scope="session")
def no_world() -> Workshop:
    """For stages that open no box and keep no blob."""
    return Workshop(world=None, blobs=None)  # type: ignore[arg-type]


@pytest_asyncio.fixture(scope="session")
async def pulls(no_world: Workshop) -> dict[int, PullRequest]:
    return {pull.number: pull for pull in await mined(SAMPLE, no_world)}
