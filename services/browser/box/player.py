"""Runs in the browser's box: plays a list of actions on a page, each once the page has settled, up to the first that
fails. What an action is, and what comes of it, is told in `crucible/browsing.py`."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from playwright.async_api import Error, Locator

from services.browser.box import effects
from services.browser.box.pages import OpenPage, is_gone

Json = dict[str, Any]
Perform = Callable[["Player", Json, Json], Awaitable[None]]
"""Carries out an action on a player's page, and adds to the outcome."""

TEXT_CHARS, MOST_CHOICES = 400, 12
HOLD_SECONDS = 0.3
"""What is expected to be absent is looked for again after so long."""
POLL_SECONDS = 0.05
RESTLESS_SECONDS = 2.0
"""An element that never stands still (an endless animation) is clicked as it is within so long."""
COVERED_SECONDS = 1.5
"""What lies over an element goes away within so long, if it only fades."""
ACTS = frozenset({"open", "reload", "back", "click", "fill", "choose", "check", "press", "populate"})
"""What a user does to a page: what its dialogs said before that is over."""


class Unmet(Exception):
    """An action could not be done, or what was expected is not so; the message says why in one line."""


@dataclass
class Player:
    """Plays actions on one page."""

    opened: OpenPage
    table: Mapping[str, Perform]
    """How each action is carried out, by name."""
    seconds: float
    """How long each action may take before the page is taken to hang."""
    patience: float
    """How long an element or an effect is waited for."""
    pictures: str = "none"
    """Which are taken: `none`, `fault`, `end` or `all`."""
    path: str = ""
    """The start of their paths."""
    last: Json | None = None
    """How finder.js was asked for the element that was used last."""
    told: Json = field(default_factory=dict)
    """What finder.js said of the element that was found last."""
    filled: Locator | None = None
    """The field that was filled last, until something else is done."""
    outcomes: list[Json] = field(default_factory=list)
    listed: set[str] = field(default_factory=set)
    """What the buttons are called that were told of."""
    pictured: bool = False
    before: Json | None = None
    """The state of the page before what is done now, where its effects are watched."""
    waited: bool = False
    """An element was waited for in vain since something was done: another that is not there will not come either."""

    async def play(self, actions: list[Json]) -> list[Json]:
        """What came of each action, up to the first that failed."""
        for place, action in enumerate(actions):
            outcome: Json = {"ok": True}
            self.outcomes.append(outcome)
            self.opened.answer = next((each["value"] for each in actions[place + 1 :] if each["name"] == "fill"), None)
            offered = self.opened.answer
            async with asyncio.timeout(self.seconds):
                await self._play_one(action, outcome)
            if offered is not None and self.opened.answer is None:
                _mark_answered(actions, place, offered)
            if not outcome["ok"] and not action["optional"]:
                break
        self.opened.answer = None
        if self.pictures in ("all", "end") or (self.pictures == "fault" and not self.outcomes[-1]["ok"]):
            await self._take_last_picture(self.outcomes[-1])
        return self.outcomes

    async def _play_one(self, action: Json, outcome: Json) -> None:
        if action["name"] in ACTS:
            self.opened.said.clear()
        self.before = await effects.observe(self.opened) if action["watch"] else None
        try:
            if not action.get("answered"):
                await self.table[action["name"]](self, action, outcome)
        except Unmet as unmet:
            outcome.update(ok=False, why=str(unmet))
        except Error as fault:
            if is_gone(fault):
                raise
            outcome.update(ok=False, why=" ".join(fault.message.split())[:TEXT_CHARS])
        self.waited = action["name"] == "element" and (self.waited or not outcome["ok"])
        if self.before is not None:
            outcome["changed"] = await effects.compare(self.opened, self.before)
        if action.get("lists") and outcome["ok"]:
            outcome["buttons"] = await self._list_new_buttons()

    async def _list_new_buttons(self) -> list[Json]:
        """The buttons that are shown for the first time; none where the page just goes somewhere else."""
        try:
            shown = await self.opened.list_elements("button")
        except Error as between:
            if is_gone(between):
                raise
            return []
        new = [each for each in shown if each["name"] not in self.listed]
        self.listed.update(each["name"] for each in new)
        return new

    async def find(
        self, action: Json, outcome: Json, *, strict: bool = False, filled: bool = False, patience: float | None = None
    ) -> Locator:
        """The element, once it is there; the first picture is taken when the first one is found. What a field that is
        to be filled holds does not count as shown by the page from now on."""
        at = action["at"]
        asked = {"find": at, "strict": strict}
        asking = {"filled": at} if filled else asked
        told = await self.opened.tell(sure=True, **asking) if at["within"] else []
        if at["within"] and not told:
            await self._hover(at["within"])
        told = told or await self.opened.tell(patience=self.patience if patience is None else patience, **asking)
        if not told:
            raise Unmet(f"{describe_target(at)} is not there; {await self._describe_choices(at)}")
        self.last, self.told = asked, told[0]
        outcome["element"] = self.told["markup"]
        if self.pictures == "all" and not self.pictured:
            self.pictured = True
            outcome["box"] = self.told["box"]
            outcome["before"] = await self._take_picture()
            self.told["point"] = None  # that takes its time: it may stand elsewhere now
        return self.opened.find(**asked).first

    async def _hover(self, text: str) -> None:
        """Many rows show their buttons only to who points at them."""
        try:
            await self.opened.find(shows=[text]).first.hover(timeout=self.patience * 500)
        except Error as absent:
            if "imeout" not in absent.message:
                raise

    async def stays_away(self, found: Locator) -> bool:
        """Whether it is gone in time, and still is a moment later."""
        ends = time.monotonic() + self.patience
        while await self.opened.count(found):
            if time.monotonic() > ends:
                return False
            await asyncio.sleep(POLL_SECONDS)
        await asyncio.sleep(HOLD_SECONDS)
        return not await self.opened.count(found)

    async def click(self, element: Locator, optional: bool = False) -> None:
        """Click the element that was found last: where it stands, if that is sure to hit it, which takes a fraction of
        the messages to the browser; else as soon as Playwright finds that it can be clicked. What need not be clicked
        is not waited for long: something lies over it."""
        if self.told["point"]:
            await self.opened.page.mouse.click(*self.told["point"])
            return
        await self._go_to(element)
        try:
            await element.click(timeout=min(self.patience, COVERED_SECONDS if optional else self.patience) * 1000)
        except Error as refused:
            message = " ".join(refused.message.split())
            if "element is not stable" in message:
                await element.click(force=True, timeout=RESTLESS_SECONDS * 1000)
            elif "intercepts pointer events" in message:
                raise Unmet("it cannot be clicked: something lies over it") from None
            elif "not enabled" in message:
                raise Unmet("it cannot be clicked: it is disabled") from None
            else:
                raise

    async def _go_to(self, element: Locator) -> None:
        """Scroll to what is out of sight: that is no effect of a click on it."""
        _, top, _, height = self.told["box"]
        window = self.opened.page.viewport_size
        if self.before is None or (window and 0 <= top <= window["height"] - height):
            return
        try:
            await element.scroll_into_view_if_needed(timeout=COVERED_SECONDS * 1000)
        except Error as refused:
            if is_gone(refused):
                raise
        self.before = await effects.observe(self.opened)

    async def leave_field(self) -> None:
        """What was filled in takes effect in some pages only when the field is left."""
        if self.filled is not None:
            try:
                await self.filled.blur(timeout=500)
            except Error as gone:
                if "imeout" not in gone.message:
                    raise
            self.filled = None
            await self.opened.settle()

    def was_said(self, texts: Sequence[str]) -> bool:
        """Whether a dialog has said one of the texts since something was done last."""
        said = [" ".join(message.lower().split()) for message in self.opened.said]
        return any(" ".join(text.lower().split()) in message for text in texts for message in said)

    async def moved(self) -> None:
        self.last = self.filled = None
        await self.opened.settle()

    async def show_element(self, asked: Json, outcome: Json) -> None:
        """Say which element it is and where it stands, if it is still there."""
        for told in await self.opened.tell(**asked):
            outcome["element"], outcome["box"] = told["markup"], told["box"]

    async def _take_picture(self) -> str:
        self.opened.pictures += 1
        path = f"{self.path}-{self.opened.pictures}.jpg"
        await self.opened.page.screenshot(
            path=path, type="jpeg", quality=70, timeout=self.seconds * 900, caret=effects.AS_IT_IS
        )
        return path

    async def _take_last_picture(self, outcome: Json) -> None:
        if not outcome.get("before") and self.last is not None:
            await self.show_element(self.last, outcome)
        async with asyncio.timeout(self.seconds):
            outcome["after"] = await self._take_picture()

    async def describe_page(self) -> str:
        text = " ".join((await self.opened.page.locator("body").inner_text(timeout=2000)).split())
        if not text:  # all of it stands in shadow trees
            text = str(await self.opened.find(words=True).text_content() or "")
        return f"the page shows: {text[:TEXT_CHARS]}" if text else "the page shows no text"

    async def _describe_choices(self, at: Json) -> str:
        """What there is of the role that was asked for, by name."""
        if not at["role"]:
            return await self.describe_page()
        others = await self.opened.tell(most=MOST_CHOICES, find={**at, "names": [], "within": "", "nth": 0})
        names = [told["name"][:40] for told in others if told["name"]]
        if names:
            return f"of this kind there are: {', '.join(names)}"
        return f"there is none of its kind; {await self.describe_page()}"


def _mark_answered(actions: list[Json], place: int, value: str) -> None:
    """The page asked in a dialog for what would have been filled in next: that is done."""
    for action in actions[place + 1 :]:
        if action["name"] == "fill" and action["value"] == value:
            action["answered"] = True
            return


def describe_target(at: Json) -> str:
    """An element in words."""
    names = " or ".join(f"'{name}'" for name in at["names"])
    words = [at["role"] or "element", *(["called", names] if names else [])]
    words += [f"beside '{at['within']}'"] if at["within"] else []
    return " ".join(words)
