"""Every language is read by one row of one table."""

import re
from pathlib import Path

import pytest

from crucible.domains.code import languages
from crucible.domains.code.languages import definition_patterns, line_patterns, syntax_of

EXAMPLE = re.compile(r"^\s*(?:[\w.]+ = )?'(?P<pattern>.*)',?\n\s*# matches: (?P<line>.*)$", re.MULTILINE)
TABLE = (Path(languages.__file__).parent / "languages.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("example", list(EXAMPLE.finditer(TABLE)), ids=lambda example: example["line"])
def test_a_pattern_matches_the_line_beneath_it(example: re.Match[str]) -> None:
    assert re.match(example["pattern"], example["line"].replace("\\t", "\t"))


def test_every_pattern_has_an_example() -> None:
    patterns = re.findall(r"^(?:    '|lines\.(?:asserts|private|owner) = ')", TABLE, re.MULTILINE)
    assert len(patterns) == len(EXAMPLE.findall(TABLE)) > 60


def test_a_language_takes_what_it_shares_from_another() -> None:
    assert definition_patterns("a.kt") == definition_patterns("A.java") != ()
    assert line_patterns("a.dart") == line_patterns("a.c") is not None
    script, typed = syntax_of("a.js"), syntax_of("a.tsx")
    assert script is not None
    assert typed is not None
    assert (typed.grammar, typed.entry) == ("tree_sitter_typescript", "language_tsx")
    assert typed.functions == script.functions


def test_a_column_holds_for_the_suffixes_it_names() -> None:
    assert definition_patterns("a.cxx") == ()
    assert line_patterns("a.cxx") is not None
    assert line_patterns("a.hxx") is None
    assert syntax_of("a.hxx") is not None
    assert syntax_of("a.rake") is None


def test_a_recorded_output_is_no_code() -> None:
    assert line_patterns("src/__snapshots__/a.js") is None
    assert line_patterns("src/a.js") is not None
