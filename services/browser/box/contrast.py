"""Runs in the browser's box: whether a click changes anything on a page that changes by itself, as one with a clock.

The page is watched first. What changes then by itself, but not all the time, may change by chance after a click as
well, and hardly after each of several. Where something changes all the time, or elements come and go, nobody can tell,
and whatever changes counts.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from itertools import pairwise
from typing import Any

from playwright.async_api import Error

from services.browser.box.effects import LATE_SECONDS, list_changes, observe
from services.browser.box.pages import OpenPage, is_gone
from services.browser.box.player import Json, Player

REST_SECONDS = 0.58
"""Between two looks at a page to which nothing is done."""
RESTS, STILL_RESTS = 4, 2
"""How often it is looked at again, long enough for two ticks of a clock; a page that stood still so often at first is
taken to go on with it."""
CLICKS = 3
FAINT = {"document", "storage", "requests", "scroll"}
"""What a page changes by itself; and to be clicked an element is scrolled to."""

Parts = dict[str, Any]
"""What each element of a page is by itself, by its way from the root; what is stored, and how much was asked for."""


async def contrast(player: Player, action: Json, outcome: Json) -> bool:
    """Click several times, and tell what only the clicks can have changed; False, and nothing is done, where the page
    stands still now, or where nobody can tell."""
    looks = await watch(player.opened)
    restless = count_changes(looks)
    if not restless or _is_untold(looks, restless):
        return False
    stirred: Counter[str] = Counter()
    for _ in range(CLICKS):
        effects, own = await _click_among(player, action, outcome, {*restless})
        if effects:
            outcome["changed"] = sorted(effects)
            return True
        stirred.update(own)
    if CLICKS in stirred.values():
        outcome["changed"] = ["document"]
    elif {*count_changes(await watch(player.opened))} != {*restless}:
        outcome["changed"] = ["motion"]
    return True


async def watch(opened: OpenPage) -> list[Parts]:
    """Looks at a page to which nothing is done."""
    looks = [await _read_parts(opened)]
    for _ in range(RESTS):
        await asyncio.sleep(REST_SECONDS)
        looks.append(await _read_parts(opened))
        if len(looks) > STILL_RESTS and all(look == looks[0] for look in looks):
            break
    return looks


def count_changes(looks: list[Parts]) -> Counter[str]:
    """How often each part changed by itself; what did so once may have come late, and is left out."""
    changes = Counter(name for before, after in pairwise(looks) for name in _list_different(before, after))
    return Counter({name: count for name, count in changes.items() if count > 1})


def _is_untold(looks: list[Parts], restless: Counter[str]) -> bool:
    """Whether a part changed before every look, or elements came and went."""
    return max(restless.values()) == len(looks) - 1 or any(look.keys() != looks[0].keys() for look in looks)


async def _click_among(player: Player, action: Json, outcome: Json, restless: set[str]) -> tuple[set[str], set[str]]:
    """Click once: the effects, at once or soon, and which of the restless parts changed at once."""
    before, parts = await observe(player.opened), await _read_parts(player.opened)
    await _click(player, action, outcome)
    own = _list_different(parts, await _read_parts(player.opened)) & restless
    ends = time.monotonic() + LATE_SECONDS
    while True:
        effects = {*list_changes(before, await observe(player.opened))} - FAINT
        if _list_different(parts, await _read_parts(player.opened)) - restless:
            effects.add("document")
        if effects or time.monotonic() > ends:
            return effects, own
        await asyncio.sleep(0.2)


async def _click(player: Player, action: Json, outcome: Json) -> None:
    await player.click(await player.find(action, outcome), action["optional"])
    await player.opened.settle()


def _list_different(before: Parts, after: Parts) -> set[str]:
    return {name for name in {*before, *after} if before.get(name) != after.get(name)}


async def _read_parts(opened: OpenPage) -> Parts:
    try:
        parts: Parts = json.loads(await opened.page.locator("state=parts").text_content() or "{}")
    except Error as between:  # it is just going somewhere else
        if is_gone(between):
            raise
        parts = {}
    return {**parts, "requests": len(opened.exchanges)}
