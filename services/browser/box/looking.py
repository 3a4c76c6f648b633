"""Runs in the browser's box: what a page looks like at several widths, and what axe-core has to say about it.

Scripts run in a world of their own: they see the document, and nothing that the page's scripts have put in place of
the browser's own functions.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import CDPSession, Page

from services.browser.box.pages import OpenPage

AXE = Path("/opt/axe/axe_playwright_python/axe.min.js")
AUDIT = """(async () => {
  const found = await axe.run(document, {
    resultTypes: ["violations"], iframes: false, elementRef: false,
    rules: { "color-contrast": { enabled: false } },  // the visual layer measures it itself, on pixels
  });
  const nodes = (rule) => rule.nodes.slice(0, 5).map((node) => {
    const at = node.target.length === 1 && typeof node.target[0] === "string" && document.querySelector(node.target[0]);
    const box = at ? at.getBoundingClientRect() : null;
    return {
      where: String(node.target).slice(0, 120),
      box: box && [box.left + scrollX, box.top + scrollY, box.width, box.height].map(Math.round),
    };
  });
  return JSON.stringify(found.violations.slice(0, 100).map((rule) => ({
    rule: rule.id, impact: rule.impact || "minor", tags: rule.tags, help: rule.help.slice(0, 200),
    count: rule.nodes.length, nodes: nodes(rule),
  })));
})()"""
MOST_FACTS_CHARS = 600_000
MOVES = """JSON.stringify(document.getAnimations().some((each) =>
  each.playState === "running" && each.effect.getComputedTiming().endTime < Infinity))"""
MOST_MOVES, MOVE_SECONDS = 4, 0.4
"""A picture brings what moves to its end, and that may change the page: a message goes away when its time is over. What
was found is then not in the picture, and both are taken again until they agree."""


async def look(opened: OpenPage, script: str, widths: list[int], path: str, tallest: int) -> list[dict[str, Any]]:
    """What the script finds at each width, and a picture of the page in `path` with the width added; pictures end at a
    height. The page is left at the last of the widths: who uses it next says which it needs."""
    page, world = opened.page, await open_world(opened)
    height = page.viewport_size["height"] if page.viewport_size else 800
    looks = []
    for width in widths:
        await page.set_viewport_size({"width": width, "height": height})
        picture = f"{path}-{width}.png"
        moves = await world.evaluate(MOVES)
        facts = await world.evaluate(script)
        await _take_picture(page, world.session, picture, (width, height, tallest))
        for _ in range(MOST_MOVES if moves else 0):
            if facts == (facts := await world.evaluate(script)):
                break
            await asyncio.sleep(MOVE_SECONDS)
            facts = await world.evaluate(script)
            await _take_picture(page, world.session, picture, (width, height, tallest))
        looks.append({"width": width, "picture": picture, "facts": facts})
    return looks


async def _take_picture(page: Page, session: CDPSession, path: str, sizes: tuple[int, int, int]) -> None:
    """A picture of the whole page, of this width, of this height at least, and of another at most."""
    width, height, tallest = sizes
    size = (await session.send("Page.getLayoutMetrics"))["cssContentSize"]["height"]
    await page.screenshot(
        path=path,
        full_page=True,
        clip={"x": 0, "y": 0, "width": width, "height": max(height, min(int(size), tallest))},
        animations="disabled",
        caret="hide",
        scale="css",
    )


async def audit(opened: OpenPage) -> Any:
    """The rules of axe-core that the page breaks, each with the first places."""
    world = await open_world(opened)
    return await world.evaluate(f"{AXE.read_text()};\n{AUDIT}")


@dataclass(frozen=True)
class World:
    """A place in a document for scripts that the page's own scripts cannot reach."""

    session: CDPSession
    number: int

    async def evaluate(self, script: str) -> Any:
        """What a script returns as JSON."""
        asked = {"expression": script, "contextId": self.number, "awaitPromise": True, "returnByValue": True}
        answer = await self.session.send("Runtime.evaluate", asked)
        text = answer["result"].get("value")
        if not isinstance(text, str) or len(text) > MOST_FACTS_CHARS:
            why = answer.get("exceptionDetails", {}).get("exception", {}).get("description", "too much was found")
            raise LookFailed(str(why)[:500])
        return json.loads(text)


async def open_world(opened: OpenPage) -> World:
    """A new one in the document that the page shows now."""
    session = await opened.open_session()
    frame = (await session.send("Page.getFrameTree"))["frameTree"]["frame"]["id"]
    world = await session.send("Page.createIsolatedWorld", {"frameId": frame, "worldName": "crucible"})
    return World(session, world["executionContextId"])


class LookFailed(Exception):
    """A page cannot be looked at."""
