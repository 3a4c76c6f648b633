"""Runs in the browser's box: clears a page of all that was kept in it, so that the next use begins as in a fresh one.

A page whose document is gone cannot write any more: storage of every kind, cookies, caches and the history are cleared
then. What lies in the tab itself (session storage, the window's name) cannot be reached from outside: a page that used
these, or opened anything beside itself, is not used again.
"""

from __future__ import annotations

import asyncio
import json
from urllib.parse import urlsplit

from playwright.async_api import Error, Page

from services.browser.box.pages import OpenPage

CLEAR_SECONDS = 5.0
BESIDE = ("window:", "dialog:", "download:", "chooser:", "crash")
"""Notes about a page that did more than a page does."""


async def clear_page(opened: OpenPage) -> bool:
    """Whether the page is as good as a fresh one now."""
    origin = find_origin(opened.page)
    if not origin or any(note.startswith(BESIDE) for note in opened.errors):
        return False
    try:
        async with asyncio.timeout(CLEAR_SECONDS):
            if json.loads(await opened.page.locator("state=tab").text_content() or "0"):
                return False
            await _clear(opened, origin)
    except (TimeoutError, Error):
        return False
    opened.forget()
    return True


def find_origin(page: Page) -> str:
    """The origin of a page and its frames; empty where there is none, or more than one."""
    origins = {f"{place.scheme}://{place.netloc}" for place in (urlsplit(frame.url) for frame in page.frames)}
    return origins.pop() if len(origins) == 1 and page.url.startswith("http") else ""


async def _clear(opened: OpenPage, origin: str) -> None:
    page = opened.page
    await page.goto("about:blank")
    send = (await opened.open_session()).send
    await asyncio.gather(
        page.mouse.move(-1, -1),  # nothing lies beneath it there
        send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"}),
        send("Network.clearBrowserCookies"),
        send("Network.clearBrowserCache"),
        send("Page.resetNavigationHistory"),
    )
    if await opened.context.cookies():  # what the document wrote as it went may arrive after it is gone
        await send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
        await send("Network.clearBrowserCookies")
