"""Runs in the browser's box: an open page, what is noted about it, and when it has settled."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from playwright.async_api import Browser, BrowserContext, CDPSession, Dialog, Error, Locator, Page, Request, Response

MOST_ERRORS, ERROR_CHARS, MOST_EXCHANGES = 200, 500, 300
"""What is kept of what a page complains about and asks for: a page can talk for ever."""
MOST_LISTED = 200
MOST_DIALOGS = 30
"""A page that opens more never lets go of its user: the next is not answered, and the page hangs."""
QUIET_MILLISECONDS = 50
"""A document in which nothing changed for so long has settled."""
MOST_MOVES = 20
"""How often a page may go somewhere else while it is asked the same."""
SETTLE_SECONDS = 2.0
"""One that never does (a clock, a game) is used as it is."""
REQUESTS_SECONDS = 5.0
"""How long open requests are waited for; some are never answered by design."""


@dataclass
class OpenPage:
    """A page, its context, what went wrong in it, and what it asked for."""

    context: BrowserContext
    page: Page
    errors: list[str] = field(default_factory=list)
    exchanges: list[dict[str, Any]] = field(default_factory=list)
    waiting: set[Request] = field(default_factory=set)
    """Requests without an answer."""
    dialogs: int = 0
    said: list[str] = field(default_factory=list)
    """What its dialogs said since something was done last: whoever did it has read them."""
    answer: str | None = None
    """What a page that asks for a text in a dialog is answered; None: nothing, the dialog is dismissed."""
    broken: str = ""
    """Why what is shown is no page of the application: it could not answer."""
    moves: bool = False
    """It was seen to change by itself: what a click changes is told apart from that (`contrast.py`)."""
    pictures: int = 0
    reusable: bool = False
    """Whether it may be cleared and used again."""
    session: CDPSession | None = None
    """Speaks to the browser of what Playwright has no word for, once that was needed."""

    def note(self, text: str) -> None:
        """Keep something that went wrong, unless there is too much already."""
        if len(self.errors) < MOST_ERRORS:
            self.errors.append(" ".join(text[: 4 * ERROR_CHARS].split())[:ERROR_CHARS])

    def forget(self) -> None:
        """Forget what was noted, for another use of the page."""
        self.errors, self.exchanges, self.said, self.dialogs, self.answer = [], [], [], 0, None
        self.broken, self.moves = "", False
        self.waiting.clear()

    async def open_session(self) -> CDPSession:
        """The session of this page."""
        if self.session is None:
            self.session = await self.context.new_cdp_session(self.page)
        return self.session

    def find(self, **query: Any) -> Locator:
        """What finder.js finds."""
        return self.page.locator(f"finder={quote(json.dumps(query), safe='')}")

    async def tell(self, *, most: int = 1, patience: float = 0.0, **query: Any) -> list[dict[str, Any]]:
        """What finder.js says of the elements that it finds: as they are now, or once there is one within so many
        seconds; nothing where there is none."""
        letter = self.find(tell=most, wait=patience > 0, **query)
        try:
            text = await letter.text_content(timeout=patience * 1000 or None)
        except Error as absent:
            if not patience or "imeout" not in absent.message:
                raise
            return []
        told: list[dict[str, Any]] = json.loads(text or "[]")
        return told

    async def list_elements(self, role: str) -> list[dict[str, Any]]:
        """Every visible element of a role: what it is called, the start of its markup, and whether it can be used."""
        listed = await self.tell(most=MOST_LISTED, find={"role": role, "names": [], "within": "", "nth": 0})
        return [{"name": told["name"][:100], "markup": told["markup"], "enabled": told["enabled"]} for told in listed]

    async def settle(self) -> None:
        """Wait until requests are answered and the document stands still, or long enough; a click may have begun to
        lead elsewhere only a moment ago."""
        patience = time.monotonic() + REQUESTS_SECONDS
        await self._wait_for_answers(patience)
        ends = time.monotonic() + SETTLE_SECONDS
        quiet = self.find(quiet=QUIET_MILLISECONDS)
        while time.monotonic() < ends:
            await asyncio.sleep(QUIET_MILLISECONDS / 1000 + 0.002)
            if await self.count(quiet):
                if not any(request.is_navigation_request() for request in self.waiting):
                    return
                await self._wait_for_answers(patience)

    async def _wait_for_answers(self, ends: float) -> None:
        while self.waiting and time.monotonic() < ends:
            await asyncio.sleep(0.02)

    async def count(self, found: Locator) -> int:
        """How many there are, also while the page goes somewhere else."""
        for _ in range(MOST_MOVES):
            try:
                return await found.count()
            except Error as moving:
                if "context was destroyed" not in moving.message and "navigati" not in moving.message:
                    raise
                await asyncio.sleep(0.05)
        return await found.count()


def is_gone(fault: Error) -> bool:
    """Whether a fault means that the page is lost."""
    return "crashed" in fault.message or "has been closed" in fault.message


async def open_page(browser: Browser, width: int, height: int, limit: float) -> OpenPage:
    """A page in a context of its own, that looks like a user's in the United States, in UTC."""
    major = browser.version.split(".")[0]
    agent = f"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/{major}.0.0.0 Safari/537.36"
    context = await browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=1,
        locale="en-US",
        timezone_id="UTC",
        reduced_motion="reduce",
        user_agent=agent,
        accept_downloads=False,
        service_workers="block",
    )
    context.set_default_timeout(limit)
    opened = OpenPage(context, await context.new_page())
    _listen(opened)
    return opened


def _listen(opened: OpenPage) -> None:
    """Note what goes wrong in the page and what it asks for; refuse downloads and further windows."""
    page = opened.page

    async def close(window: Page) -> None:
        opened.note(f"window: {window.url}")
        await window.close()

    page.on("console", lambda said: opened.note(f"console: {said.text}") if said.type == "error" else None)
    page.on("pageerror", lambda fault: opened.note(f"exception: {fault}"))
    page.on("download", lambda download: opened.note(f"download: {download.url}"))
    page.on("filechooser", lambda chooser: opened.note("chooser: a file is asked for"))
    page.on("crash", lambda _: opened.note("crash"))
    page.on("dialog", lambda dialog: _answer_dialog(opened, dialog))
    opened.context.on("page", close)  # those that such a window opens, too
    page.on("request", lambda request: _begin_exchange(opened, request))
    page.on("response", lambda response: _end_exchange(opened, response))
    page.on("requestfinished", lambda request: opened.waiting.discard(request))
    page.on("requestfailed", lambda request: _fail_exchange(opened, request))


async def _answer_dialog(opened: OpenPage, dialog: Dialog) -> None:
    """Agree, as the user who has just clicked would; a text is given only where the workflow has one to give."""
    opened.dialogs += 1
    opened.note(f"dialog: {dialog.message}")
    opened.said.append(dialog.message[:ERROR_CHARS])
    if opened.dialogs > MOST_DIALOGS:
        return
    try:
        if dialog.type != "prompt":
            await dialog.accept()
        elif opened.answer is None:
            await dialog.dismiss()
        else:
            value, opened.answer = opened.answer, None
            await dialog.accept(value)
    except Error as gone:  # the page went away with its dialog
        opened.note(f"dialog: {gone.message}")


def _begin_exchange(opened: OpenPage, request: Request) -> None:
    if request.resource_type not in ("eventsource", "websocket", "media"):
        opened.waiting.add(request)
    if len(opened.exchanges) < MOST_EXCHANGES:
        opened.exchanges.append({"method": request.method, "url": request.url[:ERROR_CHARS], "status": 0})


def _is_page(opened: OpenPage, request: Request) -> bool:
    return request.is_navigation_request() and request.frame == opened.page.main_frame


def _end_exchange(opened: OpenPage, response: Response) -> None:
    if _is_page(opened, response.request):
        opened.broken = f"status {response.status}" if response.status >= 500 else ""
    url = response.request.url[:ERROR_CHARS]
    for exchange in reversed(opened.exchanges):
        if exchange["url"] == url and not exchange["status"]:
            exchange["status"] = response.status
            return


def _fail_exchange(opened: OpenPage, request: Request) -> None:
    opened.waiting.discard(request)
    opened.note(f"request: {request.url}: {request.failure}")
    if request.failure != "net::ERR_ABORTED" and _is_page(opened, request):  # it stays where another or none comes
        opened.broken = str(request.failure)
