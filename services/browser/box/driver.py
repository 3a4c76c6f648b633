"""Runs in the browser's box: one Chromium with many contexts, driven by JSON lines over a socket in the box's files.

There is no port: the network is shared with the application that is looked at. A page that hangs is closed with its
context. A browser that went away, or cannot get rid of a page, ends this process, and the host starts another.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tomllib
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Error, async_playwright

from services.browser.box.clearing import clear_page
from services.browser.box.doings import DOINGS
from services.browser.box.expectations import EXPECTATIONS
from services.browser.box.looking import LookFailed, audit, look
from services.browser.box.pages import OpenPage, is_gone, open_page
from services.browser.box.player import Player
from services.browser.box.provided import ProvidedFiles

HERE = Path(__file__).parent
CHROMIUM = "/usr/bin/chromium-headless-shell"
"""Without the parts for a screen: a page takes a quarter of the processor time that it takes in the whole browser."""
TEXT_CHARS = 200_000
"""What is kept of what a page says: a page can talk for ever."""
LATE_SECONDS = 0.3
"""What goes wrong so soon after a page has loaded went wrong while it did."""
EMPTY_SECONDS = 5.0
"""A page that shows nothing at all is waited for so long: some draw themselves late."""
GRACE_SECONDS = 3.0
"""A page that keeps an action from ending for so long past its limit hangs."""
OWN_HOSTS = ("localhost", "127.*", "10.*", "172.*", "192.168.*", "[*")
"""Where an application can be found: names of this machine, and addresses of the networks of boxes."""
ARGUMENTS = (
    "--no-sandbox",  # needs namespaces that a box does not grant; the box itself is the sandbox
    "--disable-dev-shm-usage",  # a box's shared memory is small
    "--disable-gpu",
    "--disable-blink-features=AutomationControlled",  # some pages are others for who says that he is a machine
    # There is no other host. Where a name server does not answer, a style sheet from elsewhere would hold up the page.
    f"--host-resolver-rules=MAP * ~NOTFOUND, {', '.join(f'EXCLUDE {own}' for own in OWN_HOSTS)}",
)

Answer = dict[str, Any]


class Driver:
    """The open pages, by number."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.pages: dict[int, OpenPage] = {}
        self.cleared: list[OpenPage] = []
        """Pages that were used and cleared, and wait to be used again."""
        self.provided = ProvidedFiles.read()

    async def answer(self, request: Answer) -> Answer:
        """Do what one line asks for, once the pages that were left are closed: its value, or why it failed, and whether
        the page is gone. A page is opened by the first line that names it, which gives its size."""
        seconds = float(request.pop("seconds"))
        number, size, used = request.get("page", 0), request.pop("size", None), request.pop("used", False)
        await asyncio.gather(*map(self.leave, request.pop("left")))
        many = len(request.get("actions", ())) + 1
        action: Callable[..., Awaitable[Any]] = getattr(self, f"do_{request.pop('action')}")
        try:
            async with asyncio.timeout(seconds * many + GRACE_SECONDS):
                if size:
                    self.pages[number] = await self.open(size, used, seconds * 1000)
                return {"value": await action(**request, limit=seconds * 1000)}
        except TimeoutError:
            await self.drop(number)
            return {"failed": f"the page hangs: no answer within {seconds:g} s", "gone": True}
        except KeyError:
            return {"failed": "the page is gone", "gone": True}
        except LookFailed as fault:
            return {"failed": str(fault), "gone": False}
        except Error as fault:
            if is_gone(fault):
                await self.drop(number)
            return {"failed": fault.message[:2000], "gone": is_gone(fault)}

    async def open(self, size: tuple[int, int], used: bool, limit: float) -> OpenPage:
        """A page of this size, fresh or used and cleared."""
        width, height = size
        if used and self.cleared:
            opened = self.cleared.pop()
            await opened.page.set_viewport_size({"width": width, "height": height})
            return opened
        opened = await open_page(self.browser, width, height, limit)
        await self.provided.answer_in(opened)
        opened.reusable = used
        return opened

    async def leave(self, number: int) -> None:
        """Clear a page for its next use if that is possible, else close it."""
        opened = self.pages.get(number)
        if opened is None or not opened.reusable or not await clear_page(opened):
            await self.drop(number)
        else:
            self.cleared.append(self.pages.pop(number))

    async def drop(self, number: int) -> None:
        """Close a page's context; when that hangs too, end the browser and with it this process."""
        dropped = self.pages.pop(number, None)
        if dropped is None:
            return
        try:
            async with asyncio.timeout(10):
                await dropped.context.close()
        except (TimeoutError, Error):
            os._exit(1)

    async def do_provide(self, limit: float) -> None:
        """Use the files that were laid in the box; pages that were opened before know nothing of them."""
        self.provided = ProvidedFiles.read()
        cleared, self.cleared = self.cleared, []
        for opened in cleared:
            await opened.context.close()

    async def do_play(
        self, page: int, actions: list[Answer], patience: float, pictures: str, path: str, limit: float
    ) -> list[Answer]:
        table = DOINGS | EXPECTATIONS
        return await Player(self.pages[page], table, limit / 1000, patience, pictures, path).play(actions)

    async def do_goto(self, page: int, url: str, limit: float) -> int:
        response = await self.pages[page].page.goto(url, timeout=limit)
        return response.status if response else 0

    async def do_load(self, page: int, url: str, path: str, limit: float) -> Answer:
        opened = self.pages[page]
        status = await self.do_goto(page, url, limit)
        await asyncio.gather(opened.settle(), asyncio.sleep(LATE_SECONDS))
        await opened.tell(patience=EMPTY_SECONDS, anything=True)
        await self.do_screenshot(page, path, False, limit)
        return {
            "status": status,
            "url": opened.page.url[:2000],
            "errors": opened.errors,
            "exchanges": opened.exchanges,
        }

    async def do_screenshot(self, page: int, path: str, full_page: bool, limit: float) -> None:
        await self.pages[page].page.screenshot(path=path, full_page=full_page, timeout=limit)

    async def do_text(self, page: int, selector: str, limit: float) -> str:
        if selector == "title":
            return (await self.pages[page].page.title())[:TEXT_CHARS]
        return (await self.pages[page].page.locator(selector).first.inner_text(timeout=limit))[:TEXT_CHARS]

    async def do_click(self, page: int, selector: str, limit: float) -> None:
        await self.pages[page].page.locator(selector).first.click(timeout=limit)

    async def do_fill(self, page: int, selector: str, value: str, limit: float) -> None:
        await self.pages[page].page.locator(selector).first.fill(value, timeout=limit)

    async def do_evaluate(self, page: int, expression: str, limit: float) -> Any:
        return await self.pages[page].page.evaluate(expression)

    async def do_look(self, page: int, script: str, widths: list[int], path: str, tallest: int, limit: float) -> Any:
        return await look(self.pages[page], script, widths, path, tallest)

    async def do_audit(self, page: int, limit: float) -> Any:
        return await audit(self.pages[page])

    async def do_elements(self, page: int, role: str, limit: float) -> list[Answer]:
        return await self.pages[page].list_elements(role)

    async def do_tree(self, page: int, limit: float) -> str:
        return (await self.pages[page].page.locator("body").aria_snapshot(timeout=limit))[:TEXT_CHARS]

    async def do_url(self, page: int, limit: float) -> str:
        return self.pages[page].page.url[:2000]

    async def do_exchanges(self, page: int, limit: float) -> list[Answer]:
        return self.pages[page].exchanges

    async def do_errors(self, page: int, limit: float) -> list[str]:
        return self.pages[page].errors


def read_finder() -> str:
    """The selector engine with its data."""
    data = tomllib.loads((HERE / "finder.toml").read_text())
    return f"{(HERE / 'finder.js').read_text().strip()}({json.dumps(data)})"


async def main(place: str) -> None:
    """Start Chromium, then answer until it goes away."""
    async with async_playwright() as playwright:
        for name, engine in (("finder", read_finder()), ("state", (HERE / "state.js").read_text().strip())):
            await playwright.selectors.register(name, engine, content_script=True)
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        browser.on("disconnected", lambda _: os._exit(1))
        driver = Driver(browser)

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            answer = await driver.answer(json.loads(await reader.read()))
            writer.write(json.dumps(answer).encode())
            await writer.drain()
            writer.close()

        Path(place).unlink(missing_ok=True)
        server = await asyncio.start_unix_server(serve, place)
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
