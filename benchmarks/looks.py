"""Whether the visual layer ranks a designed page above its spoilt copies: `python -m benchmarks.looks [PAGES]`.

Designed pages of different kinds lie in `looks_pages/`, ways to spoil one thing at a time in `looks_degradations.toml`.
Each page and each copy is looked at by the browser service, at three widths; a pair is ranked rightly when the copy's
score is below the page's.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.table import Table

from crucible.browsing import Window
from crucible.datafile import read_rows
from crucible.domains.web.looks.inspecting import inspect_page
from crucible.domains.web.looks.rules import score_looks
from crucible.record import Record
from crucible.running.run import open_run
from crucible.sandbox import Env, Recipe
from crucible.settings import DockerSettings, Settings
from crucible.stages.services import open_services

HERE = Path(__file__).parent
PORT = 8123
WANTED = 0.9
"""The share of pairs that must be ranked rightly."""


class Degradation(Record):
    """One way to spoil a page."""

    name: str
    css: str
    """Style that is laid over the page's own."""


def load_pages() -> dict[str, str]:
    """The designed pages by name."""
    return {path.stem: path.read_text() for path in sorted((HERE / "looks_pages").glob("*.html"))}


def load_degradations() -> tuple[Degradation, ...]:
    """The ways to spoil them."""
    return read_rows(HERE / "looks_degradations.toml", "degradations", Degradation)


def spoil_page(page: str, degradation: Degradation) -> str:
    """A copy with one thing destroyed."""
    return page.replace("</head>", f"<style>{degradation.css}</style></head>")


def spoil_pages(pages: Mapping[str, str], degradations: Sequence[Degradation]) -> dict[str, str]:
    """Files to be served: the pages as they are, and a copy of each for every way to spoil it."""
    files = {f"{name}.html": page for name, page in pages.items()}
    for name, page in pages.items():
        files |= {f"{name}-{number}.html": spoil_page(page, each) for number, each in enumerate(degradations)}
    return files


async def score_page(window: Window, url: str) -> float:
    """What a page's looks are worth, from 0 to 1."""
    async with window.open_page() as page:
        await page.goto(url)
        looks = await inspect_page(page)
    return await asyncio.to_thread(score_looks, looks)


@asynccontextmanager
async def open_pages(files: Mapping[str, str]) -> AsyncIterator[Window]:
    """A browser beside a box that serves these files."""
    env = Env(recipe=Recipe(packages=("ca-certificates", "git", "python3", "python3-venv")))
    with tempfile.TemporaryDirectory() as home:
        settings = Settings(home=Path(home), docker=DockerSettings(pool=0))
        with open_run(settings) as run:
            async with open_services(run) as services:
                browser, world = await services.get("browser"), await services.world("docker")
                async with world.open(env) as box:
                    for name, content in files.items():
                        await box.write(f"pages/{name}", content.encode())
                    await box.exec(f"cd pages && nohup python3 -m http.server {PORT} >/dev/null 2>&1 & sleep 1")
                    async with browser.open(box) as window:
                        yield window


async def main() -> None:
    most = int(sys.argv[1]) if len(sys.argv) > 1 else None
    pages = dict(list(load_pages().items())[:most])
    degradations = load_degradations()
    right: dict[str, list[bool]] = defaultdict(list)
    seconds = []
    async with open_pages(spoil_pages(pages, degradations)) as window:
        for name in pages:
            started = time.perf_counter()
            designed = await score_page(window, f"http://localhost:{PORT}/{name}.html")
            seconds.append(time.perf_counter() - started)
            for number, degradation in enumerate(degradations):
                spoilt = await score_page(window, f"http://localhost:{PORT}/{name}-{number}.html")
                right[degradation.name].append(spoilt < designed)
    show_results(right, seconds)


def show_results(right: Mapping[str, Sequence[bool]], seconds: Sequence[float]) -> None:
    """How many pairs were ranked rightly, by what was spoilt; a failure ends the process with 1."""
    table = Table("what is spoilt", "ranked below", "of", box=None)
    for name, pairs in right.items():
        table.add_row(name, str(sum(pairs)), str(len(pairs)))
    every = [pair for pairs in right.values() for pair in pairs]
    table.add_row("all", str(sum(every)), str(len(every)))
    Console().print(table, f"a page at three widths: {median(seconds):.2f} s")
    if sum(every) < WANTED * len(every):
        sys.exit(f"fewer than {WANTED:.0%} of the pairs are ranked rightly")


if __name__ == "__main__":
    asyncio.run(main())
