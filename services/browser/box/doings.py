"""Runs in the browser's box: what is done to a page. What each action is, is told in `crucible/browsing.py`."""

from __future__ import annotations

import asyncio

from playwright.async_api import Error

from services.browser.box.contrast import contrast, count_changes, watch
from services.browser.box.player import TEXT_CHARS, Json, Perform, Player, Unmet

ANSWER_CHARS = 200_000
LONGEST_WAIT_SECONDS = 10.0
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


async def open_page(player: Player, action: Json, outcome: Json) -> None:
    """Open an address."""
    response = await player.opened.page.goto(action["value"], timeout=player.seconds * 900)
    outcome["answer"] = {"status": response.status if response else 0, "body": None}
    await player.moved()


async def reload(player: Player, action: Json, outcome: Json) -> None:
    """Load the page again: whoever goes for that button leaves the field he was in."""
    await player.leave_field()
    await player.opened.page.reload(timeout=player.seconds * 900)
    await player.moved()


async def go_back(player: Player, action: Json, outcome: Json) -> None:
    """Go back, as by the browser's button."""
    await player.opened.page.go_back(timeout=player.seconds * 900)
    await player.moved()


async def wait(player: Player, action: Json, outcome: Json) -> None:
    """Wait for some seconds."""
    await asyncio.sleep(min(float(action["value"] or 1), LONGEST_WAIT_SECONDS))


async def rest(player: Player, action: Json, outcome: Json) -> None:
    """Do nothing, and tell what changes all the same."""
    outcome["changed"] = sorted(count_changes(await watch(player.opened)))
    player.opened.moves = bool(outcome["changed"])


async def click(player: Player, action: Json, outcome: Json) -> None:
    """Click; where a field has no button, press Enter in it."""
    if action["watch"] and player.opened.moves and await contrast(player, action, outcome):
        player.before = None  # what changed is told
        return
    field = None if action["at"]["role"] != "button" or action["at"]["within"] else player.filled
    try:
        element = await player.find(action, outcome, patience=player.patience / (3 if field else 1))
    except Unmet:
        if field is None:
            raise
        await field.press("Enter", timeout=player.patience * 1000)
    else:
        await player.click(element, action["optional"])
    player.filled = None
    await player.opened.settle()


async def fill(player: Player, action: Json, outcome: Json) -> None:
    """Write a value into a field, in place of what it holds: never a button that is called alike."""
    action["at"]["role"] = action["at"]["role"] or "field"
    element = await player.find(action, outcome, filled=True)
    value, keyboard = action["value"], player.opened.page.keyboard
    if value and await player.opened.tell(selected=action["at"]):
        await keyboard.insert_text(value)
    else:
        try:
            await element.fill(value, timeout=player.patience * 1000)
        except Error:  # a value that its kind of field does not take, or no field at all: typed as a user would
            await element.click(timeout=player.patience * 1000)
            await keyboard.type(value)
    await keyboard.press("Shift")  # some listen to keys alone
    player.filled = element


async def choose(player: Player, action: Json, outcome: Json) -> None:
    """Choose an option: of a list, of one that is drawn, or among radio buttons."""
    wanted, action["at"]["holds"] = action["value"], True
    try:
        element = await player.find(action, outcome)
        if player.told["kind"] in ("number", "range", "date", "email", "password"):  # "From: [5] [miles]"
            element = await player.find({"at": {**action["at"], "role": "combobox"}}, outcome)
    except Unmet as missing:
        try:
            radio = await player.find({"at": _target("radio", wanted)}, outcome)
        except Unmet:
            raise missing from None
        await player.click(radio)
    else:
        if player.told["tag"] == "select":
            option = _find_option(player.told["options"], wanted)
            await element.select_option(option, timeout=player.patience * 1000)
            await player.opened.find(filled=action["at"]).count()
        else:
            if not _names(action["at"], wanted):
                await player.click(element)
                await player.opened.settle()
            await player.click(await player.find({"at": _target("option", wanted)}, outcome))
    await player.opened.settle()


async def check(player: Player, action: Json, outcome: Json) -> None:
    """Tick a checkbox, or clear it."""
    element = await player.find(action, outcome)
    try:
        is_checked = await element.is_checked(timeout=player.patience * 1000)
    except Error as other:
        if "Not a checkbox" not in other.message:
            raise
        is_checked = None  # it is drawn, and nobody can tell
    if is_checked != (action["value"] != "false"):
        await player.click(element)
    await player.opened.settle()


async def press(player: Player, action: Json, outcome: Json) -> None:
    """Press a key, in an element or where the focus is."""
    action["at"]["holds"] = True
    if action["at"]["role"] or action["at"]["names"]:
        element = await player.find(action, outcome)
        await element.press(action["value"], timeout=player.patience * 1000)
    else:
        await player.opened.page.keyboard.press(action["value"])
    player.filled = None
    await player.opened.settle()


async def populate(player: Player, action: Json, outcome: Json) -> None:
    """Fill every empty field with something of its kind; with a value, once another choice is made in every list."""
    if action["value"]:
        await _choose_others(player)
    fields, place = player.opened.find(fields=True), 0
    while len(told := await player.opened.tell(most=MOST_FIELDS, fields=True)) > place:
        element, value = fields.nth(place), PLAUSIBLE.get(told[place]["kind"], "")
        if value and not told[place]["held"] and await element.is_editable(timeout=1000):
            await element.fill(value, timeout=player.patience * 1000)
        place += 1
    await player.opened.settle()


async def _choose_others(player: Player) -> None:
    """Choose in each list the first that is not chosen and says something: some fields can be filled only then."""
    fields = player.opened.find(fields=True)
    for place, told in enumerate(await player.opened.tell(most=MOST_FIELDS, fields=True)):
        others = [value for value, _ in told["options"] if value and value != told["held"]]
        if others:
            await fields.nth(place).select_option(others[0], timeout=player.patience * 1000)
            await player.opened.settle()


async def send(player: Player, action: Json, outcome: Json) -> None:
    """Send a request from beside the application, with the cookies of the page. A redirect is an answer."""
    extra = {} if action["body"] is None else {"data": action["body"]}
    limit = player.seconds * 900
    response = await player.opened.context.request.fetch(
        action["value"], method=action["method"], timeout=limit, fail_on_status_code=False, max_redirects=0, **extra
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


def _target(role: str, name: str) -> Json:
    return {"role": role, "names": [name], "within": "", "nth": 0}


def _names(at: Json, wanted: str) -> bool:
    """Whether the element that was found is itself the choice."""
    return any(wanted.lower() == name.lower() for name in at["names"])


def _find_option(options: list[list[str]], wanted: str) -> str:
    """The value of the option that is called so; the one that holds the words where none is."""
    low = wanted.lower()
    for fits in (
        [value for value, label in options if low in (label.lower(), value.lower())],
        [value for value, label in options if low in label.lower()],
    ):
        if fits:
            return fits[0]
    raise Unmet(f"it has no option '{wanted}'; it has: {', '.join(label for _, label in options)[:TEXT_CHARS]}")


DOINGS: dict[str, Perform] = {
    "open": open_page,
    "reload": reload,
    "back": go_back,
    "wait": wait,
    "rest": rest,
    "click": click,
    "fill": fill,
    "choose": choose,
    "check": check,
    "press": press,
    "populate": populate,
    "send": send,
}
