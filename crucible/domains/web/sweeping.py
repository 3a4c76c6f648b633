"""Looks for dead controls: visible buttons that change nothing when they are clicked, whatever was done before.

An effect is anything: in the document, the address, the storage, the focus, a request, a dialog, a download, a window,
or the pixels of a canvas. Every field is filled first, for many buttons do nothing with an empty one. A button is dead
only if it had no effect in several states of the application: as it opens, after a workflow was played twice (there is
something to sort, to filter or to clear then), and as it opens, before any other was clicked. Buttons that wait for a
library at a host that cannot be reached are left out: whether they work cannot be seen here.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

from crucible.browsing import Action, Exchange, Listed, Outcome, Page, Target
from crucible.record import Record

CHOSEN = re.compile(
    r"""^<[^>]*(aria-(pressed|selected|checked|current)="?(true|page)|class="[^"]*\b(active|selected|current|on)\b)"""
)
# matches: <button aria-pressed="true">  <button class="tab active">


class SweepRules(Record):
    """What is clicked, and which buttons may do nothing."""

    most: int
    """How many buttons are tried at most."""
    idle: tuple[str, ...]
    """Words of buttons that rightly do nothing where there is nothing to do, or whose effect is outside the page."""
    library_marks: tuple[str, ...]
    """What stands in the markup of a button that a library is to bring to life."""


@dataclass(frozen=True)
class Sweep:
    """What came of a look for dead controls."""

    tried: int
    dead: tuple[str, ...] = ()
    """What they are called."""
    picture: bytes = b""
    boxes: tuple[tuple[float, ...], ...] = ()
    """Where the dead ones stand in the picture."""


@cache
def read_rules() -> SweepRules:
    return SweepRules.model_validate(tomllib.loads(Path(__file__).with_suffix(".toml").read_text()))


async def sweep_buttons(page: Page, url: str, alive: Collection[str], work: Sequence[Action] = ()) -> Sweep:
    """Click every button of the first page that was not seen to do something already; `alive` is the markup of those
    that were, `work` what is done before they are clicked once more."""
    await page.play([Action(name="open", value=url)])
    listed = await page.elements("button")
    if has_unreached_script(await page.exchanges(), url):
        listed = tuple(button for button in listed if not waits_for_library(button))
    buttons = list_candidates(listed, alive)
    suspects = await _click_in_turn(page, buttons) if buttons else []
    if suspects and work:
        suspects = await _click_after_work(page, suspects, work)
    dead = [(button, outcome) for button in suspects if (outcome := await _click_afresh(page, url, button)) is not None]
    picture = await page.read_picture(dead[0][1].before) if dead else b""
    return Sweep(len(buttons), tuple(button.name for button, _ in dead), picture, tuple(found.box for _, found in dead))


def has_unreached_script(exchanges: Sequence[Exchange], url: str) -> bool:
    """Whether the page has asked another host for a script, and got none."""
    asked = (urlsplit(exchange.url) for exchange in exchanges if not exchange.status)
    return any(place.path.endswith(".js") and place.netloc != urlsplit(url).netloc for place in asked)


def waits_for_library(button: Listed) -> bool:
    """Whether a library is to bring the button to life."""
    return any(mark in button.markup.partition(">")[0] for mark in read_rules().library_marks)


def list_candidates(buttons: Sequence[Listed], alive: Collection[str]) -> list[Listed]:
    """The buttons that must do something, each name once."""
    rules = read_rules()
    by_name: dict[str, Listed] = {}
    for button in buttons:
        words = set(re.findall(r"[a-z]+", button.name.lower()))
        if button.name and button.enabled and not words & set(rules.idle) and not CHOSEN.match(button.markup):
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
    have been on already: what had none is clicked again after those that had."""
    clicks = {button.name: _click_actions(button)[-1] for button in buttons}
    outcomes = {name: (await page.play([*work, click]))[-1] for name, click in clicks.items()}
    lively = [clicks[name] for name, outcome in outcomes.items() if outcome.changed]
    rest = [button for button in buttons if not outcomes[button.name].changed]
    return [each for each in rest if not (await page.play([*work, *lively, clicks[each.name]]))[-1].changed]


async def _click_afresh(page: Page, url: str, button: Listed) -> Outcome | None:
    """Click the button once more, in the application as it opens; the outcome if it has no effect again."""
    *_, click = await page.play([Action(name="open", value=url), *_click_actions(button)], pictures="all")
    return click if click.ok and not click.changed else None


def _click_actions(button: Listed) -> list[Action]:
    target = Target(role="button", names=(button.name,))
    return [
        Action(name="populate", optional=True),
        Action(name="click", at=target, watch=True, optional=True),
    ]
