"""Looks for dead controls: visible buttons that change nothing when they are clicked, whatever was done before.

An effect is anything: in the document, the address, the storage, the focus, a request, a dialog, a download, a window,
or the pixels of a canvas. What the page does by itself, as a clock, is none. Every field is filled first, for many
buttons do nothing with an empty one. A button is dead only if it had no effect in several states of the application:
as it opens, after a workflow was played twice (there is something to sort, to filter or to clear then), as it opens,
before any other was clicked, between two clicks of another: a key of a calculator that adds shows nothing, but what is
typed next is another number then; and after that workflow once another choice was made in every list: some filter by
nothing as they open.

What shows only at the end of a workflow, as a button to remove what is in a cart, or, where pages can be looked at side
by side, only while it is done, as those of a form that closes, is clicked there, unless a control
that is marked up or called alike was seen at work: of the answers of a quiz all but the first may do nothing.

A button that a library is to bring to life is left out, and named in the evidence, where that very library was asked
for at a host that cannot be reached, the button has no handler in its tag, and what it is to open is there: whether it
works cannot be seen here. A mark in the tag alone excuses nothing.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from posixpath import basename
from urllib.parse import urlsplit

from crucible.browsing import Action, Exchange, Listed, Outcome, Page, Target
from crucible.record import Record

CHOSEN = re.compile(
    r"""^<[^>]*(aria-(pressed|selected|checked|current)="?(true|page)|class="[^"]*\b(active|selected|current|on)\b)"""
)
# matches: <button aria-pressed="true">  <button class="tab active">
MOST_PARTNERS = 4
"""How many other buttons a button that seems dead is clicked after."""
IDENTIFIER = re.compile(r"[#.][\w-]+")
# matches: #menu  .collapse-all


class Library(Record):
    """A library that finds its buttons by what their tags say."""

    script: str
    """Stands in the name of its file."""
    asks: str
    """The attribute of a button that asks for it."""
    opens: tuple[str, ...]
    """Attributes that name what the button opens."""


class SweepRules(Record):
    """What is clicked, and which buttons may do nothing."""

    most: int
    """How many buttons are tried at most."""
    idle: tuple[str, ...]
    """Words of buttons that rightly do nothing where there is nothing to do, or whose effect is outside the page."""
    late: tuple[str, ...]
    """Those of them that have something to do where they show only after something was done."""
    libraries: tuple[Library, ...]


@dataclass(frozen=True)
class Sweep:
    """What came of a look for dead controls."""

    tried: int
    dead: tuple[str, ...] = ()
    """What they are called."""
    picture: bytes = b""
    boxes: tuple[tuple[float, ...], ...] = ()
    """Where the dead ones stand in the picture."""
    waiting: tuple[str, ...] = ()
    """Those that were left out, for they wait for a library that is out of reach."""
    exchanges: tuple[Exchange, ...] = ()
    """What the page had asked for as it opened."""


@dataclass(frozen=True)
class Ending:
    """How a workflow ended, or how far it was when other buttons showed."""

    buttons: tuple[Listed, ...]
    """Those that the page shows then."""
    once: tuple[Action, ...]
    """What is done in it, other values in place of those that were drawn."""
    twice: tuple[Action, ...]
    """The same, and once more with others."""


@cache
def read_rules() -> SweepRules:
    return SweepRules.model_validate(tomllib.loads(Path(__file__).with_suffix(".toml").read_text()))


async def sweep_buttons(
    page: Page, url: str, alive: Collection[str], work: Sequence[Action] = (), endings: Sequence[Ending] = ()
) -> Sweep:
    """Click every button that the first page shows as it opens, or once its fields are filled, and that was not seen to
    do something already, and those that show at the end of workflows only; `alive` is the markup of those that were
    seen, `work` what is done before they are clicked once more."""
    opening = Action(name="open", value=url)
    await page.play([opening])
    present = await page.elements("button")
    await page.play([Action(name="populate", optional=True)])
    present = (*present, *await page.elements("button"))
    candidates = list_candidates(present, alive)
    exchanges = await page.exchanges()
    waiting = await _list_waiting(page, candidates, list_unreached_scripts(exchanges, url))
    buttons = [button for button in candidates if button not in waiting]
    moves = bool(buttons and (await page.play([Action(name="rest")]))[0].changed)
    suspects = await _click_in_turn(page, buttons) if buttons else []
    if suspects and work:
        suspects = await _click_after_work(page, suspects, work)
    dead = await _click_each_after(page, suspects, [opening])
    if dead:
        pairs = PairedClicks(page, url, list_partners(present, [button.name for button, _ in dead]), moves)
        dead = [(button, outcome) for button, outcome in dead if not await pairs.have_effect(button)]
    if dead and await page.elements("combobox"):
        varied = [opening, *work, Action(name="populate", value="lists", optional=True)]
        dead = [each for each in dead if not await _has_effect_after(page, each[0], varied)]
    seen = {button.name for button in present}
    for ending in endings:
        if late := list_late(ending.buttons, alive, seen):
            dead += await _find_dead_at_end(page, ending, alive, seen)
            seen |= {button.name for button in late}
    pictures = [click.before or click.after for _, click in dead]
    return Sweep(
        len(buttons),
        tuple(button.name for button, _ in dead),
        await page.read_picture(pictures[0]) if dead else b"",
        tuple(click.box for _, click in dead if click.before or click is dead[0][1]),
        tuple(button.name for button in waiting),
        exchanges,
    )


async def _list_waiting(page: Page, buttons: Sequence[Listed], unreached: Sequence[str]) -> list[Listed]:
    """The buttons that wait for a library that is out of reach."""
    opened = {button: find_opened(button, unreached) for button in buttons} if unreached else {}
    return [
        button
        for button, selector in opened.items()
        if selector and await page.evaluate(f"document.querySelectorAll({json.dumps(selector)}).length > 0")
    ]


def list_unreached_scripts(exchanges: Sequence[Exchange], url: str) -> list[str]:
    """The names of scripts that the page has asked another host for, and did not get."""
    asked = [urlsplit(exchange.url) for exchange in exchanges if not exchange.status]
    own = urlsplit(url).netloc
    return [basename(each.path) for each in asked if each.path.endswith(".js") and each.netloc != own]


def find_opened(button: Listed, unreached: Sequence[str]) -> str:
    """The selector of what a button opens by a library that is out of reach; empty where it waits for none."""
    tag = TagReader.read(button.markup)
    for library in read_rules().libraries:
        if library.asks in tag and "onclick" not in tag and any(library.script in name for name in unreached):
            return next((name for each in library.opens if IDENTIFIER.fullmatch(name := tag.get(each) or "")), "")
    return ""


class TagReader(HTMLParser):
    """The attributes of the first tag of a markup."""

    def __init__(self) -> None:
        super().__init__()
        self.attributes: dict[str, str | None] | None = None

    @classmethod
    def read(cls, markup: str) -> dict[str, str | None]:
        reader = cls()
        reader.feed(markup)
        return reader.attributes or {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes = dict(attrs) if self.attributes is None else self.attributes


def list_partners(buttons: Sequence[Listed], dead: Collection[str]) -> list[Listed]:
    """Other buttons, each name once, after which one that seems dead may do something."""
    by_name = {button.name: button for button in reversed(buttons) if button.name and button.enabled}
    return [button for name, button in reversed(by_name.items()) if name not in dead][:MOST_PARTNERS]


@dataclass
class PairedClicks:
    """Tries buttons together with others, in the application as it opens."""

    page: Page
    url: str
    partners: Sequence[Listed]
    moves: bool
    """The page changes by itself: what it shows after some clicks tells nothing of them."""
    known: dict[str, str] = field(default_factory=dict)
    """What the page shows after two clicks of a partner, by its name; empty where that is not always the same."""

    async def have_effect(self, button: Listed) -> bool:
        """Whether a click changes something after one of a partner, or changes what the partner's next one does."""
        for partner in self.partners:
            usual = await self._show_usual(partner)
            click, _ = await self._click(partner, button, partner)
            if click.ok and (click.changed or (usual and await self.page.tree() != usual)):
                return True
        return False

    async def _show_usual(self, partner: Listed) -> str:
        if self.moves:
            return ""
        if partner.name not in self.known:
            shown = {await self.page.tree() for _ in range(2) if await self._click(partner, partner)}
            self.known[partner.name] = shown.pop() if len(shown) == 1 else ""
        return self.known[partner.name]

    async def _click(self, *buttons: Listed) -> tuple[Outcome, ...]:
        """What came of the clicks after the first, of which the second is watched."""
        clicks = [_click_actions(button)[-1].model_copy(update={"watch": at == 1}) for at, button in enumerate(buttons)]
        return (await self.page.play([Action(name="open", value=self.url), *clicks]))[2:]


def list_late(buttons: Sequence[Listed], alive: Collection[str], seen: Collection[str]) -> list[Listed]:
    """The buttons that must do something, where none of that name showed before, and no control that is called or made
    alike was seen at work."""
    known = {read(markup) for markup in alive for read in (_read_words, _read_tag)} - {""}
    return [
        button
        for button in list_candidates(buttons, alive, late=True)
        if button.name not in seen and not known & {_read_words(button.markup), _read_tag(button.markup)}
    ]


def _read_words(markup: str) -> str:
    return re.sub(r"<[^>]*>?", " ", markup).strip()


def _read_tag(markup: str) -> str:
    """The first tag, but for its numbers: the same for all answers of a question, or all rows of a list."""
    return re.sub(r"\d+", "0", markup.partition(">")[0])


def list_candidates(buttons: Sequence[Listed], alive: Collection[str], *, late: bool = False) -> list[Listed]:
    """The buttons that must do something, each name once; `late`: they show only after something was done."""
    rules = read_rules()
    idle = {*rules.idle} - {*rules.late} if late else {*rules.idle}
    by_name: dict[str, Listed] = {}
    for button in buttons:
        words = set(re.findall(r"[a-z]+", button.name.lower()))
        if button.name and button.enabled and not words & idle and not CHOSEN.match(button.markup):
            by_name.setdefault(button.name, button)
    return [button for button in by_name.values() if button.markup not in alive][: rules.most]


async def _click_in_turn(page: Page, buttons: Sequence[Listed]) -> list[Listed]:
    """Click one after the other; returns those that had no effect, and those that were gone when their turn came."""
    actions = [action for button in buttons for action in _click_actions(button)]
    clicks = (await page.play(actions))[1::2]
    effects = [bool(click.ok and click.changed) for click in clicks]
    return [button for button, effect in zip(buttons, effects, strict=False) if not effect]


async def _click_after_work(page: Page, buttons: Sequence[Listed], work: Sequence[Action]) -> list[Listed]:
    """Click each after the work, in the state that this leaves; returns those that had no effect. Of a pair, one may
    have been on already: what had none is clicked again after those that had. What could not be done of the work, as
    to greet a guest who is known by now, is not waited for again."""
    clicks = {button.name: _click_actions(button)[-1] for button in buttons}
    outcomes: dict[str, Outcome] = {}
    for name, click in clicks.items():
        *done, outcomes[name] = await page.play([*work, click])
        work = [action for action, outcome in zip(work, done, strict=True) if outcome.ok]
    lively = [clicks[name] for name, outcome in outcomes.items() if outcome.changed]
    rest = [button for button in buttons if not outcomes[button.name].changed]
    if not lively:
        return rest
    return [each for each in rest if not (await page.play([*work, *lively, clicks[each.name]]))[-1].changed]


async def _click_each_after(
    page: Page, buttons: Sequence[Listed], work: Sequence[Action]
) -> list[tuple[Listed, Outcome]]:
    """Click each in the state that the work leaves; those that have no effect there, each with what came of it."""
    clicks = [(each, (await page.play([*work, *_click_actions(each)], pictures="all"))[-1]) for each in buttons]
    return [(button, click) for button, click in clicks if click.ok and not click.changed]


async def _find_dead_at_end(
    page: Page, ending: Ending, alive: Collection[str], seen: Collection[str]
) -> list[tuple[Listed, Outcome]]:
    """Those that a workflow brings, and that have no effect where it ends, after another that it brings, or after it
    was played twice."""
    await page.play(ending.once)
    buttons = list_late(await page.elements("button"), alive, seen)
    suspects = await _click_in_turn(page, buttons) if buttons else []
    partners = [_click_actions(button)[-1] for button in buttons if button not in suspects][:MOST_PARTNERS]
    dead = await _click_each_after(page, suspects, ending.once)
    for partner in partners:
        dead = [each for each in dead if not await _has_effect_after(page, each[0], [*ending.once, partner])]
    still = await _click_after_work(page, [button for button, _ in dead], ending.twice) if dead else []
    return [(button, click) for button, click in dead if button in still]


async def _has_effect_after(page: Page, button: Listed, work: Sequence[Action]) -> bool:
    click = (await page.play([*work, _click_actions(button)[-1]]))[-1]
    return click.ok and bool(click.changed)


def _click_actions(button: Listed) -> list[Action]:
    target = Target(role="button", names=(button.name,))
    return [
        Action(name="populate", optional=True),
        Action(name="click", at=target, watch=True, optional=True),
    ]
