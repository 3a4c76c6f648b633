"""The browser on real pages: an application in a box without network, and pages that do their worst."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import AsyncIterator
from hashlib import sha256
from pathlib import Path

import pytest
import pytest_asyncio
from pydantic import TypeAdapter

from crucible.browsing import Action, Browser, Provided, Target, Window
from crucible.errors import PageFailed
from crucible.judging.cascade import Judging, judge
from crucible.model import Agent, Check, Criterion, Task, Trajectory
from crucible.parts import verifier
from crucible.record import Json
from crucible.running.run import open_run
from crucible.sandbox import Env, Sandbox
from crucible.settings import DockerSettings, Settings
from crucible.stages.services import OpenServices, open_services
from services.browser.page import BrowserBox
from services.browser.settings import BrowserSettings

pytestmark = pytest.mark.slow

PAGES = {
    "index.html": """<title>Greeter</title><body style="background: #0000ff">
        <input id="name"><button onclick="said.textContent = 'Hello, ' + document.querySelector('#name').value">
        Greet</button><p id="said"></p><script>console.error("a complaint"); nothing.at.all()</script>""",
    "dialogs.html": """<title>Dialogs</title><script>alert("one"); confirm("two"); prompt("three");
        window.onbeforeunload = () => "stay"</script><body>after all</body>""",
    "downloads.html": """<title>Downloads</title><body>loading<script>
        const link = document.createElement("a"); link.download = "evil.bin";
        link.href = URL.createObjectURL(new Blob(["x".repeat(100000)])); link.click();
        window.open("/index.html")</script></body>""",
    "liar.html": """<title>Liar</title><body><h1>Here</h1><img src="no.png"><script>JSON.stringify = () => "[]";
        Element.prototype.getBoundingClientRect = () => ({width: 1, height: 1})</script></body>""",
    "keeper.html": """<title>Keeper</title><body><p id="kept"></p><button>Keep</button><script>
        const tab = location.hash === "#tab", at = () => document.querySelectorAll("button:hover").length;
        const base = () => new Promise((done) => { const asked = indexedDB.open("all"); asked.onupgradeneeded =
            () => asked.result.createObjectStore("kept"); asked.onsuccess = () => done(asked.result) });
        const count = (all) => new Promise((done) => {
            const asked = all.transaction("kept").objectStore("kept").count();
            asked.onsuccess = () => done(asked.result) });
        (async () => { const all = await base(); kept.textContent = ["kept", localStorage.length, sessionStorage.length,
            document.cookie.length, window.name.length, await count(all), (await caches.keys()).length,
            history.length > 2 ? 1 : 0, at()].join(" "); all.close() })();
        document.querySelector("button").onclick = async () => { localStorage.a = 1; document.cookie = "a=1";
            if (tab) { sessionStorage.a = 1; window.name = "a" } history.pushState(1, "", "#b");
            const all = await base(); const writing = all.transaction("kept", "readwrite");
            writing.objectStore("kept").put(1, 1); await caches.open("a"); document.title = "Done"; all.close() };
        addEventListener("pagehide", () => { localStorage.b = 1; document.cookie = "b=1" })</script></body>""",
    "loop.html": "<title>Loop</title><body>never<script>setTimeout(() => { while (true); }, 200)</script></body>",
    "rows.html": """<ul><li><form class="part"><input value="amber"><button>Save</button></form>
        <form class="part"><button type="button" onclick="document.title = 'amber is gone'">Delete</button></form></li>
        <li><form class="part"><input value="birch"><button>Save</button></form>
        <form class="part"><button>Delete</button></form></li></ul>""",
    "columns.html": """<div><div><b>Age</b><b>Weight</b></div><div><label><input class="age">years</label>
        <label><input class="weight" oninput="document.title = 'weighed'">kilograms</label></div></div>""",
    "ticks.html": """<p><label>Large letters</label><input type="checkbox" onclick="document.title = 'large'"></p>
        <p><input type="checkbox" onclick="document.title = 'digits'"><span>Digits</span></p>""",
    "loose.html": """<ul><div class="task"><li>amber</li>
        <button onclick="document.title = 'amber is gone'">Delete</button></div>
        <div class="task"><li>cobalt</li><button>Delete</button></div></ul>""",
    "icons.html": """<style>i::before { content: "\\f2ed" } u::before { content: "+" }
        b { cursor: pointer; padding: 9px }</style><u class="fa-plus" onmouseup="document.title = 'plus'"></u><ul>
        <li>amber <i class="fa-trash-alt" onmouseup="document.title = 'amber is gone'"></i></li>
        <li>birch <i class="fa-trash-alt"></i></li><li>cedar <b role="img" aria-label="trash outline"
        onmouseup="document.title = 'cedar is gone'"></b></li></ul>
        <b class="mark-all" onmouseup="document.title = 'all'"></b>
        <input id="one-old"><input id="one-new" oninput="document.title = 'new'">""",
    "cards.html": """<div class="task"><article>amber</article>
        <div><button onclick="document.title = 'amber is gone'">Delete</button></div></div>
        <div class="task"><article>birch</article><div><button>Delete</button></div></div>""",
    "headings.html": """<main><h2>To Morse</h2><p><button>Convert</button></p><b>Result</b><h2>To text</h2>
        <p><button onclick="document.title = 'text'">Convert</button></p></main>""",
    "tabs.html": """<style>li { cursor: pointer }</style><ul><li>Step 1</li>
        <li onmouseup="document.title = 'second'">Step 2</li></ul>""",
    "wordless.html": """<style>.cross::after { content: "X" } svg { width: 20px; height: 20px }</style><ul>
        <li>amber <button class="btn btn-success"><svg></svg></button>
        <button class="btn btn-danger" onclick="document.title = 'amber is gone'"><svg></svg></button></li>
        <li>birch <button data-tooltip-content="Restore it" onclick="document.title = 'birch is back'"><svg></svg>
        </button></li>
        <li>cedar <button class="cross" onclick="document.title = 'cedar is gone'"></button></li></ul>""",
    "pictures.html": """<style>svg { width: 20px; height: 20px }</style><main><section><button><p>maple</p></button>
        <button onclick="document.title = 'maple is gone'"><svg></svg></button></section><section><button><p>pine</p>
        </button><button><svg></svg></button></section></main>""",
    "drawn.html": """<ul><li><button onclick="document.title = 'fewer'"><svg viewBox="0 0 448 512">
        <path d="M432 256c0 17.7-14.3 32-32 32H48c-17.7 0-32-14.3-32-32s14.3-32 32-32h352c17.7 0 32 14.3 32 32z"/></svg>
        </button>cedar<button onclick="document.title = 'more'"><svg viewBox="0 0 24 24" fill="none" stroke="black"
        stroke-width="2"><path d="M12 5v14M5 12h14"/></svg></button><button onclick="document.title = 'gone'">
        <svg viewBox="0 0 24 24"><path fill="none" d="M0 0h24v24H0z"/><path d="M19 6.41 17.59 5 12 10.59 6.41 5 5 6.41
        10.59 12 5 17.59 6.41 19 12 13.41 17.59 19 19 17.59 13.41 12z"/></svg></button></li></ul>""",
    "labels.html": """<label for="title">Title</label><input id="title" placeholder="Text of the title">
        <p><label for="title">Text</label><textarea oninput="document.title = 'text'"></textarea></p>""",
    "grid.html": """<main><div class="row"><div class="part">amber</div><div class="part"><a>
        <button onclick="document.title = 'amber is gone'">Delete</button></a></div></div><div class="row">
        <div class="part">birch</div><div class="part"><a><button>Delete</button></a></div></div></main>""",
    "cells.html": """<table><tr><td class="td">amber</td>
        <td class="td" onclick="document.title = 'amber is gone'">&#10060;</td></tr>
        <tr><td class="td">birch</td><td class="td">&#10060;</td></tr></table>""",
    "parts.html": """<main><div><div><h3>amber</h3><p>red</p></div><div><p>7</p><a href="#amber"
        onclick="document.title = 'amber'">Details</a></div></div><div><div><h3>birch</h3><p>blue</p></div>
        <div><p>9</p><a href="#birch">Details</a></div></div></main><section class="row"><div><h3>cedar</h3><p>old</p>
        </div><div><h3>maple</h3><p>new</p><button>Delete</button></div></section><p><input></p><div><i>Form</i></div>
        <div><div class="task"><s>walnut</s><button>Undo</button></div><div class="task"><span>willow</span>
        <button>Edit</button></div></div>""",
    "dashed.html": """<p><svg viewBox="0 0 9 9" width="9"><g transform="scale(0.5)">
        <path transform="translate(2 2)" d="M4 0h1v4h4v1h-4v4h-1v-4h-4v-1h4z"/></g></svg></p><script>
        document.querySelector("p").addEventListener("click", () => { document.title = "new" })</script>""",
    "unnamed.html": """<form><input onchange="document.title = value"></form><main></main>
        <form><input onchange="document.title += ' of ' + value"></form>""",
    "renamed.html": """<input><ul></ul><script>document.querySelector("input").onchange = (change) => {
        document.querySelector("ul").innerHTML += `<li><input id="task" value="${change.target.value}"></li>`;
        document.title += change.target.value + "."; change.target.value = "" }</script>""",
    "shown.html": """<p>46.60 miles of 1,200.00 or so</p>
        <p>Sorted: <span>[</span> <b>2</b> <b>,</b> <b>3</b> <span>]</span></p><p>Done <i>(</i> 1 )</p>
        <div style="height: 30px; overflow: hidden"><h2 style="height: 60px">Question</h2><p>Folded</p></div>
        <div style="height: 30px; overflow: auto"><h2 style="height: 60px">List</h2><p>Scrolled</p></div>
        <div style="height: 30px; overflow: hidden"><div style="height: 30px; overflow: auto">
        <h2 style="height: 60px">List</h2><p>Reachable</p></div></div>
        <div style="position: relative; width: 90px; overflow: hidden"><p>Slide</p>
        <p style="position: absolute; left: 100px; top: 0">Waiting</p></div>
        <input readonly value="first"><input aria-label="Note"><input aria-label="Title" value="old">
        <input aria-label="Sum" value="152">""",
    "held.html": """<h2>Total</h2><button>Total</button><p>Total <input readonly value="12"></p>
        <p>Size of a change</p><button>Size</button><label>Size <select onchange="document.title = value">
        <option>Small</option><option>Large</option></select></label><h3>Result</h3><input id="result" value="19">
        <button onkeydown="document.title = 'no'">Task</button><label>New task <input
        onkeydown="document.title = event.key"></label><label>Sum <output>31</output></label><p>Sum of all: 7</p>
        <p>Score: 5</p><input>""",
    "beside.html": """<style>aside { position: fixed; right: 10px; transform: translateX(120%) }
        .open { transform: none } footer { position: fixed; bottom: -60px; height: 40px }
        main { position: absolute; left: 1500px; white-space: nowrap }</style>
        <button onclick="document.querySelector('aside').className = 'open'">Copy</button>
        <aside>Copied <button>Undo</button></aside><footer>Offline</footer><main>Scrolled to</main>""",
    "covered.html": """<style>label, p { position: relative; display: block; width: 60px; height: 34px }
        input { opacity: 0 } span { position: absolute; inset: 0; background: #ccc }</style>
        <label><input type="checkbox" aria-label="Night" onchange="document.title = 'night'"><span></span></label>
        <p><input type="checkbox" aria-label="Sound"><span onclick="document.title = 'loud'"></span></p>
        <ul><li>3. Start</li></ul><div style="position: relative; width: 90px"><button>Delete</button>
        <div style="position: absolute; inset: 0; background: white"><button onclick="document.title = 'deleted'">Delete
        </button></div></div><script>
        document.querySelector("li").addEventListener("click", () => { document.title = "started" })</script>""",
    "late.html": """<title>Late</title><script>setTimeout(() => { document.body.innerHTML = "<h1>Here</h1>" }, 3000)
        </script><body></body>""",
    "apart.html": """<style>* { margin: 0 } body > * { position: absolute } main { top: 50% }
        aside { left: -999px; width: 0 }</style><body><main>Shown <b>7</b></main><aside>Hidden</aside></body>""",
    "far.html": """<div style="height: 3000px"></div><button onclick="document.title = 'reached'">Go</button>
        <form action="loose.html"><textarea name="note">old</textarea><button>Send</button></form>""",
    "toast.html": """<style>@keyframes leave { to { opacity: 0 } }</style><p>Tasks</p>
        <p style="animation: leave 9s" onanimationend="this.remove()">Saved</p>""",
    "network.html": """<script type="module">import part from "https://unpkg.com/parts@1/a.js"; document.title = part
        </script><script src="http://unpkg.com/sealed.js" crossorigin integrity="%s"></script>
        <script src="//unpkg.com/forged.js" crossorigin integrity="%s"></script>
        <script src="https://unpkg.com/missing.js"></script><body>Network""",
    "memory.html": "<script>setTimeout(() => { const all = []; while (true) all.push(new Uint8Array(1 << 26).fill(1)) }"
    ", 200)</script>",
}
SERVE = "cd pages && nohup python3 -m http.server 8123 --bind 127.0.0.1 >/dev/null 2>&1 &"
ANSWERS = (
    "python3 - <<'END'\nimport time, urllib.request\nfor _ in range(600):\n    try:\n"
    "        urllib.request.urlopen('http://127.0.0.1:8123/'); break\n    except OSError: time.sleep(0.1)\nEND"
)
HOME = "http://localhost:8123"
SEALED = "window.sealed = true"
SEAL = "sha256-" + b64encode(sha256(SEALED.encode()).digest()).decode()
PAGES["network.html"] %= (SEAL, SEAL)


@pytest_asyncio.fixture(scope="module")
async def services(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[OpenServices]:
    """The services of a run whose browser has all the time it may need."""
    options = BrowserSettings(seconds=60, start_seconds=300, memory_mb=1024)
    home = tmp_path_factory.mktemp("browser")
    docker = DockerSettings(pool=0, open_seconds=300)
    with open_run(Settings(home=home, docker=docker, sections={"browser": options})) as run:
        async with open_services(run) as opened:
            yield opened


@pytest_asyncio.fixture(scope="module")
async def window(services: OpenServices, plain: Env) -> AsyncIterator[BrowserBox]:
    """A browser beside a box without network that serves the pages."""
    browser, world = await services.get("browser"), await services.world("docker")
    async with world.open(plain) as box:
        await _serve_pages(box)
        async with browser.open(box) as opened:
            yield opened


async def _serve_pages(box: Sandbox) -> None:
    for name, content in PAGES.items():
        await box.write(f"pages/{name}", content.encode())
    await box.exec(SERVE)
    assert (await box.exec(ANSWERS, timeout=300)).ok


async def test_a_page_served_in_a_box_without_network_is_seen(window: Window, tmp_path: Path) -> None:
    async with window.open_page(width=640, height=480) as page:
        assert await page.goto(HOME) == 200
        assert await page.text("title") == "Greeter"
        await page.fill("#name", "Ada")
        await page.click("button")
        assert await page.text("#said") == "Hello, Ada"
        assert await page.evaluate("[innerWidth, innerHeight]") == [640, 480]
        picture = await page.screenshot()
        assert picture.startswith(b"\x89PNG")
        assert int.from_bytes(picture[16:20], "big") == 640
        errors = await page.errors()
    assert any("a complaint" in error for error in errors)
    assert any("nothing is not defined" in error for error in errors)


async def test_files_of_other_hosts_that_are_provided_are_answered_and_no_others(window: Window) -> None:
    texts = {"parts@1/a.js": 'export { default } from "./b.js"', "parts@1/b.js": 'export default "Both"'}
    texts |= {"sealed.js": SEALED, "forged.js": f"window.forged = true; {SEALED}"}
    await window.provide([Provided(f"unpkg.com/{name}", "text/javascript", texts[name].encode()) for name in texts])
    async with window.open_page(used=True) as page:
        loaded = await page.load(f"{HOME}/network.html")
        assert await page.text("title") == "Both"
        assert await page.evaluate("[window.sealed, window.forged ?? null]") == [True, None]
    assert [each.url for each in loaded.exchanges if not each.status] == ["https://unpkg.com/missing.js"]


@verifier("test.greets", layer="interaction", cost="minutes", needs=("browser",))
async def greets(task: Task, trajectory: Trajectory, box: Sandbox, *, browser: Browser) -> AsyncIterator[Criterion]:
    """The application greets whoever says a name."""
    await _serve_pages(box)
    async with browser.open(box) as window, window.open_page() as page:
        await page.goto(HOME)
        await page.fill("#name", "Bob")
        await page.click("button")
        said = await page.text("#said")
    yield Criterion(name="it greets", passed=said == "Hello, Bob", evidence=said)


async def test_a_verifier_that_needs_the_browser_is_handed_it_and_its_verdict_names_it(
    services: OpenServices, plain: Env
) -> None:
    task = Task(domain="toy", kind="web", instruction="x", env=plain, checks=(Check(verifier="test.greets"),))
    agent = Agent(scaffold="native", teacher="scripted")
    attempt = Trajectory(task_id=task.id, agent=agent, system="s", prompt="p", steps=(), ended="submitted")
    judging = Judging(await services.world("docker"), services.run.blobs, services)
    [verdict] = [verdict async for verdict in judge(task, attempt, judging)]
    assert verdict.outcome == "pass", verdict.detail
    assert verdict.services == {"browser": services.identity("browser")}


async def test_pages_at_once_share_a_browser_and_nothing_else(window: BrowserBox) -> None:
    starts = window.starts
    async with window.open_page() as one, window.open_page() as other:
        for page in (one, other):
            await page.goto(HOME)
        await one.evaluate("localStorage.setItem('who', 'one')")
        assert await other.evaluate("localStorage.getItem('who')") is None
    assert window.starts == starts


async def test_nothing_but_the_box_is_reached(window: Window) -> None:
    async with window.open_page() as page:
        with pytest.raises(PageFailed, match="ERR_"):
            await page.goto("http://172.17.0.1/")


@pytest.mark.parametrize(
    ("page_name", "action", "title"),
    [
        ("rows", Action(name="click", at=Target(role="button", names=("delete",), within="amber")), "amber is gone"),
        ("loose", Action(name="click", at=Target(role="button", names=("delete",), within="amber")), "amber is gone"),
        ("icons", Action(name="click", at=Target(role="button", names=("trash",), within="amber")), "amber is gone"),
        ("icons", Action(name="click", at=Target(names=("trash",), within="amber")), "amber is gone"),
        ("icons", Action(name="click", at=Target(role="button", names=("delete",), within="cedar")), "cedar is gone"),
        ("icons", Action(name="click", at=Target(names=("mark all",))), "all"),
        ("icons", Action(name="click", at=Target(names=("plus",))), "plus"),
        ("icons", Action(name="click", at=Target(role="button", names=("add",))), "plus"),
        ("icons", Action(name="fill", at=Target(role="textbox", names=("one-new",)), value="70"), "new"),
        ("cards", Action(name="click", at=Target(role="button", names=("delete",), within="amber")), "amber is gone"),
        ("tabs", Action(name="click", at=Target(role="tab", names=("step 2",))), "second"),
        (
            "wordless",
            Action(name="click", at=Target(role="button", names=("delete",), within="amber")),
            "amber is gone",
        ),
        (
            "wordless",
            Action(name="click", at=Target(role="button", names=("restore",), within="birch")),
            "birch is back",
        ),
        (
            "wordless",
            Action(name="click", at=Target(role="button", names=("delete",), within="cedar")),
            "cedar is gone",
        ),
        ("headings", Action(name="click", at=Target(role="button", names=("convert",), within="to text")), "text"),
        (
            "pictures",
            Action(name="click", at=Target(role="button", names=("delete",), within="maple")),
            "maple is gone",
        ),
        ("labels", Action(name="fill", at=Target(role="textbox", names=("text",)), value="amber"), "text"),
        ("grid", Action(name="click", at=Target(role="button", names=("delete",), within="amber")), "amber is gone"),
        ("cells", Action(name="click", at=Target(names=("❌",), within="amber")), "amber is gone"),
        ("parts", Action(name="click", at=Target(role="link", names=("details",), within="amber")), "amber"),
        ("dashed", Action(name="click", at=Target(role="button", names=("add",))), "new"),
        ("drawn", Action(name="click", at=Target(role="button", names=("decrease",), within="cedar")), "fewer"),
        ("drawn", Action(name="click", at=Target(role="button", names=("plus",), within="cedar")), "more"),
        ("drawn", Action(name="click", at=Target(role="button", names=("delete",), within="cedar")), "gone"),
        ("far", Action(name="click", at=Target(role="button", names=("go",))), "reached"),
        ("ticks", Action(name="click", at=Target(role="checkbox", names=("large letters",))), "large"),
        ("ticks", Action(name="check", at=Target(role="checkbox", names=("digits",)), value="true"), "digits"),
        ("columns", Action(name="fill", at=Target(role="textbox", names=("weight",)), value="70"), "weighed"),
        ("covered", Action(name="check", at=Target(role="checkbox", names=("night",)), value="true"), "night"),
        ("covered", Action(name="click", at=Target(role="checkbox", names=("night",))), "night"),
        ("covered", Action(name="check", at=Target(role="checkbox", names=("sound",)), value="true"), "loud"),
        ("covered", Action(name="click", at=Target(role="button", names=("start",))), "started"),
        ("covered", Action(name="click", at=Target(role="button", names=("delete",))), "deleted"),
    ],
)
async def test_what_a_person_would_point_at_is_found_however_it_is_laid_out(
    window: Window, page_name: str, action: Action, title: str
) -> None:
    async with window.open_page() as page:
        opened, outcome = await page.play([Action(name="open", value=f"{HOME}/{page_name}.html"), action])
        assert (opened.ok, outcome.why, await page.text("title")) == (True, "", title)


@pytest.mark.parametrize(("name", "within"), [("delete", "cedar"), ("edit", "walnut")])
async def test_what_a_card_lacks_is_not_found_in_its_neighbour(window: Window, name: str, within: str) -> None:
    async with window.open_page() as page:
        beside = Action(name="click", at=Target(role="button", names=(name,), within=within))
        opened, outcome = await page.play([Action(name="open", value=f"{HOME}/parts.html"), beside])
        assert (opened.ok, outcome.ok) == (True, False)


async def test_fields_without_names_are_told_apart_by_what_was_filled_in_before(window: Window) -> None:
    named = {name: Target(role="textbox", names=(name,)) for name in ("task", "list")}
    actions = [
        Action(name="open", value=f"{HOME}/unnamed.html"),
        Action(name="fill", at=Target(role="textbox"), value="amber"),
        Action(name="fill", at=named["list"], value="birch"),
        Action(name="press", at=named["list"], value="Tab"),
    ]
    async with window.open_page() as page:
        assert [outcome.why for outcome in await page.play(actions)] == [""] * 4
        assert await page.text("title") == "amber of birch"
        [unknown] = await page.play([Action(name="fill", at=named["task"], value="cedar")])
        assert not unknown.ok


async def test_a_field_without_a_name_stays_the_same_though_the_list_has_one_that_is_called_so(window: Window) -> None:
    task = Target(role="textbox", names=("task",))
    leave = Action(name="press", at=task, value="Tab")
    adds = [action for value in ("amber", "birch") for action in (Action(name="fill", at=task, value=value), leave)]
    async with window.open_page() as page:
        outcomes = await page.play([Action(name="open", value=f"{HOME}/renamed.html"), *adds])
        assert [outcome.why for outcome in outcomes] == [""] * 5
        assert await page.text("title") == "amber.birch."


@pytest.mark.parametrize(
    ("expectation", "holds"),
    [
        (Action(name="text", texts=("Sorted: [2, 3]",)), True),
        (Action(name="text", texts=("Done (1)",)), True),
        (Action(name="text", texts=("46.6 miles of 1200 or",)), True),
        (Action(name="no text", texts=("46 miles",)), True),
        (Action(name="text", texts=("Scrolled",)), True),
        (Action(name="no text", texts=("Folded",)), True),
        (Action(name="text", texts=("Reachable",)), True),
        (Action(name="no text", texts=("Waiting",)), True),
        (Action(name="value", at=Target(role="textbox", names=("note",))), True),
        (Action(name="value", at=Target(role="textbox", names=("title",))), False),
        (Action(name="value", texts=("first",)), True),
        (Action(name="value", at=Target(names=("sum",)), texts=("152",)), True),
        (Action(name="value", at=Target(names=("sum",)), texts=("2",)), False),
    ],
)
async def test_what_is_expected_is_held_against_what_a_person_sees(
    window: Window, expectation: Action, holds: bool
) -> None:
    async with window.open_page() as page:
        opened, outcome = await page.play([Action(name="open", value=f"{HOME}/shown.html"), expectation])
        assert (opened.ok, outcome.ok) == (True, holds), outcome.why


@pytest.mark.parametrize(("name", "held"), [("total", "12"), ("result", "19"), ("sum", "31"), ("score", "5")])
async def test_a_value_is_read_in_a_field_before_what_else_is_called_so(window: Window, name: str, held: str) -> None:
    async with window.open_page() as page:
        read = Action(name="value", at=Target(names=(name,)), texts=(held,))
        opened, outcome = await page.play([Action(name="open", value=f"{HOME}/held.html"), read])
        assert (opened.ok, outcome.why) == (True, "")


@pytest.mark.parametrize(
    ("action", "title"),
    [
        (Action(name="choose", at=Target(names=("size",)), value="Large"), "Large"),
        (Action(name="press", at=Target(names=("task",)), value="Enter"), "Enter"),
    ],
)
async def test_a_value_is_chosen_and_a_key_pressed_in_a_field_before_what_else_is_called_so(
    window: Window, action: Action, title: str
) -> None:
    async with window.open_page() as page:
        opened, outcome = await page.play([Action(name="open", value=f"{HOME}/held.html"), action])
        assert (opened.ok, outcome.why, await page.text("title")) == (True, "", title)


async def test_what_a_body_without_height_holds_is_shown_and_what_lies_beside_the_page_is_not(window: Window) -> None:
    async with window.open_page() as page:
        shown = [Action(name="text", texts=("Shown 7",)), Action(name="no text", texts=("Hidden",))]
        outcomes = await page.play([Action(name="open", value=f"{HOME}/apart.html"), *shown])
        assert [outcome.why for outcome in outcomes] == [""] * 3


async def test_a_page_that_shows_nothing_yet_is_waited_for(window: Window) -> None:
    async with window.open_page() as page:
        await page.load(f"{HOME}/late.html")
        assert await page.text("body") == "Here"


async def test_what_waits_beside_the_window_is_hidden_until_it_slides_in(window: Window) -> None:
    undo = Target(role="button", names=("undo",))
    actions = [
        Action(name="no text", texts=("Copied",)),
        Action(name="no text", texts=("Offline",)),
        Action(name="no element", at=undo),
        Action(name="text", texts=("Scrolled to",)),
        Action(name="click", at=Target(role="button", names=("copy",))),
        Action(name="text", texts=("Copied",)),
        Action(name="element", at=undo),
    ]
    async with window.open_page() as page:
        outcomes = await page.play([Action(name="open", value=f"{HOME}/beside.html"), *actions])
        assert [outcome.why for outcome in outcomes] == [""] * 8


async def test_a_click_that_leads_elsewhere_is_followed_with_what_was_filled_in(window: Window) -> None:
    note, send = Target(role="textbox"), Target(role="button", names=("send",))
    actions = [
        Action(name="open", value=f"{HOME}/far.html"),
        Action(name="fill", at=note, value="new"),
        Action(name="click", at=send),
        Action(name="text", texts=("cobalt",)),
    ]
    async with window.open_page() as page:
        assert [outcome.why for outcome in await page.play(actions)] == [""] * 4
        assert (await page.url()).endswith("/loose.html?note=new")


async def test_what_is_not_there_fails_the_page_and_not_the_browser(window: Window) -> None:
    async with window.open_page() as page:
        assert await page.goto(f"{HOME}/missing.html") == 404
        await page.goto(HOME)
        with pytest.raises(PageFailed, match="nothing is not defined"):
            await page.evaluate("nothing.at.all")
        assert await page.text("title") == "Greeter"


async def test_a_look_at_several_widths_is_out_of_reach_of_the_scripts_of_the_page(window: Window) -> None:
    script = "JSON.stringify([innerWidth, document.querySelector('h1').getBoundingClientRect().width])"
    async with window.open_page() as page:
        await page.goto(f"{HOME}/liar.html")
        looks = await page.look(script, (1280, 375))
        assert [look.width for look in looks] == [1280, 375]
        assert [look.facts for look in looks] == [[1280, 1264], [375, 359]]
        assert [int.from_bytes(look.picture[16:20], "big") for look in looks] == [1280, 375]
        with pytest.raises(PageFailed, match="nothing is not defined"):
            await page.look("nothing.at.all()", (1280,))


async def test_a_message_that_the_picture_sends_away_is_not_among_what_is_found(window: Window) -> None:
    async with window.open_page() as page:
        await page.goto(f"{HOME}/toast.html")
        [look] = await page.look("JSON.stringify(document.body.innerText.trim())", (1280,))
    assert look.facts == "Tasks"


async def test_an_audit_names_the_rules_of_accessibility_that_a_page_breaks(window: Window) -> None:
    async with window.open_page() as page:
        await page.goto(f"{HOME}/liar.html")
        violations = TypeAdapter(list[dict[str, Json]]).validate_python(await page.audit())
    assert {"image-alt", "html-has-lang"} <= {violation["rule"] for violation in violations}


async def test_dialogs_and_downloads_are_refused_and_noted(window: Window) -> None:
    async with window.open_page() as page:
        await page.goto(f"{HOME}/dialogs.html")
        assert await page.text() == "after all"
        assert [error for error in await page.errors() if error.startswith("dialog")] == [
            "dialog: one",
            "dialog: two",
            "dialog: three",
        ]
    async with window.open_page() as page:
        await page.goto(f"{HOME}/downloads.html")
        assert await page.text() == "loading"
        assert any(error.startswith("download") for error in await page.errors())


async def test_a_page_that_loops_for_ever_costs_its_time_and_no_more(
    window: BrowserBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with window.open_page() as page:
        await page.goto(f"{HOME}/loop.html")
        monkeypatch.setattr(window, "settings", window.settings.model_copy(update={"seconds": 3.0}))
        with pytest.raises(PageFailed):
            await page.evaluate("new Promise(done => setTimeout(done, 500)).then(() => 1)")
        with pytest.raises(PageFailed):
            await page.screenshot()
    monkeypatch.undo()
    await _still_works(window)


async def test_a_page_that_crashes_is_replaced_by_a_fresh_one(window: Window) -> None:
    async with window.open_page() as page:
        with pytest.raises(PageFailed, match="crash"):
            await page.goto("chrome://crash")
    await _still_works(window)


async def test_a_page_that_eats_all_memory_is_survived(window: Window) -> None:
    async with window.open_page() as page:
        await page.goto(f"{HOME}/memory.html")
        with pytest.raises(PageFailed):
            await page.evaluate("new Promise(done => setTimeout(done, 600000))")
    await _still_works(window)


async def test_a_browser_that_was_killed_is_replaced(window: BrowserBox) -> None:
    starts = window.starts
    async with window.open_page() as page:
        await page.goto(HOME)
        await window.box.exec("kill -9 -- -$(cat /tmp/driver.pid)")
        with pytest.raises(PageFailed, match="lost"):
            await page.text()
    assert window.starts == starts + 1
    await _still_works(window)


async def _still_works(window: Window) -> None:
    async with window.open_page() as page:
        await page.goto(HOME)
        assert await page.text("title") == "Greeter"


@pytest.mark.parametrize("place", ["/keeper.html", "/keeper.html#tab"])
async def test_a_page_that_is_used_again_has_kept_nothing(window: BrowserBox, place: str) -> None:
    click = Action(name="click", at=Target(role="button", names=("keep",)), watch=True)
    opening = [Action(name="open", value=HOME + place), Action(name="text", texts=("kept 0 0 0 0 0 0 0 0",))]
    for _ in range(3):
        async with window.open_page(used=True) as page:
            outcomes = await page.play([*opening, click])
            assert [outcome.why for outcome in outcomes] == ["", "", ""]
            assert {"storage", "address"} <= set(outcomes[-1].changed)
