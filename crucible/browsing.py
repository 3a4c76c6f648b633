"""What a browser means to the spine: pages of an application that runs in a box, looked at from within its network.

    async with browser.open(box) as window, window.open_page() as page:
        await page.goto("http://localhost:8000/")
        picture = await page.screenshot()

The browser is the service `browser`. It runs in a box of its own that shares the network of the box under test: the
application needs no network, and what an attempt made never meets a browser on the host. A page that hangs, crashes
or does not have what is asked for raises PageFailed; the next page is a fresh one.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import NamedTuple, Protocol

from crucible.record import Json
from crucible.sandbox import Sandbox


class Look(NamedTuple):
    """A page as it stands at one width."""

    width: int
    picture: bytes
    """A PNG of the whole page; of a very long one, its beginning."""
    facts: Json
    """What the script found; it tells of somebody's work, and is to be checked."""


class Page(Protocol):
    """One page in a context of its own: no cookie or storage of another page is seen."""

    async def goto(self, url: str) -> int:
        """Open an address and wait until it is loaded; returns the HTTP status, 0 where there is none."""

    async def screenshot(self, *, full_page: bool = False) -> bytes:
        """A picture of the page, as PNG."""

    async def text(self, selector: str = "body") -> str:
        """The visible text of the first element that the CSS selector finds; `title` gives the page's title."""

    async def click(self, selector: str) -> None:
        """Click the first element that the selector finds, once it can be clicked."""

    async def fill(self, selector: str, value: str) -> None:
        """Write a value into the first field that the selector finds."""

    async def evaluate(self, expression: str) -> Json:
        """The value of a JavaScript expression in the page."""

    async def look(self, script: str, widths: Sequence[int]) -> tuple[Look, ...]:
        """The page at each of these widths: a picture of it, and the JSON text that a script gives, which runs apart
        from the page's own scripts. The page is left at the first width."""

    async def audit(self) -> Json:
        """The rules of axe-core that the page breaks: a list of `rule`, `impact`, `tags`, `help`, `count`, `nodes`."""

    async def errors(self) -> tuple[str, ...]:
        """What went wrong in the page so far: errors on its console, exceptions, requests that failed, dialogs and
        downloads that were refused."""


class Window(Protocol):
    """A browser beside one box; its pages share a process and nothing else."""

    def open_page(self, *, width: int = 1280, height: int = 800) -> AbstractAsyncContextManager[Page]:
        """A fresh page. One that was lost with its browser does not keep the next from opening."""


class Browser(Protocol):
    """The service `browser`."""

    def open(self, box: Sandbox) -> AbstractAsyncContextManager[Window]:
        """A browser that sees what the processes of this box serve on `localhost`, for as long as the box is not
        restarted. SandboxError when there is none to be had."""
