"""Which buttons are looked at for being dead."""

from __future__ import annotations

import pytest

from crucible.browsing import Exchange, Listed
from crucible.domains.web.sweeping import has_unreached_script, list_candidates, waits_for_library

HOME = "http://localhost:8000/"


@pytest.mark.parametrize(
    ("url", "status", "unreached"),
    [
        ("https://cdn.example/bootstrap.bundle.min.js", 0, True),
        ("https://cdn.example/bootstrap.min.css", 0, False),
        ("http://localhost:8000/bootstrap.bundle.min.js", 0, False),
        ("https://cdn.example/bootstrap.bundle.min.js", 200, False),
    ],
)
def test_only_a_script_of_another_host_that_did_not_come_is_out_of_reach(
    url: str, status: int, unreached: bool
) -> None:
    asked = (Exchange(method="GET", url=HOME, status=200), Exchange(method="GET", url=url, status=status))
    assert has_unreached_script(asked, HOME) == unreached


@pytest.mark.parametrize(
    ("markup", "waits"),
    [
        ('<button class="navbar-toggler" data-bs-toggle="collapse"><span></span></button>', True),
        ('<button onclick="add()">data-bs-toggle="collapse"</button>', False),
    ],
)
def test_a_button_waits_for_a_library_if_it_is_marked_so(markup: str, waits: bool) -> None:
    assert waits_for_library(Listed(name="Menu", markup=markup)) == waits


def test_a_button_that_was_seen_at_work_or_may_be_idle_is_no_candidate() -> None:
    names = ("Add", "Sort", "Clear all", "Sort")
    buttons = [Listed(name=name, markup=f"<button>{name}</button>") for name in names]
    assert [each.name for each in list_candidates(buttons, {"<button>Add</button>"})] == ["Sort"]
