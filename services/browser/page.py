"""A browser in its box, and its pages: the host's end of `box/driver.py`."""

from __future__ import annotations

import asyncio
import io
import json
import shlex
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any
from zipfile import ZipFile

from crucible.browsing import Action, Exchange, Listed, Loading, Look, Outcome, Pictures, Provided
from crucible.errors import PageFailed, SandboxError
from crucible.record import Json
from crucible.sandbox import Sandbox
from services.browser.settings import BrowserSettings

PROVIDED = "/tmp/provided.zip"
FOLDER = "/opt/browser/services/browser/box"
CLIENT = f"/opt/playwright/bin/python -IS {FOLDER}/client.py /tmp/driver.sock"
START = f"sh {FOLDER}/start.sh"
NOBODY_THERE = "connection.connect"
"""Stands in what the client prints where there is no driver to talk to."""
PATIENCE_SECONDS = 30.0
"""How much longer than its action a call may take before the driver is taken for dead."""
LARGEST_PICTURE_BYTES = 1 << 26
PATIENCE_AHEAD = 0.4
"""The share of the patience in pages that are used again: what is not met in one is tried again alone."""
TALLEST_PICTURE = 3000
"""Pixels of a long page that a look takes in."""


@dataclass
class BrowserBox:
    """Chromium in a box beside another. Implements `crucible.browsing.Window`."""

    box: Sandbox
    settings: BrowserSettings
    starts: int = field(default=0)
    """How often a browser was started: more than once when one was lost."""
    starting: asyncio.Lock = field(default_factory=asyncio.Lock)

    def __post_init__(self) -> None:
        self._places = asyncio.Semaphore(self.settings.pages)
        self._numbers = count(1)
        self._left: list[int] = []
        """Pages that nobody uses any more: the next call closes them, before it does anything else."""

    @asynccontextmanager
    async def open_page(
        self, *, width: int = 1280, height: int = 800, used: bool = False
    ) -> AsyncIterator[BrowserPage]:
        """A fresh page, or one that was used and cleared, once there is a place for it, in a new browser if the last
        one is gone."""
        async with self._places:
            page = BrowserPage(self, next(self._numbers), (width, height), used)
            try:
                yield page
            finally:
                self._left.append(page.number)

    async def provide(self, files: Sequence[Provided]) -> None:
        """Lay the files in the browser's box; a browser that is started later finds them, too."""
        await self.box.write(PROVIDED, await asyncio.to_thread(pack_provided, files))
        await self.call("provide")

    async def start(self, after: int = 0) -> None:
        """Start a browser, ending the one before it, unless somebody has since the start of this number. SandboxError
        when it does not start."""
        async with self.starting:
            if self.starts > after:
                return
            self.starts += 1
            done = await self.box.exec(START, timeout=self.settings.start_seconds)
        if not done.ok:
            raise SandboxError(f"the browser does not start: {(done.err or done.out).strip()[-500:]}")

    async def call(self, action: str, **arguments: Any) -> Any:
        """Have the driver do one thing. PageFailed when the page cannot; a driver that is gone is replaced first."""
        seconds, start = self.settings.seconds, self.starts
        self._left, left = [], self._left
        request = {"action": action, "seconds": seconds, "left": left, **arguments}
        longest = seconds * (len(arguments.get("actions", ())) + 1) + PATIENCE_SECONDS
        done = await self.box.exec(f"{CLIENT} {shlex.quote(json.dumps(request))}", timeout=longest)
        try:
            answer = json.loads(done.out)
        except ValueError:  # nothing came back, or too much
            await self.start(after=start)
            why = done.stopped or done.err.strip()[-300:]
            if "size" in arguments and NOBODY_THERE in done.err and start == self.starts - 1:
                return await self.call(action, **arguments)  # it went away before it was asked for this new page
            raise PageFailed(f"the browser was lost while it did '{action}': {why}") from None
        if "failed" in answer:
            raise PageFailed(str(answer["failed"]))
        return answer["value"]


def pack_provided(files: Sequence[Provided]) -> bytes:
    """One archive of the files by number, and `index.json`: the number and the content type by address."""
    buffer = io.BytesIO()
    with ZipFile(buffer, "w") as archive:
        for number, file in enumerate(files):
            archive.writestr(str(number), file.data)
        index = {file.address: (str(number), file.kind) for number, file in enumerate(files)}
        archive.writestr("index.json", json.dumps(index))
    return buffer.getvalue()


@dataclass
class BrowserPage:
    """One page of a browser, opened with the first thing that is done in it. Implements `crucible.browsing.Page`."""

    browser: BrowserBox
    number: int
    size: tuple[int, int]
    used: bool = False
    """Whether it may have been used before, and may be used again."""
    start: int = 0
    """Which start of the browser it was opened in; 0 before it is."""

    async def goto(self, url: str) -> int:
        return int(await self._call("goto", url=url))

    async def load(self, url: str) -> Loading:
        path = f"/tmp/load-{self.number}.png"
        told = await self._call("load", url=url, path=path)
        return Loading(
            status=int(told["status"]),
            url=str(told["url"]),
            errors=tuple(told["errors"]),
            exchanges=tuple(Exchange.model_validate(each) for each in told["exchanges"]),
            picture=await self.browser.box.read(path, limit=LARGEST_PICTURE_BYTES),
        )

    async def screenshot(self, *, full_page: bool = False) -> bytes:
        path = f"/tmp/page-{self.number}.png"
        await self._call("screenshot", path=path, full_page=full_page)
        return await self.browser.box.read(path, limit=LARGEST_PICTURE_BYTES)

    async def text(self, selector: str = "body") -> str:
        return str(await self._call("text", selector=selector))

    async def click(self, selector: str) -> None:
        await self._call("click", selector=selector)

    async def fill(self, selector: str, value: str) -> None:
        await self._call("fill", selector=selector, value=value)

    async def evaluate(self, expression: str) -> Json:
        value: Json = await self._call("evaluate", expression=expression)
        return value

    async def look(self, script: str, widths: Sequence[int]) -> tuple[Look, ...]:
        path = f"/tmp/look-{self.number}"
        seen = await self._call("look", script=script, widths=list(widths), path=path, tallest=TALLEST_PICTURE)
        read = self.browser.box.read
        return tuple(
            [
                Look(each["width"], await read(each["picture"], limit=LARGEST_PICTURE_BYTES), each["facts"])
                for each in seen
            ]
        )

    async def audit(self) -> Json:
        violations: Json = await self._call("audit")
        return violations

    async def errors(self) -> tuple[str, ...]:
        return tuple(await self._call("errors"))

    async def play(self, actions: Sequence[Action], *, pictures: Pictures = "none") -> tuple[Outcome, ...]:
        outcomes = await self._call(
            "play",
            actions=[action.model_dump(mode="json") for action in actions],
            patience=self.browser.settings.patience_seconds * (PATIENCE_AHEAD if self.used else 1),
            pictures=pictures,
            path=f"/tmp/play-{self.number}",
        )
        return tuple(Outcome.model_validate(outcome) for outcome in outcomes)

    async def read_picture(self, place: str) -> bytes:
        return await self.browser.box.read(place, limit=LARGEST_PICTURE_BYTES)

    async def elements(self, role: str) -> tuple[Listed, ...]:
        return tuple(Listed.model_validate(each) for each in await self._call("elements", role=role))

    async def tree(self) -> str:
        return str(await self._call("tree"))

    async def url(self) -> str:
        return str(await self._call("url"))

    async def exchanges(self) -> tuple[Exchange, ...]:
        return tuple(Exchange.model_validate(each) for each in await self._call("exchanges"))

    async def _call(self, action: str, **arguments: Any) -> Any:
        if not self.start:
            try:
                opening = {"page": self.number, "size": self.size, "used": self.used}
                return await self.browser.call(action, **opening, **arguments)
            finally:
                self.start = self.browser.starts
        if self.start != self.browser.starts:
            raise PageFailed("the page was lost with its browser")
        return await self.browser.call(action, page=self.number, **arguments)
