"""Each rule of looks on real pages: a designed page meets them all, a copy with a fault breaks the one about it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from crucible.browsing import Window
from crucible.domains.looks.marking import mark_findings
from crucible.domains.looks.pixels import Pixels
from crucible.domains.web.looks.inspecting import inspect_page
from crucible.domains.web.looks.limits import load_table
from crucible.domains.web.looks.rules import RULES, Ruled, apply_rules
from crucible.sandbox import Env
from tests.browsers import HOME, open_browsing, open_window

pytestmark = pytest.mark.slow

DESIGNED = Path("benchmarks/looks_pages/landing.html").read_text()
DRAWING = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='400' height='300'/%3E"
LOUD = "display:inline-block;padding:12px;background:{};color:#fff"


def with_style(css: str) -> str:
    return DESIGNED.replace("</head>", f"<style>{css}</style></head>")


def with_content(html: str) -> str:
    return DESIGNED.replace("<main>", f"<main>{html}")


FAULTS = {
    "overflow": with_content("<div class='wrap' style='width:1500px'>a row that is wider than the window</div>"),
    "images": with_content(f"<img alt='a boat' style='width:600px;height:90px' src=\"{DRAWING}\">"),
    "contrast": with_style("p { color: #b8bcc2 !important }"),
    "invisible": with_style(".hero h1 { color: #f3f7fa }"),
    "overlap": with_style(".features h3 { margin-bottom: -22px }"),
    "cut-off": with_style(".features article { height: 60px; overflow: hidden }"),
    "alignment": with_style(
        ":is(h1, h2, h3, p, a, article):nth-child(odd) { position: relative; left: 7px; top: 3px }"
        ":is(h1, h2, h3, p, a, article):nth-child(3n) { position: relative; left: -11px; top: -9px }"
    ),
    "rhythm": with_content(
        "".join(f"<div style='height:20px;margin-bottom:{gap}px'></div>" for gap in (3, 18, 7, 41, 14, 26, 9))
    ),
    "crowding": with_style("* { padding: 0 !important; line-height: 1 !important }"),
    "type": with_style("p { font-size: 9px !important } h3 { font-family: monospace } a { font-family: serif }"),
    "palette": with_style(
        "".join(
            f":is(section, article, h3, p, a, div, h2):nth-of-type({number}) {{ background: hsl({hue} 90% 80%) }}"
            for number, hue in ((1, 0), (2, 60), (3, 120))
        )
        + "p { color: #7000c0 !important } a { background: #ff00c0 !important } h3 { color: #0040d0 }"
    ),
    "hierarchy": with_style("h1, h2, h3 { font-size: 16px !important; font-weight: 400 !important }"),
    "primary-action": with_content(
        "".join(
            f"<{tag} style='{LOUD.format(colour)}' href='#{colour}'>Do {colour}</{tag}>"
            for tag, colour in (("a", "#a01010"), ("button", "#10a010"), ("a", "#1010a0"), ("button", "#101010"))
        )
    ),
    "default-style": "<h1>Notes</h1><p>Some <a href='#a'>linked</a> text</p><input><button>Save</button>",
    "gradients": with_style("body, .hero, article { background: linear-gradient(90deg, #667eea, #764ba2) }"),
    "touch": with_content("<button style='padding:0;font-size:11px;height:14px'>x</button>" * 3),
    "phone": DESIGNED.replace('<meta name="viewport" content="width=device-width, initial-scale=1">', ""),
}

ROOMY = with_content(
    "<label for='name' style='font-size:9px'>a</label><input id='name' style='height:44px;width:200px'>"
    "<label style='display:block;padding:16px'><input type='checkbox' style='width:13px;height:13px'>agreed</label>"
)
"""A field that is larger than its label, and a label that is larger than its field."""
PARKED = with_content(
    "<div style='position:fixed;left:-100%;width:300px'>"
    + "<p style='color:#eee !important'>an answer</p><a href='#a' style='font-size:9px'>a place</a>" * 9
    + "</div>"
)
"""Texts and links that wait out of sight until somebody asks for them."""


@pytest_asyncio.fixture(scope="module")
async def window(tmp_path_factory: pytest.TempPathFactory, plain: Env) -> AsyncIterator[Window]:
    pages = {
        "index.html": DESIGNED,
        "roomy.html": ROOMY,
        "parked.html": PARKED,
        **{f"{name}.html": page for name, page in FAULTS.items()},
    }
    async with (
        open_browsing(tmp_path_factory.mktemp("looks")) as services,
        open_window(services, plain, pages) as opened,
    ):
        yield opened


async def rule(window: Window, path: str = "") -> dict[str, Ruled]:
    async with window.open_page() as page:
        await page.goto(HOME + path)
        return {ruled.rule: ruled for ruled in apply_rules(await inspect_page(page))}


def test_every_rule_has_its_row_and_a_page_that_breaks_it() -> None:
    assert RULES.keys() == load_table().rules.keys() == FAULTS.keys()


async def test_a_designed_page_meets_every_rule(window: Window) -> None:
    ruled = await rule(window)
    assert {name: each.evidence for name, each in ruled.items() if not each.passed} == {}


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_fault_is_found_by_the_rule_about_it(window: Window, fault: str) -> None:
    ruled = (await rule(window, f"{fault}.html"))[fault]
    assert not ruled.passed, ruled
    marked = mark_findings(ruled.worst.picture, ruled.findings)
    assert Pixels.read(marked).size[0] == ruled.worst.width


async def test_the_roomier_of_a_field_and_its_label_is_what_a_finger_must_hit(window: Window) -> None:
    ruled = (await rule(window, "roomy.html"))["touch"]
    assert (ruled.passed, ruled.findings) == (True, ()), ruled.evidence


async def test_what_is_parked_out_of_sight_is_held_against_nobody(window: Window) -> None:
    ruled = await rule(window, "parked.html")
    assert {name: each.evidence for name, each in ruled.items() if not each.passed} == {}


async def test_a_page_that_is_looked_at_twice_gives_the_same_findings(window: Window) -> None:
    first, second = [await rule(window, "alignment.html") for _ in range(2)]
    assert [(each.share, each.findings) for each in first.values()] == [
        (each.share, each.findings) for each in second.values()
    ]
