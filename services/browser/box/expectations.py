"""Runs in the browser's box: what is expected of a page. What is to be there is waited for; what is not to be there is
looked for twice."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

from services.browser.box.player import POLL_SECONDS, Json, Perform, Player, Unmet, describe_target


async def expect_text(player: Player, action: Json, outcome: Json) -> None:
    """One of the texts is shown, or was said by a dialog, which a person has to read before anything else."""
    await player.leave_field()
    asked = {"shows": action["texts"]}
    if player.was_said(action["texts"]):
        return
    if not await player.opened.tell(patience=player.patience, **asked):
        if player.was_said(action["texts"]):  # some dialogs come late
            return
        raise Unmet(f"{_quoted(action['texts'])} is not shown; {await player.describe_page()}")
    player.last = asked


async def expect_no_text(player: Player, action: Json, outcome: Json) -> None:
    """None of the texts is shown, or no longer."""
    await player.leave_field()
    asked = {"shows": action["texts"]}
    if not await player.stays_away(player.opened.find(**asked)):
        await player.show_element(asked, outcome)
        raise Unmet(f"{_quoted(action['texts'])} is shown")
    _require_page(player)


async def expect_element(player: Player, action: Json, outcome: Json) -> None:
    """The element is there, and called so."""
    await player.find(action, outcome, strict=True, patience=0.0 if player.waited else None)
    outcome["box"] = player.told["box"]


async def expect_no_element(player: Player, action: Json, outcome: Json) -> None:
    """The element is not there, or no longer."""
    asked = {"find": action["at"], "strict": True}
    if not await player.stays_away(player.opened.find(**asked)):
        await player.show_element(asked, outcome)
        raise Unmet(f"{describe_target(action['at'])} is there")
    _require_page(player)


async def expect_count(player: Player, action: Json, outcome: Json) -> None:
    """There are so many of the element."""
    asked = {"find": action["at"], "strict": True}
    found = player.opened.find(**asked)
    ends = time.monotonic() + player.patience
    while (count := await player.opened.count(found)) != action["count"]:
        if time.monotonic() > ends:
            raise Unmet(f"{count} of {describe_target(action['at'])} instead of {action['count']}")
        await asyncio.sleep(POLL_SECONDS)
    player.last = asked if count else player.last
    if not count:
        _require_page(player)


async def expect_value(player: Player, action: Json, outcome: Json) -> None:
    """The field holds one of the texts, or nothing where none is named; the first field where no element is named."""
    at = action["at"]
    at["role"] = at["role"] or ("" if at["names"] else "field")
    at["holds"], at["texts"] = True, action["texts"]
    await player.find(action, outcome)
    ends = time.monotonic() + player.patience
    while not player.told["holds"] if action["texts"] else player.told["held"]:
        held = player.told["held"]
        if time.monotonic() > ends:
            raise Unmet(f"{describe_target(action['at'])} holds '{held[:100]}' instead of {_quoted(action['texts'])}")
        await asyncio.sleep(POLL_SECONDS)
        await player.find(action, outcome)


async def expect_enabled(player: Player, action: Json, outcome: Json, wanted: bool = True) -> None:
    """The element can be used, or not."""
    element = await player.find(action, outcome)
    ends = time.monotonic() + player.patience
    while await element.is_enabled(timeout=player.patience * 1000) != wanted:
        if time.monotonic() > ends:
            raise Unmet(f"{describe_target(action['at'])} is {'disabled' if wanted else 'enabled'}")
        await asyncio.sleep(POLL_SECONDS)


async def expect_disabled(player: Player, action: Json, outcome: Json) -> None:
    """The element cannot be used."""
    await expect_enabled(player, action, outcome, wanted=False)


async def expect_url(player: Player, action: Json, outcome: Json) -> None:
    """One of the texts stands in the address."""
    ends = time.monotonic() + player.patience
    while not any(text in player.opened.page.url for text in action["texts"]):
        if time.monotonic() > ends:
            raise Unmet(f"the address is {player.opened.page.url[:200]}, without {_quoted(action['texts'])}")
        await asyncio.sleep(POLL_SECONDS)


def _require_page(player: Player) -> None:
    """What is not shown where the application could not answer is no answer either."""
    if player.opened.broken:
        raise Unmet(f"the application could not answer: {player.opened.broken}")


def _quoted(texts: Sequence[str]) -> str:
    return f"'{texts[0]}'" if texts else "''"


EXPECTATIONS: dict[str, Perform] = {
    "text": expect_text,
    "no text": expect_no_text,
    "element": expect_element,
    "no element": expect_no_element,
    "count": expect_count,
    "value": expect_value,
    "enabled": expect_enabled,
    "disabled": expect_disabled,
    "url": expect_url,
}
