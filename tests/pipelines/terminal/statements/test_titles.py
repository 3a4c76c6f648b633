"""A title that demands what is neither told nor seen is no goal."""

from __future__ import annotations

import pytest

from pipelines.terminal.statements.titles import unmet_words


@pytest.mark.parametrize(
    ("title", "told", "unmet"),
    [
        ("How do I delete the last line of a file?", "Left out is the last line.", []),
        ("Print a file, skipping the first X lines", "It takes the last `10` lines.", ["skipping", "first"]),
        ("Run a cron job inside a docker container", "The table of cron gets a job.", ["docker", "container"]),
        ('Find "foo" in files', "It looks for the pattern `foo`.", []),
    ],
)
def test_words_of_a_title_that_nothing_meets_are_found(title: str, told: str, unmet: list[str]) -> None:
    assert unmet_words(title, told, "") == unmet
