"""Opens browsers beside boxes: Chromium, driven by Playwright, in a box that shares the network of the box under test.

A page is somebody's work and may be hostile; it meets a browser that has no files, no network but the application's,
and limits. Downloads and further windows are refused, dialogs agreed to; what hangs or crashes is replaced.
"""

from __future__ import annotations

import asyncio
import shlex
import tomllib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path

from crucible import parts
from crucible.mining import BlobStore
from crucible.sandbox import Env, Limits, Recipe, Sandbox, World
from crucible.serving import OpenWorld
from crucible.settings import Settings
from services.browser.page import BrowserBox
from services.browser.settings import BrowserSettings

HERE = Path(__file__).parent
DRIVER_FOLDER = "/opt/browser/services/browser/box"
"""Where the driver's files lie in the box: as here, so that they find each other by the same names."""
PLAYWRIGHT = "/opt/playwright/lib/python3*/site-packages/playwright/driver/package/cli.js"
COMPILE = """printf %s {program} > /opt/playwright/node && chmod 755 /opt/playwright/node
mkdir /opt/playwright/compiled && chown agent /opt/playwright/compiled
runuser -u agent -- sh -c '/opt/playwright/node {playwright} run-driver' </dev/null"""


class BoxedBrowsers:
    """Browsers in boxes, at most so many at once. Implements `crucible.browsing.Browser`."""

    def __init__(self, world: World, settings: BrowserSettings) -> None:
        self._world = world
        self._settings = settings
        self._slots = asyncio.Semaphore(settings.boxes)

    @asynccontextmanager
    async def open(self, box: Sandbox) -> AsyncIterator[BrowserBox]:
        """A browser beside a box, gone at the end of the block."""
        async with self._slots, self._world.open_beside(box, browser_env(self._settings)) as own:
            opened = BrowserBox(own, self._settings)
            await opened.start()
            yield opened


@cache
def browser_recipe() -> Recipe:
    """The image of the browser's box."""
    facts = tomllib.loads((HERE / "recipe.toml").read_text())
    pip = "/opt/playwright/bin/pip install --no-cache-dir"
    install = f"{pip} playwright=={facts['playwright']} && {pip} --no-deps --target /opt/axe {facts['axe']}"
    compile_program = COMPILE.format(program=shlex.quote((HERE / "node.sh").read_text()), playwright=PLAYWRIGHT)
    return Recipe(
        packages=tuple(facts["packages"]),
        tools=(f"python3 -m venv /opt/playwright && {install}", compile_program),
        files={f"{DRIVER_FOLDER}/{path.name}": path.read_text() for path in sorted((HERE / "box").glob("*.*"))},
    )


def browser_env(settings: BrowserSettings) -> Env:
    """The box a browser runs in."""
    limits = Limits(cpus=2.0, memory_mb=settings.memory_mb, pids=1024, output_kb=2048, seconds=settings.seconds)
    return Env(recipe=browser_recipe(), limits=limits)


@parts.service("browser", version=2, identity=lambda settings: browser_recipe())
@asynccontextmanager
async def browser(settings: Settings, blobs: BlobStore, open_world: OpenWorld) -> AsyncIterator[BoxedBrowsers]:
    """Chromium in a box beside the box under test: `crucible.browsing.Browser`."""
    options = settings.section(BrowserSettings)
    world = await open_world("docker")
    await world.prepare(browser_env(options))
    yield BoxedBrowsers(world, options)
