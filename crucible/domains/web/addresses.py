"""Addresses of an application: opened directly as from a bookmark, and left by the back button."""

from __future__ import annotations

from posixpath import dirname

from crucible.browsing import Action, Outcome, Page, Target, Window
from crucible.domains.web.playing import make_address

NOWHERE = "no-page-is-called-like-this"
MOST_LINKS = 6
"""How many links are followed until one leads to another address."""


async def find_address_fault(window: Window, url: str, path: str) -> tuple[str, bytes]:
    """Why an address does not work when it is opened directly, empty where it does; and a picture of it. One that shows
    the same as addresses that cannot exist, below it and beside it, is missing, even if the server answers: what is
    below it alone may rightly be answered alike. That cannot be told of one that differs by its fragment or query
    alone."""
    async with window.open_page() as page:
        opened = await _open(page, make_address(url, path))
        picture = await page.read_picture(opened.after) if opened.after else b""
        if not opened.ok:
            return opened.why, picture
        text = await page.text()
        status = _status(opened)
        if status >= 400:
            return f"the server answers {status}", picture
        exceptions = [error for error in await page.errors() if error.startswith("exception")]
        if exceptions:
            return exceptions[0], picture
        if not text.strip() and not await page.evaluate("!!document.querySelector('canvas, img, svg, video, input')"):
            return "the page is blank", picture
        if path.strip("/") and not path.startswith(("#", "?", "/#", "/?")):
            nowhere = [f"{path.rstrip('/')}/{NOWHERE}", f"{dirname(path.strip('/'))}/{NOWHERE}"]
            if all([await _shows(page, make_address(url, each), text) for each in nowhere]):
                return "it shows the same as an address that cannot exist", picture
    return "", picture


async def find_back_fault(window: Window, url: str) -> tuple[str, str]:
    """Why the back button does not lead back to the first page, empty where it does; and what was tried."""
    async with window.open_page() as page:
        await _open(page, url)
        first, home = await page.text(), await page.url()
        for link in (await page.elements("link"))[:MOST_LINKS]:
            await page.play([Action(name="click", at=Target(role="link", names=(link.name,)), optional=True)])
            if await page.url() == home:
                continue
            away = await page.text()
            await page.play([Action(name="back"), Action(name="wait", value="0.3")])
            back = await page.url()
            tried = f"from {home} by '{link.name}' and back"
            if back != home:
                return f"{tried}: the address is {back}", tried
            if away != first and await page.text() == away:
                return f"{tried}: the page still shows what it showed there", tried
            return "", tried
    return "", "no link leads to another address"


async def _shows(page: Page, address: str, text: str) -> bool:
    """Whether an address shows this and nothing else."""
    opened = await _open(page, address)
    return opened.ok and _status(opened) < 400 and await page.text() == text


async def _open(page: Page, address: str) -> Outcome:
    [opened] = await page.play([Action(name="open", value=address)], pictures="all")
    return opened


def _status(opened: Outcome) -> int:
    status = opened.answer.get("status") if isinstance(opened.answer, dict) else None
    return status if isinstance(status, int) else 0
