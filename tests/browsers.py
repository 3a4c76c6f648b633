"""A browser for tests, beside a box that serves pages: real Chromium, in boxes without network."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from crucible.running.run import open_run
from crucible.sandbox import Env, Sandbox
from crucible.settings import DockerSettings, Settings
from crucible.stages.services import OpenServices, open_services
from services.browser.page import BrowserBox
from services.browser.settings import BrowserSettings
from services.judge.settings import JudgeSettings

HOME = "http://localhost:8123/"
SERVE = "cd pages && nohup python3 -m http.server 8123 --bind 127.0.0.1 >/dev/null 2>&1 &"
ANSWERS = (
    "python3 - <<'END'\nimport time, urllib.request\nfor _ in range(600):\n    try:\n"
    "        urllib.request.urlopen('http://127.0.0.1:8123/'); break\n    except OSError: time.sleep(0.1)\nEND"
)


@asynccontextmanager
async def open_browsing(
    home: Path, judge: JudgeSettings | None = None, **options: float
) -> AsyncIterator[OpenServices]:
    """The services of a run whose browser has all the time it may need, and a judge where one is given."""
    section = BrowserSettings.model_validate({"seconds": 60, "start_seconds": 300, **options})
    docker = DockerSettings(pool=0, open_seconds=300)
    with open_run(
        Settings(home=home, docker=docker, sections={"browser": section, "judge": judge or JudgeSettings()})
    ) as run:
        async with open_services(run) as opened:
            yield opened


@asynccontextmanager
async def open_window(services: OpenServices, env: Env, pages: Mapping[str, str]) -> AsyncIterator[BrowserBox]:
    """A browser beside a box that serves these pages at HOME."""
    browser, world = await services.get("browser"), await services.world("docker")
    async with world.open(env) as box:
        await serve_pages(box, pages)
        async with browser.open(box) as window:
            yield window


async def serve_pages(box: Sandbox, pages: Mapping[str, str]) -> None:
    for name, content in pages.items():
        await box.write(f"pages/{name}", content.encode())
    await box.exec(SERVE)
    assert (await box.exec(ANSWERS, timeout=300)).ok
