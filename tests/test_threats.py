"""The page on threats names a test for every line, and the test is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROWS = [
    row
    for row in (ROOT / "docs" / "threats.md").read_text().splitlines()
    if row.startswith("| ") and not row.startswith(("| what", "| ---"))
]
NAMED = re.compile(r"`([\w/]+\.py)::(test_\w+)`")
# matches: `verifiers/test_suite.py::test_a_wrong_attempt_fails`


@pytest.mark.parametrize("row", ROWS)
def test_a_threat_names_a_test_that_is_there(row: str) -> None:
    named = NAMED.findall(row.split("|")[-2])
    assert named, row
    for path, name in named:
        assert re.search(rf"^(?:async )?def {name}\(", (ROOT / "tests" / path).read_text(), re.MULTILINE), name


def test_the_page_is_one_page() -> None:
    words = (ROOT / "docs" / "threats.md").read_text().replace("|", " ").split()
    assert len(words) < 1200
