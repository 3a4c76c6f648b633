"""Which lines were executed, as frameworks tell it."""

from __future__ import annotations

import pytest

from crucible.domains.code.coverage import can_trace, executed_lines, parse_go_profile
from crucible.domains.code.suite import Suite

PROFILE = """mode: set
example.org/sums/day/sums.go:4.23,6.3 2 1
example.org/sums/day/sums.go:9.2,9.12 1 0
example.org/sums/sums.go:2.1,2.9 1 7
"""


def test_go_tells_stretches_of_lines_by_import_path() -> None:
    seen = parse_go_profile(PROFILE, ["day/sums.go", "sums.go"])
    assert seen == {"day/sums.go": {4, 5, 6}, "sums.go": {2}}
    assert executed_lines(seen, {"day/sums.go": [6, 9], "other.go": [2]}) == ["day/sums.go:6"]


def test_a_profile_without_anything_in_it_is_no_answer() -> None:
    with pytest.raises(ValueError, match="nothing was"):
        parse_go_profile("mode: set\n", ["sums.go"])


def test_what_cannot_be_watched_is_known_before() -> None:
    assert can_trace(Suite(runner="go"), ["README.md", "sums.go"])
    assert not can_trace(Suite(runner="go"), ["sums.py"])
    assert can_trace(Suite(runner="mocha"), ["sums.js"])
    assert not can_trace(Suite(runner="mocha"), ["sums.ts"])
    assert not can_trace(Suite(runner="jest"), ["sums.js"])
