"""Runs in the browser's box: what an action changed in a page, by what `state.js` tells of it before and after.

A page may change by itself: a clock ticks, a picture gives way to the next. Once it was watched (`find_restless`), what
does so is no effect of an action, unless it does so no more, or something else does.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections import Counter
from collections.abc import Collection
from itertools import pairwise
from typing import Any, Literal

from playwright.async_api import Error

from services.browser.box.pages import OpenPage, is_gone

AS_IT_IS: Literal["initial"] = "initial"
"""Hiding the caret for a picture changes the page, and that would be taken for an effect."""
LATE_SECONDS = 1.0
REST_SECONDS = 0.58
"""Between two looks at a page to which nothing is done."""
RESTS, STILL_RESTS = 4, 2
"""How often it is looked at again, long enough for two ticks of a clock; a page that stood still so often at first is
taken to go on with it."""
RESTLESS_CHANGES = 2
"""What changed once may have come late; what changed so often goes on."""
NOTED = ("dialog", "download", "window", "chooser")
MISTAKE = re.compile(r"is not defined|is not a function|Cannot (read|set|access)|(null|undefined) \(|constant variable")
# matches: x is not defined    Cannot read properties of null (reading 'value')    Assignment to constant variable.
"""An exception that speaks of the program. One that does not speaks of what was filled in, as where a text that is no
Base64 is to be decoded: the button works, and refuses."""


async def observe(opened: OpenPage) -> dict[str, Any]:
    """The state of a page, to be compared with a later one."""
    look = await _read_state(opened, f"now:{','.join(sorted(opened.restless))}")
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
    while not (changed := _list_changes(before, await observe(opened), opened.restless)) and time.monotonic() < ends:
        await asyncio.sleep(0.2)
    if changed or not opened.restless:
        return changed
    motion, opened.motion = opened.motion, await find_restless(opened)
    return [] if opened.motion == motion else ["motion"]


async def find_restless(opened: OpenPage) -> frozenset[str]:
    """What changes while nothing is done to the page: places in the document as `state.js` names them, `storage`,
    `requests`. A canvas is left out: what a button does may show in its motion alone."""
    looks = [await _read_parts(opened)]
    for _ in range(RESTS):
        await asyncio.sleep(REST_SECONDS)
        looks.append(await _read_parts(opened))
        if len(looks) > STILL_RESTS and all(look == looks[0] for look in looks):
            break
    changes = Counter(name for before, after in pairwise(looks) for name in _list_restless(before, after))
    return frozenset(name for name, count in changes.items() if count >= RESTLESS_CHANGES)


async def _read_parts(opened: OpenPage) -> dict[str, Any]:
    state = await _read_state(opened, "now")
    return {"storage": state.get("storage"), "requests": len(opened.exchanges), **await _read_state(opened, "parts")}


async def _read_state(opened: OpenPage, which: str) -> dict[str, Any]:
    try:
        state: dict[str, Any] = json.loads(await opened.page.locator(f"state={which}").text_content() or "{}")
    except Error as between:  # it is just going somewhere else
        if is_gone(between):
            raise
        return {}
    return state


def _list_restless(before: dict[str, Any], after: dict[str, Any]) -> set[str]:
    """What is different; with `*` where elements came or went below it."""
    both = (name for name in before if name in after and before[name] != after[name])
    return {f"{name}*" if _is_recast(before[name], after[name]) else name for name in both}


def _is_recast(before: Any, after: Any) -> bool:
    return isinstance(before, list) and bool(before[1] != after[1])


def _list_changes(before: dict[str, Any], after: dict[str, Any], restless: Collection[str]) -> list[str]:
    changed = {name for name in {*before, *after} if before.get(name) != after.get(name)}.difference(restless)
    return sorted(changed if after.get("focus") else changed - {"focus"})  # a click takes the focus from a field
