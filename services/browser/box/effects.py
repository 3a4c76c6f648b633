"""Runs in the browser's box: what an action changed in a page, by what `state.js` tells of it before and after."""

from __future__ import annotations

import asyncio
import json
import re
import time
from typing import Any, Literal

from playwright.async_api import Error

from services.browser.box.pages import OpenPage, is_gone

AS_IT_IS: Literal["initial"] = "initial"
"""Hiding the caret for a picture changes the page, and that would be taken for an effect."""
LATE_SECONDS = 1.0
NOTED = ("dialog", "download", "window", "chooser")
MISTAKE = re.compile(r"is not defined|is not a function|Cannot (read|set|access)|(null|undefined) \(|constant variable")
# matches: x is not defined    Cannot read properties of null (reading 'value')    Assignment to constant variable.
"""An exception that speaks of the program. One that does not speaks of what was filled in, as where a text that is no
Base64 is to be decoded: the button works, and refuses."""


async def observe(opened: OpenPage) -> dict[str, Any]:
    """The state of a page, to be compared with a later one."""
    try:
        look: dict[str, Any] = json.loads(await opened.page.locator("state=now").text_content() or "{}")
    except Error as between:  # it is just going somewhere else
        if is_gone(between):
            raise
        look = {}
    for kind in NOTED:
        look[kind] = sum(note.startswith(f"{kind}:") for note in opened.errors)
    look["refusal"] = sum(note.startswith("exception:") and not MISTAKE.search(note) for note in opened.errors)
    look["requests"] = len(opened.exchanges)
    canvas = look.pop("canvas", False)
    look["picture"] = await opened.page.screenshot(type="jpeg", quality=50, caret=AS_IT_IS) if canvas else b""
    return look


async def compare(opened: OpenPage, before: dict[str, Any]) -> list[str]:
    """What is different now, or soon: some effects come late."""
    ends = time.monotonic() + LATE_SECONDS
    while not (changed := list_changes(before, await observe(opened))) and time.monotonic() < ends:
        await asyncio.sleep(0.2)
    return changed


def list_changes(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """What is different in the second of two states."""
    changed = {name for name in {*before, *after} if before.get(name) != after.get(name)}
    return sorted(changed if after.get("focus") else changed - {"focus"})  # a click takes the focus from a field
