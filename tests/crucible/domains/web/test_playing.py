"""Workflows played in real pages: a good application, and copies of it with one fault each."""

from __future__ import annotations

from collections.abc import AsyncIterator
from random import Random

import pytest
import pytest_asyncio

from crucible.browsing import Action, Target, Window
from crucible.domains.web.playing import Playing, play_repeatedly, play_workflow
from crucible.domains.web.rubric import Element, Step, Workflow
from crucible.domains.web.values import draw_values
from crucible.sandbox import Env
from tests.browsers import HOME, open_browsing, open_window
from tests.crucible.domains.web.todo_pages import CAUGHT_BY, FAULTS, GOOD, RUBRIC

pytestmark = pytest.mark.slow

MARKUP = {
    "plain elements": """<div class="btn" style="cursor:pointer" onclick="
        said.textContent += document.querySelector('input').value">Add</div><input><p id="said"></p>""",
    "shadow tree": """<my-form></my-form><script>customElements.define("my-form", class extends HTMLElement {
        connectedCallback() { this.attachShadow({ mode: "open" }).innerHTML =
            "<label for=f>Name</label><input id=f><button>Add it</button><p></p>";
            this.shadowRoot.querySelector("button").onclick = () => { this.shadowRoot.querySelector("p").textContent =
                this.shadowRoot.querySelector("input").value; } } })</script>""",
    "a link for a button": """<input aria-label="Name"><a href="#" onclick="said.textContent =
        document.querySelector('input').value; return false">Add</a><p id="said"></p>""",
    "Enter and no button": """<input placeholder="Name" onkeyup="if (event.key === 'Enter') { said.textContent = value;
        value = '' }"><p id="said"></p>""",
    "a picture for a word": """<input name="username"><button onclick="said.textContent =
        document.querySelector('input').value"><i class="icon-add"></i></button><p id="said"></p>""",
    "a sign that is no button": """<input placeholder="Name"><p id="said"></p><span class="plus">+</span><script>
        document.querySelector("span").addEventListener("click", () => {
            said.textContent = document.querySelector("input").value })</script>""",
    "a sign that stands elsewhere, too": """<input placeholder="Name"><p>+</p><p id="said"></p><div class="key button">+
        </div><script>document.querySelector("div").addEventListener("click", () => {
            said.textContent = document.querySelector("input").value })</script>""",
    "a drawing that its author calls a button": """<input placeholder="Name"><p id="said"></p>
        <div id="addBtn" style="width: 40px; height: 20px; background: teal"></div><script>
        addBtn.addEventListener("click", () => {
            said.textContent = document.querySelector("input").value })</script>""",
    "asks in a dialog": """<button onclick="said.textContent = prompt('Name?')">Add</button><p id="said"></p>""",
    "late": """<div id="app"></div><script>setTimeout(() => { 
        app.innerHTML = "<input title=Name><button>+</button><p></p>";
        app.querySelector("button").onclick = () => setTimeout(() => {
            app.querySelector("p").textContent = app.querySelector("input").value }, 600) }, 900)</script>""",
    "two fields in a table": """<table><tr><td>Age</td><td><input></td></tr><tr><td>Name</td>
        <td><input id="x"></td></tr></table><button>Add</button><p id="said"></p>
        <script>document.querySelector("button").onclick = () => { said.textContent = x.value }</script>""",
}
TWINS = """<form onsubmit="said.textContent = search.value; return false"><input id="search">
    <input type="submit" value="Search"></form><p id="said"></p>"""
"""A field, and a button that is called alike."""
LATE = """<script>const add = (name, after) => setTimeout(() => {
    document.body.append(Object.assign(document.createElement("button"), { textContent: name })) }, after);
    add("Early", 500); add("Late", 5500)</script>"""
ALERTS = """<button onclick="alert('Write a  name, please.')">Add</button><button>Wait</button><p>00 : 25</p>"""
POINTED = """<button class="new"><svg width="20" height="20"></svg></button><style>div:not(:hover) > .delete {
    display: none }</style><div>Milk <button class="delete" onclick="this.parentElement.remove()"><svg width="20"
    height="20"></svg></button></div>"""
"""A row shows its button, which is a picture, to who points at it."""
DRAWN = """<p id="said">1</p>
    <button onclick="said.textContent = said.textContent * 3"><i class="material-icons">close</i></button>
    <button onclick="said.textContent -= 2"><span class="big material-symbols-outlined">remove</span></button>"""
"""Keys whose words a font draws as signs."""
UNITS = """<p>From: <input type="number" name="from_value" value="5"> <select name="from_unit"
    onchange="said.textContent = value"><option>m<option>km</select></p><p id="said"></p>"""
"""A list beside the field that is called so."""
INTERFACE = {"items.json": '{"items": [{"id": 7, "price": "12.50"}]}', "item-7.json": '{"title": "lamp"}'}
NAMED = Workflow(
    name="a name is shown",
    values={"name": "word"},
    steps=(
        Step(do="click", at=Element(role="button", names=("add",))),
        Step(do="fill", at=Element(role="textbox", names=("name",)), value="{name}"),
        Step(do="click", at=Element(role="button", names=("add",))),
        Step(expect="text", text="{name}"),
    ),
)


@pytest_asyncio.fixture(scope="module")
async def window(tmp_path_factory: pytest.TempPathFactory, plain: Env) -> AsyncIterator[Window]:
    pages = {
        "index.html": GOOD,
        "twins.html": TWINS,
        "slow.html": LATE,
        "alerts.html": ALERTS,
        "drawn.html": DRAWN,
        "pointed.html": POINTED,
        "units.html": UNITS,
        **INTERFACE,
        **{f"{name.replace(' ', '-')}.html": page for name, page in (FAULTS | MARKUP).items()},
    }
    async with (
        open_browsing(tmp_path_factory.mktemp("playing"), patience_seconds=3) as services,
        open_window(services, plain, pages) as opened,
    ):
        yield opened


async def play(window: Window, page: str, workflow: Workflow, seed: int = 1) -> Playing:
    opened = workflow.model_copy(update={"start": f"{page.replace(' ', '-')}.html"})
    async with window.open_page() as tab:
        return await play_workflow(tab, HOME, opened, draw_values(workflow.values, Random(seed)), pictures="fault")


@pytest.mark.parametrize("workflow", RUBRIC.workflows, ids=lambda workflow: workflow.name)
async def test_a_good_application_does_what_is_asked_twice(window: Window, workflow: Workflow) -> None:
    playings = await play_repeatedly(window, HOME, workflow, "seed")
    assert [playing.fault for playing in playings] == ["", ""]
    assert playings[0].before.startswith(b"\xff\xd8")
    assert playings[0].after.startswith(b"\xff\xd8")
    assert playings[0].box_before
    if workflow.values:
        assert playings[0].values != playings[1].values


@pytest.mark.parametrize("fault", CAUGHT_BY)
async def test_a_fault_is_found_by_the_workflow_that_is_about_it(window: Window, fault: str) -> None:
    playing = await play(window, fault, RUBRIC.workflows[CAUGHT_BY[fault]])
    assert playing.fault
    assert not playing.lost


@pytest.mark.parametrize("markup", MARKUP)
async def test_an_element_is_found_however_it_is_marked_up(window: Window, markup: str) -> None:
    asks = markup == "asks in a dialog"
    steps = NAMED.steps if asks else NAMED.steps[1:]
    steps = (*steps[:2], steps[3]) if asks else steps
    playing = await play(window, markup, NAMED.model_copy(update={"steps": steps}))
    assert playing.fault == ""


async def test_a_word_that_a_font_draws_as_a_sign_is_that_sign(window: Window) -> None:
    times, minus = (Element(role="button", names=(sign,)) for sign in ("×", "-"))
    steps = (Step(do="click", at=times), Step(expect="text", text="3"), Step(do="click", at=minus))
    steps = (*steps, Step(expect="text", text="1"))
    assert (await play(window, "drawn", Workflow(name="a sum", steps=steps))).fault == ""


async def test_what_is_chosen_is_chosen_from_a_list_though_a_field_for_numbers_is_called_so(window: Window) -> None:
    steps = (Step(do="choose", at=Element(names=("from",)), value="km"), Step(expect="text", text="km"))
    assert (await play(window, "units", Workflow(name="a unit", steps=steps))).fault == ""


async def test_what_is_filled_in_goes_into_a_field_though_a_button_is_called_so(window: Window) -> None:
    at = Element(names=("search",))
    steps = (Step(do="fill", at=at, value="{word}"), Step(do="click", at=at), Step(expect="text", text="{word}"))
    playing = await play(window, "twins", Workflow(name="a search", values={"word": "word"}, steps=steps))
    assert playing.fault == ""


async def test_what_a_dialog_says_is_shown_until_something_else_is_done(window: Window) -> None:
    click, said = Step(do="click", at=Element(names=("add",))), Step(expect="text", text="write a name")
    other = Step(do="click", at=Element(names=("wait",)))
    assert (await play(window, "alerts", Workflow(name="refused", steps=(click, said, said)))).fault == ""
    assert "is not shown" in (await play(window, "alerts", Workflow(name="over", steps=(click, other, said)))).fault


async def test_a_time_is_read_with_spaces_around_its_colon(window: Window) -> None:
    shown, never = Step(expect="text", text="00:25"), Step(expect="no text", text="0:2")
    assert (await play(window, "alerts", Workflow(name="a clock", steps=(shown, never)))).fault == ""


async def test_a_button_of_a_row_shows_to_who_points_at_it_before_another_is_taken_for_it(window: Window) -> None:
    bin_ = Element(role="button", names=("delete",), within="Milk")
    steps = (Step(do="click", at=bin_), Step(expect="no text", text="Milk"))
    assert (await play(window, "pointed", Workflow(name="a row goes", steps=steps))).fault == ""


async def test_a_fault_tells_what_a_page_shows_in_shadow_trees_alone(window: Window) -> None:
    playing = await play(window, "shadow tree", Workflow(name="a sum", steps=(Step(expect="text", text="42"),)))
    assert playing.fault.endswith("'42' is not shown; the page shows: Name Add it")


async def test_a_page_is_waited_for_once_however_much_is_missing(window: Window) -> None:
    opening = Action(name="open", value=f"{HOME}slow.html")
    wanted = [Action(name="element", at=Target(names=(name,)), optional=True) for name in ("None", "Early", "Late")]
    async with window.open_page() as page:
        _, *outcomes = await page.play([opening, *wanted])
    assert [outcome.ok for outcome in outcomes] == [False, True, False]


async def test_a_dead_button_is_named_in_the_fault(window: Window) -> None:
    playing = await play(window, "dead button", RUBRIC.workflows[0])
    assert "click button 'add' or 'create' changed nothing" in playing.fault


async def test_what_was_typed_is_not_taken_for_what_is_shown(window: Window) -> None:
    typed = RUBRIC.workflows[0].model_copy(
        update={"steps": (RUBRIC.workflows[0].steps[0], RUBRIC.workflows[0].steps[2])}
    )
    assert "is not shown" in (await play(window, "index", typed)).fault


async def test_an_interface_without_a_page_is_used_by_requests(window: Window) -> None:
    steps = (
        Step(do="send", path="/items.json", keep={"id": "items.0.id"}),
        Step(expect="answer", status=(200,), answer={"items": [{"price": 12.5}]}, keep={"number": "items.0.id"}),
        Step(do="send", path="/item-{number}.json"),
        Step(expect="answer", answer={"title": "lamp"}),
        Step(do="send", path="/item-{id}.xml"),
        Step(expect="answer"),
    )
    async with window.open_page() as tab:
        playing = await play_workflow(tab, HOME, Workflow(name="items", steps=steps), {})
    assert [played.outcome.ok for played in playing.steps] == [True] * 5 + [False]
    assert "the status is 404" in playing.fault
