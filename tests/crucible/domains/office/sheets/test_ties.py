"""Ties hold or break by what cells show."""

from __future__ import annotations

from crucible.domains.office.sheets.ties import Tie, list_broken

VALUES = {"Deal": {"B2": 70.0, "B3": 30.0, "B4": 100.0, "B5": "n/a", "B6": 100.0000001}}
SOURCES = Tie(name="sources", left=("Deal!B4",), right=("Deal!B2:B3",))


def test_sums_that_are_equal_tie() -> None:
    assert list(list_broken((SOURCES,), VALUES)) == []
    less = Tie(name="rest", left=("Deal!B4", "-Deal!B2", "-Deal!B3"))
    assert list(list_broken((less,), VALUES)) == []
    whole = Tie(name="whole", left=("Deal!B2",), right=("Deal!B3",), plus=40)
    assert list(list_broken((whole,), VALUES)) == []
    noise = Tie(name="noise", left=("Deal!B6",), right=("Deal!B4",))
    assert list(list_broken((noise,), VALUES)) == []


def test_sums_that_differ_break() -> None:
    assert dict(list_broken((Tie(name="sources", left=("Deal!B4",), right=("Deal!B2",)),), VALUES)) == {
        "sources": "100 is not 70"
    }


def test_what_was_not_filled_in_does_not_tie() -> None:
    empty = Tie(name="empty", left=("Deal!C1",), right=("Deal!C2",))
    text = Tie(name="text", left=("Deal!B5",))
    assert dict(list_broken((empty, text), VALUES)) == {
        "empty": "Deal!C1 shows no number",
        "text": "Deal!B5 shows no number",
    }
