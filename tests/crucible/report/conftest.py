"""A run with stores of its own, and a real Chromium that tells what a page tried to do."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, async_playwright

from crucible.running.run import Run, open_run
from crucible.settings import Settings
from tests.patience import HUNG

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


class Watched:
    """A page, and what it did that a report must not do."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.misdeeds: list[str] = []
        page.on("dialog", lambda dialog: self.misdeeds.append(f"dialog: {dialog.message}"))
        page.on("pageerror", lambda error: self.misdeeds.append(f"error: {error}"))
        page.on("request", lambda request: self._asked(request.url))

    def _asked(self, url: str) -> None:
        if not url.startswith(("file:", "data:", "http://127.0.0.1:")):
            self.misdeeds.append(f"request: {url}")


Opener = Callable[..., Any]


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    with open_run(Settings(home=tmp_path / "home")) as opened:
        yield opened


@pytest_asyncio.fixture(scope="session")
async def chromium() -> AsyncIterator[Browser]:
    found = shutil.which("chromium")
    if not found:
        pytest.skip("chromium is not installed; `crucible doctor` says how to get it")
    async with async_playwright() as play:
        browser = await play.chromium.launch(executable_path=found, args=FLAGS, timeout=HUNG * 1000)
        yield browser
        await browser.close()


@pytest.fixture
def opened(chromium: Browser) -> Opener:
    """`async with opened(address, width=375, scheme="dark") as watched`."""

    @asynccontextmanager
    async def open_(address: Path | str, width: int = 1280, scheme: Any = "light") -> AsyncIterator[Watched]:
        context = await chromium.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
        context.set_default_timeout(HUNG * 1000)
        watched = Watched(await context.new_page())
        await watched.page.goto(address.as_uri() if isinstance(address, Path) else address)
        yield watched
        await context.close()

    return open_
