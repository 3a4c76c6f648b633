"""What several verifiers' tests share: one office suite in its box."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from crucible.documents import Office
from crucible.running.run import open_run
from crucible.settings import DockerSettings, Settings
from crucible.stages.services import open_services
from services.office.settings import OfficeSettings


@pytest_asyncio.fixture(scope="session")
async def office(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Office]:
    options = OfficeSettings(seconds=300, start_seconds=300)
    docker = DockerSettings(pool=0, open_seconds=300)
    home = tmp_path_factory.mktemp("office")
    with open_run(Settings(home=home, docker=docker, sections={"office": options})) as run:
        async with open_services(run) as services:
            yield await services.get("office")
