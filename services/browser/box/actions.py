"""Runs in the browser's box: plays a list of actions on a page, each once the page has settled, up to the first that
fails. What an action is, and what comes of it, is told in `crucible/browsing.py`."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import Any

from playwright.async_api import Error, Locator

from services.browser.box import effects
from services.browser.box.pages import OpenPage

Json = dict[str, Any]

MARKUP_CHARS, TEXT_CHARS, ANSWER_CHARS = 300, 400, 200_000
HOLD_SECONDS = 0.3
"""What is expected to be absent is looked for again after so long."""
POLL_SECONDS = 0.05
LONGEST_WAIT_SECONDS = 10.0
MANY_CLICKS_SECONDS = 2.0
"""An element that never stands still (an endless animation) is clicked as it is after so long."""


MOST_FIELDS = 12
PLAUSIBLE = {
    **dict.fromkeys(("text", "textarea", "search", ""), "lorem ipsum"),
    "email": "someone@example.com",
    "password": "Lorem-1psum!",
    "number": "7",
    "tel": "5550100",
    "url": "https://example.com/",
    "date": "2027-03-14",
    "time": "10:30",
    "month": "2027-03",
    "datetime-local": "2027-03-14T10:30",
}
"""What an empty field is filled with, by its type, where any value will do."""


class Unmet(Exception):
    """An action could not be done, or what was expected is not so; the message says why in one line."""


@dataclass
class Player:
    """Plays actions on one page."""

    opened: OpenPage
    seconds: float
    """How long each action may take before the page is taken to hang."""
    patience: float
    """How long an element or an effect is waited for."""
    pictures: str = "none"
    """Which are taken: `none`, `fault` or `all`."""
    path: str = ""
    """The start of their paths."""
    last: Locator | None = None
    """The element that was used last."""
    filled: Locator | None = None
    """The field that was filled last, until something else is done."""
    outcomes: list[Json] = field(default_factory=list)
    pictured: bool = False

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
        if self.pictures == "all" or (self.pictures == "fault" and not self.outcomes[-1]["ok"]):
            await self._take_last_picture(self.outcomes[-1])
        return self.outcomes

    async def _play_one(self, action: Json, outcome: Json) -> None:
        before = await effects.observe(self.opened) if action["watch"] else None
        try:
            if not action.get("answered"):
                await getattr(self, f"do_{action['name'].replace(' ', '_')}")(action, outcome)
        except Unmet as unmet:
            outcome.update(ok=False, why=str(unmet))
        except Error as fault:
            if "crashed" in fault.message or "has been closed" in fault.message:
                raise
            outcome.update(ok=False, why=" ".join(fault.message.split())[:TEXT_CHARS])
        if before is not None:
            outcome["changed"] = await effects.compare(self.opened, before)

    # What is done.

    async def do_open(self, action: Json, outcome: Json) -> None:
        response = await self.opened.page.goto(action["value"], timeout=self.seconds * 900)
        outcome["answer"] = {"status": response.status if response else 0, "body": None}
        await self._moved()

    async def do_reload(self, action: Json, outcome: Json) -> None:
        await self.opened.page.reload(timeout=self.seconds * 900)
        await self._moved()

    async def do_back(self, action: Json, outcome: Json) -> None:
        await self.opened.page.go_back(timeout=self.seconds * 900)
        await self._moved()

    async def do_wait(self, action: Json, outcome: Json) -> None:
        await asyncio.sleep(min(float(action["value"] or 1), LONGEST_WAIT_SECONDS))

    async def do_click(self, action: Json, outcome: Json) -> None:
        try:
            element = await self._find(action, outcome)
        except Unmet:
            if self.filled is None or action["at"]["role"] != "button" or action["at"]["within"]:
                raise
            await self.filled.press("Enter", timeout=self.patience * 1000)  # a field without a button
        else:
            await self._click(element)
        self.filled = None
        await self.opened.settle()

    async def do_fill(self, action: Json, outcome: Json) -> None:
        element = await self._find(action, outcome)
        try:
            await element.fill(action["value"], timeout=self.patience * 1000)
        except Error:  # a value that its kind of field does not take, or no field at all: typed as a user would
            await element.click(timeout=self.patience * 1000)
            await self.opened.page.keyboard.type(action["value"])
        await self.opened.find(filled=action["at"]).count()
        await self.opened.page.keyboard.press("Shift")  # some listen to keys alone
        self.filled = element

    async def do_choose(self, action: Json, outcome: Json) -> None:
        wanted = action["value"]
        try:
            element = await self._find(action, outcome)
        except Unmet:
            await self._click(await self._find({"at": _target("radio", wanted)}, outcome))
        else:
            if await element.evaluate("element => element.localName === 'select'"):
                await element.select_option(await _option_value(element, wanted), timeout=self.patience * 1000)
                await self.opened.find(filled=action["at"]).count()
            else:
                if not _names(action["at"], wanted):
                    await self._click(element)
                    await self.opened.settle()
                await self._click(await self._find({"at": _target("option", wanted)}, outcome))
        await self.opened.settle()

    async def do_check(self, action: Json, outcome: Json) -> None:
        element = await self._find(action, outcome)
        try:
            await element.set_checked(action["value"] != "false", timeout=self.patience * 1000)
        except Error as other:
            if "Not a checkbox" not in other.message and "did not change its state" not in other.message:
                raise
            if "Not a checkbox" in other.message:
                await self._click(element)
        await self.opened.settle()

    async def do_press(self, action: Json, outcome: Json) -> None:
        if action["at"]["role"] or action["at"]["names"]:
            element = await self._find(action, outcome)
            await element.press(action["value"], timeout=self.patience * 1000)
        else:
            await self.opened.page.keyboard.press(action["value"])
        self.filled = None
        await self.opened.settle()

    async def do_populate(self, action: Json, outcome: Json) -> None:
        fields = self.opened.find(fields=True)
        for place in range(min(await fields.count(), MOST_FIELDS)):
            element = fields.nth(place)
            kind, held = await element.evaluate("e => [e.type || '', e.value ?? e.innerText]", timeout=1000)
            value = PLAUSIBLE.get(kind, "")
            if value and not held and await element.is_editable(timeout=1000):
                await element.fill(value, timeout=self.patience * 1000)
        await self.opened.settle()

    async def do_send(self, action: Json, outcome: Json) -> None:
        extra = {} if action["body"] is None else {"data": action["body"]}
        limit = self.seconds * 900
        response = await self.opened.context.request.fetch(
            action["value"], method=action["method"], timeout=limit, fail_on_status_code=False, max_redirects=5, **extra
        )
        try:
            text = (await response.text())[:ANSWER_CHARS]
        except UnicodeDecodeError:
            text = ""
        try:
            body = await response.json() if len(text) < ANSWER_CHARS else text
        except ValueError:
            body = text
        outcome["answer"] = {"status": response.status, "body": body}
        await response.dispose()

    # What is expected.

    async def do_text(self, action: Json, outcome: Json) -> None:
        await self._leave_field()
        shown = self.opened.find(shows=action["texts"]).first
        if not await self._appears(shown):
            raise Unmet(f"{_quoted(action['texts'])} is not shown; {await self._describe_page()}")
        self.last = shown

    async def do_no_text(self, action: Json, outcome: Json) -> None:
        await self._leave_field()
        shown = self.opened.find(shows=action["texts"])
        if not await self._stays_away(shown):
            await self._tell_element(shown.first, outcome)
            raise Unmet(f"{_quoted(action['texts'])} is shown")

    async def do_element(self, action: Json, outcome: Json) -> None:
        element = await self._find(action, outcome, strict=True)
        if self.pictures == "all":
            await self._measure(element, outcome)

    async def do_no_element(self, action: Json, outcome: Json) -> None:
        found = self.opened.find(find=action["at"], strict=True)
        if not await self._stays_away(found):
            await self._tell_element(found.first, outcome)
            raise Unmet(f"{_describe(action['at'])} is there")

    async def do_count(self, action: Json, outcome: Json) -> None:
        found = self.opened.find(find=action["at"], strict=True)
        ends = time.monotonic() + self.patience
        while (count := await found.count()) != action["count"]:
            if time.monotonic() > ends:
                raise Unmet(f"{count} of {_describe(action['at'])} instead of {action['count']}")
            await asyncio.sleep(POLL_SECONDS)
        self.last = found.first if count else self.last

    async def do_value(self, action: Json, outcome: Json) -> None:
        element = await self._find(action, outcome)
        ends = time.monotonic() + self.patience
        while not _holds_one(held := await _held_value(element), action["texts"]):
            if time.monotonic() > ends:
                raise Unmet(f"{_describe(action['at'])} holds '{held[:100]}' instead of {_quoted(action['texts'])}")
            await asyncio.sleep(POLL_SECONDS)

    async def do_enabled(self, action: Json, outcome: Json, wanted: bool = True) -> None:
        element = await self._find(action, outcome)
        ends = time.monotonic() + self.patience
        while await element.is_enabled(timeout=self.patience * 1000) != wanted:
            if time.monotonic() > ends:
                raise Unmet(f"{_describe(action['at'])} is {'disabled' if wanted else 'enabled'}")
            await asyncio.sleep(POLL_SECONDS)

    async def do_disabled(self, action: Json, outcome: Json) -> None:
        await self.do_enabled(action, outcome, wanted=False)

    async def do_url(self, action: Json, outcome: Json) -> None:
        ends = time.monotonic() + self.patience
        while not any(text in self.opened.page.url for text in action["texts"]):
            if time.monotonic() > ends:
                raise Unmet(f"the address is {self.opened.page.url[:200]}, without {_quoted(action['texts'])}")
            await asyncio.sleep(POLL_SECONDS)

    # How.

    async def _find(self, action: Json, outcome: Json, strict: bool = False) -> Locator:
        """The element, once it is there; the first picture is taken when the first one is found."""
        at = action["at"]
        found = self.opened.find(find=at, strict=strict).first
        if at["within"]:
            await self._hover(at["within"])
        if not await self._appears(found):
            raise Unmet(f"{_describe(at)} is not there; {await self._describe_choices(at)}")
        self.last = found
        await self._tell_element(found, outcome)
        if self.pictures == "all" and not self.pictured:
            self.pictured = True
            await self._measure(found, outcome)
            outcome["before"] = await self._take_picture()
        return found

    async def _hover(self, text: str) -> None:
        """Many rows show their buttons only to who points at them."""
        try:
            await self.opened.find(shows=[text]).first.hover(timeout=self.patience * 500)
        except Error as absent:
            if "imeout" not in absent.message:
                raise

    async def _appears(self, found: Locator) -> bool:
        try:
            await found.wait_for(state="attached", timeout=self.patience * 1000)
        except Error as absent:
            if "imeout" not in absent.message:
                raise
            return False
        return True

    async def _stays_away(self, found: Locator) -> bool:
        """Whether it is gone in time, and still is a moment later."""
        ends = time.monotonic() + self.patience
        while await found.count():
            if time.monotonic() > ends:
                return False
            await asyncio.sleep(POLL_SECONDS)
        await asyncio.sleep(HOLD_SECONDS)
        return not await found.count()

    async def _click(self, element: Locator) -> None:
        try:
            await element.click(timeout=self.patience * 1000)
        except Error as refused:
            message = " ".join(refused.message.split())
            if "element is not stable" in message:
                await element.click(force=True, timeout=MANY_CLICKS_SECONDS * 1000)
            elif "intercepts pointer events" in message:
                raise Unmet("it cannot be clicked: something lies over it") from None
            elif "not enabled" in message:
                raise Unmet("it cannot be clicked: it is disabled") from None
            else:
                raise

    async def _leave_field(self) -> None:
        """What was filled in takes effect in some pages only when the field is left."""
        if self.filled is not None:
            try:
                await self.filled.blur(timeout=500)
            except Error as gone:
                if "imeout" not in gone.message:
                    raise
            self.filled = None
            await self.opened.settle()

    async def _moved(self) -> None:
        self.last = self.filled = None
        await self.opened.settle()

    async def _tell_element(self, found: Locator, outcome: Json) -> None:
        """Show the markup of the element, if it is still there."""
        try:
            markup = await found.evaluate(f"e => e.outerHTML.slice(0, {MARKUP_CHARS})", timeout=500)
        except Error as gone:
            if "crashed" in gone.message or "has been closed" in gone.message:
                raise
            return
        outcome["element"] = str(markup)[:MARKUP_CHARS]  # a page can put anything in place of its own properties

    async def _measure(self, found: Locator, outcome: Json) -> None:
        """Say where the element stands, if it is still there."""
        try:
            box = await found.bounding_box(timeout=500)
        except Error as gone:
            if "crashed" in gone.message or "has been closed" in gone.message:
                raise
            return
        outcome["box"] = [round(box[side]) for side in ("x", "y", "width", "height")] if box else []

    async def _take_picture(self) -> str:
        self.opened.pictures += 1
        path = f"{self.path}-{self.opened.pictures}.jpg"
        await self.opened.page.screenshot(path=path, type="jpeg", quality=70, timeout=self.seconds * 900)
        return path

    async def _take_last_picture(self, outcome: Json) -> None:
        if not outcome.get("before") and self.last is not None and await self.last.count():
            await self._tell_element(self.last, outcome)
            await self._measure(self.last, outcome)
        async with asyncio.timeout(self.seconds):
            outcome["after"] = await self._take_picture()

    async def _describe_page(self) -> str:
        text = " ".join((await self.opened.page.locator("body").inner_text(timeout=2000)).split())
        return f"the page shows: {text[:TEXT_CHARS]}" if text else "the page shows no text"

    async def _describe_choices(self, at: Json) -> str:
        """What there is of the role that was asked for, by name."""
        if not at["role"]:
            return await self._describe_page()
        others = self.opened.find(find={**at, "names": [], "within": "", "nth": 0})
        names = [" ".join(each.split())[:40] for each in await others.evaluate_all(effects.NAMES) if each.strip()]
        return f"of this kind there are: {', '.join(names[:12])}" if names else "there is none of its kind"


def _target(role: str, name: str) -> Json:
    return {"role": role, "names": [name], "within": "", "nth": 0}


def _names(at: Json, wanted: str) -> bool:
    """Whether the element that was found is itself the choice."""
    return any(wanted.lower() == name.lower() for name in at["names"])


def _mark_answered(actions: list[Json], place: int, value: str) -> None:
    """The page asked in a dialog for what would have been filled in next: that is done."""
    for action in actions[place + 1 :]:
        if action["name"] == "fill" and action["value"] == value:
            action["answered"] = True
            return


async def _option_value(element: Locator, wanted: str) -> str:
    """The value of the option that is called so; the one that holds the words where none is."""
    options: list[list[str]] = await element.evaluate("e => [...e.options].map(o => [o.value, o.label.trim()])")
    low = wanted.lower()
    for fits in (
        [value for value, label in options if low in (label.lower(), value.lower())],
        [value for value, label in options if low in label.lower()],
    ):
        if fits:
            return fits[0]
    raise Unmet(f"it has no option '{wanted}'; it has: {', '.join(label for _, label in options)[:TEXT_CHARS]}")


async def _held_value(element: Locator) -> str:
    held = await element.evaluate("e => 'value' in e && e.localName !== 'li' ? String(e.value) : e.innerText")
    return str(held)


def _holds_one(held: str, texts: list[str]) -> bool:
    return any(text.lower() in held.lower() for text in texts)


def _quoted(texts: list[str]) -> str:
    return f"'{texts[0]}'" if texts else "''"


def _describe(at: Json) -> str:
    """An element in words."""
    names = " or ".join(f"'{name}'" for name in at["names"])
    words = [at["role"] or "element", *(["called", names] if names else [])]
    words += [f"beside '{at['within']}'"] if at["within"] else []
    return " ".join(words)
