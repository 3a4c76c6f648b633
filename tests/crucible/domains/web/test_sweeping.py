"""Which buttons are looked at for being dead."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

import pytest
import pytest_asyncio

from crucible.browsing import Action, Exchange, Listed, Outcome, Pictures, Target, Window
from crucible.domains.web.sweeping import (
    Ending,
    find_opened,
    list_candidates,
    list_late,
    list_unreached_scripts,
    sweep_buttons,
)
from crucible.sandbox import Env
from tests import browsers

HOME = "http://localhost:8000/"
CALCULATOR = """<output id="shown">0</output><button>7</button><button>Plus</button><button>⌫</button>
    <input type="button" value="Root"><script>let sum = 0, fresh = true;
    const keys = { 7: () => { shown.value = fresh ? "7" : shown.value + "7"; fresh = false },
        Plus: () => { sum += +shown.value; fresh = true }, "⌫": () => { if (!fresh) shown.value = "0" } };
    addEventListener("click", (event) => keys[event.target.textContent]?.())</script>"""
"""A calculator: one key shows its effect only in what is typed next, one has something to do only once something was
typed, and one is dead."""


@pytest.mark.parametrize(
    ("url", "status", "unreached"),
    [
        ("https://cdn.example/bootstrap.bundle.min.js", 0, ["bootstrap.bundle.min.js"]),
        ("https://cdn.example/bootstrap.min.css", 0, []),
        ("http://localhost:8000/bootstrap.bundle.min.js", 0, []),
        ("https://cdn.example/bootstrap.bundle.min.js", 200, []),
    ],
)
def test_only_a_script_of_another_host_that_did_not_come_is_out_of_reach(
    url: str, status: int, unreached: list[str]
) -> None:
    asked = (Exchange(method="GET", url=HOME, status=200), Exchange(method="GET", url=url, status=status))
    assert list_unreached_scripts(asked, HOME) == unreached


@pytest.mark.parametrize(
    ("markup", "script", "opened"),
    [
        ('<button data-bs-toggle="collapse" data-bs-target="#menu">', "bootstrap.bundle.min.js", "#menu"),
        ('<button data-bs-toggle="collapse" data-bs-target="#menu">', "jquery.min.js", ""),
        ('<button data-bs-toggle="collapse">', "bootstrap.bundle.min.js", ""),
        ('<button data-bs-toggle="collapse" data-bs-target="*">', "bootstrap.bundle.min.js", ""),
        ('<button data-bs-toggle="collapse" data-bs-target="#menu" onclick="add()">', "bootstrap.min.js", ""),
        ("<button>data-bs-toggle data-bs-target=#menu</button>", "bootstrap.bundle.min.js", ""),
    ],
    ids=["its library", "another library", "opens nothing", "opens anything", "a handler of its own", "mere words"],
)
def test_a_button_waits_for_the_library_that_it_asks_for_and_no_other(markup: str, script: str, opened: str) -> None:
    assert find_opened(Listed(name="Menu", markup=markup), [script]) == opened


def test_a_button_that_was_seen_at_work_or_may_be_idle_is_no_candidate() -> None:
    names = ("Add", "Sort", "Clear all", "Sort")
    buttons = [Listed(name=name, markup=f"<button>{name}</button>") for name in names]
    assert [each.name for each in list_candidates(buttons, {"<button>Add</button>"})] == ["Sort"]


def test_a_button_that_shows_late_is_no_candidate_where_one_like_it_was_seen_at_work() -> None:
    markups = {
        "Remove": '<button class="bin">Remove</button>',
        "Mars": '<button class="answer" id="a2">Mars</button>',
        "+": '<button class="more">+</button>',
        "Print": '<button class="side">Print</button>',
        "Buy": "<button>Buy</button>",
        "file": '<button class="file"><svg></svg></button>',
    }
    buttons = [Listed(name=name, markup=markup) for name, markup in markups.items()]
    drawn = '<button class="new"><svg></svg></button>'
    alive = {'<button class="answer" id="a1">Paris</button>', '<button class="up">+</button>', drawn, ""}
    assert [each.name for each in list_late(buttons, alive, {"Buy"})] == ["Remove", "file"]


LATE = """<input oninput="document.querySelector('main').hidden = !value">
    <button onclick="document.title += 1">New</button><main hidden>
    <button>Pay</button><button onclick="document.title += 2">Tip</button></main>"""


FAR = """<button onclick="document.title += 1">New</button><p style="margin-top: 3000px"><button>Pay</button>
    <button onclick="window.scrollTo(0, 0)">Up</button></p>"""


CART = """<input><button onclick="added()">Add</button><ul></ul><script>const added = () => {
    document.querySelector("ul").innerHTML += `<li><b>1</b> <i role="button" class="bin">Remove</i>
        <i role="button" class="less" onclick="change(this, -1)">Less</i>
        <i role="button" class="more" onclick="change(this, 1)">More</i></li>` }
    const change = (key, by) => { const count = key.parentElement.querySelector("b");
        count.textContent = Math.max(1, +count.textContent + by) }</script>"""
"""A cart: what is in it cannot be removed, and no less of it than one."""


FILTER = """<select onchange="document.querySelector('input').disabled = value === 'all'">
    <option value="all">All</option><option value="title">Title</option></select><input disabled><ul><li>Milk</li></ul>
    <button onclick="filter()">Filter</button><button>Sort</button><script>const filter = () => {
    const wanted = document.querySelector("input").value, row = document.querySelector("li");
    row.hidden = !row.textContent.includes(wanted) }</script>"""


CLOCK = """<p id="now"></p><b id="count">0</b><button>Alarm</button><button onclick="show('h')">Zone</button>
    <button onclick="clearInterval(ticking)">Hold</button><button onclick="setTimeout(() => count.textContent++, 600)">
    Lap</button><script>let seconds = 0; const show = (sign) => { now.textContent = sign + ++seconds };
    const ticking = setInterval(() => show("s"), 1000)</script>"""
"""A clock: one button is dead, one changes what the clock shows, one ends it, and one has an effect that comes late."""
FEED = """<ul></ul><button>Alarm</button><button onclick="document.querySelector('ul').innerHTML = ''">Tidy</button>
    <script>setInterval(() => { document.querySelector("ul").innerHTML += "<li>tick</li>" }, 400)</script>"""
"""Things come all the time: nobody can tell what a click has changed."""


PAGES = {
    "clock.html": CLOCK,
    "feed.html": FEED,
    "filter.html": FILTER,
    "calculator.html": CALCULATOR,
    "cart.html": CART,
    "late.html": LATE,
    "far.html": FAR,
    "dead.html": "<button>One</button><button>Two</button><button>Three</button>",
}


@pytest_asyncio.fixture(scope="module")
async def window(tmp_path_factory: pytest.TempPathFactory, plain: Env) -> AsyncIterator[Window]:
    async with (
        browsers.open_browsing(tmp_path_factory.mktemp("sweeping"), patience_seconds=1) as services,
        browsers.open_window(services, plain, {"index.html": "", **PAGES}) as opened,
    ):
        yield opened


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "dead"),
    [
        ("calculator", ("Root",)),
        ("late", ("Pay",)),
        ("far", ("Pay",)),
        ("filter", ("Sort",)),
        ("clock", ("Alarm",)),
        ("feed", ()),
    ],
    ids=[
        "beside a silent key",
        "shows once filled",
        "far down",
        "beside a list",
        "beside a clock",
        "among news",
    ],
)
async def test_a_dead_button_is_named_wherever_it_is(window: Window, name: str, dead: tuple[str, ...]) -> None:
    async with window.open_page() as page:
        assert (await sweep_buttons(page, f"{browsers.HOME}{name}.html", ())).dead == dead


@pytest.mark.slow
async def test_what_could_not_be_done_of_a_workflow_is_not_tried_before_every_button(
    window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[str] = []
    address = f"{browsers.HOME}dead.html"
    async with window.open_page() as page:
        play = page.play

        async def note(actions: Sequence[Action], *, pictures: Pictures = "none") -> tuple[Outcome, ...]:
            played.extend(name for action in actions for name in action.at.names)
            return await play(actions, pictures=pictures)

        monkeypatch.setattr(page, "play", note)
        opening = Action(name="open", value=address)
        greeting = Action(name="click", at=Target(names=("Greet",)), optional=True)
        sweep = await sweep_buttons(page, address, (), [opening, greeting])
    assert sweep.dead == ("One", "Two", "Three")
    assert played.count("Greet") == 1


@pytest.mark.slow
async def test_a_dead_button_is_named_that_shows_only_after_something_was_done(window: Window) -> None:
    address = f"{browsers.HOME}cart.html"
    adding = Action(name="click", at=Target(role="button", names=("Add",)), optional=True)
    once = (Action(name="open", value=address), adding)
    buttons = tuple(Listed(name=name, markup=f"<i>{name}</i>") for name in ("Add", "Remove", "Less", "More"))
    async with window.open_page() as page:
        sweep = await sweep_buttons(page, address, (), once, [Ending(buttons, once, (*once, adding))])
    assert sweep.dead == ("Remove",)
