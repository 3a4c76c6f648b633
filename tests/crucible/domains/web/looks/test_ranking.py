"""A small part of `benchmarks/looks.py`: designed pages rank above copies in which one thing is destroyed."""

from __future__ import annotations

import pytest

from benchmarks.looks import load_degradations, load_pages, score_page, spoil_pages
from crucible.sandbox import Env
from tests.browsers import HOME, open_browsing, open_window

pytestmark = pytest.mark.slow

PAGES = ("dashboard", "form")
FIRST_OF_KIND = list({each.name.partition(":")[0]: each for each in reversed(load_degradations())}.values())
"""One way each to destroy spacing, contrast, alignment, palette and type."""


async def test_designed_pages_rank_above_their_spoilt_copies(
    tmp_path_factory: pytest.TempPathFactory, plain: Env
) -> None:
    pages = {name: page for name, page in load_pages().items() if name in PAGES}
    async with (
        open_browsing(tmp_path_factory.mktemp("ranking")) as services,
        open_window(services, plain, spoil_pages(pages, FIRST_OF_KIND)) as window,
    ):
        designed = {name: await score_page(window, f"{HOME}{name}.html") for name in PAGES}
        spoilt = {
            (name, each.name): await score_page(window, f"{HOME}{name}-{number}.html")
            for name in PAGES
            for number, each in enumerate(FIRST_OF_KIND)
        }
    assert min(designed.values()) > 0.95
    assert {pair for pair, score in spoilt.items() if score >= designed[pair[0]]} == set()
