"""A text that a pattern matches is made of the pattern."""

from __future__ import annotations

import re

import pytest

from pipelines.terminal.commands.pattern_examples import make_example


@pytest.mark.parametrize(
    ("pattern", "is_basic", "in_python"),
    [
        (r"^#", True, r"^#"),
        (r"^$", True, r"^$"),
        (r" \+ ", True, r" + "),
        (r"[[:space:]]*$", True, r"\s*$"),
        (r"^[0-9]{3}-[a-z]+$", False, r"^[0-9]{3}-[a-z]+$"),
        (r"\([[:digit:]]\{3\}\)\(x\|y\)", True, r"(\d{3})(x|y)"),
        (r"(foo|bar)baz?", False, r"(foo|bar)baz?"),
        (r"<[^>]*>", True, r"<[^>]*>"),
        (r"a.c", True, r"a.c"),
    ],
)
def test_an_example_is_matched_by_its_pattern(pattern: str, is_basic: bool, in_python: str) -> None:
    example = make_example(pattern, is_basic)
    assert example is not None
    assert re.search(in_python, example.text), example
    assert (example.at_start, example.at_end) == (pattern.startswith("^"), pattern.endswith("$"))


@pytest.mark.parametrize("pattern", [r"(?<=a)b", r"(a)\1", "(a", ".*"])
def test_what_cannot_be_read_or_matches_anything_gives_no_example(pattern: str) -> None:
    assert make_example(pattern, is_basic=False) is None
