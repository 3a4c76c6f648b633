"""The programming languages that files are read in: rows of `languages.toml`, found by a file's suffix."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Literal

from crucible.datafile import read_rows
from crucible.record import Record

HERE = Path(__file__).parent
SNAPSHOT_FOLDERS = {"tap-snapshots", "__snapshots__"}
"""Where test frameworks keep the outputs that they recorded: no code, whatever the suffix says."""

Column = Literal["definitions", "lines", "syntax"]


class LinePatterns(Record):
    """How single lines of code and of tests read in one language."""

    signatures: tuple[str, ...]
    asserts: str
    private: str = "_.*"
    """Names that no caller is meant to use. Matches: `_hidden`."""
    owner: str = ""
    """A line after which members follow that do not say whose they are; the first group is the owner's name."""

    def find_signature(self, line: str) -> re.Match[str] | None:
        """The match of a line that defines a name for others to use, with its group `name`; the group `inside`, where
        there is one, is what follows the opening bracket."""
        matches = (pattern.fullmatch(line) for pattern in _compile(self.signatures))
        signature = next((match for match in matches if match), None)
        return None if signature is None or re.fullmatch(self.private, signature["name"]) else signature

    def is_assertion(self, line: str) -> bool:
        """Whether the line says what is expected."""
        return bool(_compile((self.asserts,))[0].fullmatch(line))


class Syntax(Record):
    """The tree-sitter grammar of one language, and what it calls the things that faults are put into."""

    grammar: str = ""
    """The Python module that holds the grammar."""
    entry: str = "language"
    """The grammar's function in that module."""
    functions: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    statements: tuple[str, ...] = ("expression_statement",)
    negated: str = "!({})"
    """How a condition is turned round."""
    block: str = "{}"
    """What is written where a statement is taken away."""
    void: str = ""
    """A statement with which a function ends at once, without what it is there for; whatever follows still compiles."""
    zero: str = ""
    """How the value of a type that says nothing is written, where a `void` statement would end the whole run."""
    never: str = ""
    """A condition that is never so, which no compiler says of it."""


class Language(Record):
    """One row of `languages.toml`; the file's head says what each column means."""

    name: str
    suffixes: tuple[str, ...]
    definitions: tuple[str, ...] = ()
    definitions_in: tuple[str, ...] = ()
    definitions_like: str = ""
    lines: LinePatterns | None = None
    lines_in: tuple[str, ...] = ()
    lines_like: str = ""
    syntax: Syntax | None = None
    syntax_in: tuple[str, ...] = ()
    syntax_like: str = ""


def definition_patterns(path: str) -> tuple[str, ...]:
    """Patterns of the lines that define a name in this file; none where its language is not known."""
    language = _find_language("definitions", PurePosixPath(path).suffix)
    return language.definitions if language else ()


def line_patterns(path: str) -> LinePatterns | None:
    """How lines of this file define and assert, if it holds code of a language that is known."""
    if SNAPSHOT_FOLDERS & set(PurePosixPath(path).parts):
        return None
    language = _find_language("lines", PurePosixPath(path).suffix.lower())
    return language.lines if language else None


def syntax_of(path: str) -> Syntax | None:
    """The grammar that parses this file, if there is one."""
    language = _find_language("syntax", PurePosixPath(path).suffix)
    return language.syntax if language else None


@cache
def _find_language(column: Column, suffix: str) -> Language | None:
    """The language that has this column for files with this suffix."""
    for language in _languages():
        suffixes = getattr(language, f"{column}_in") or language.suffixes
        if suffix in suffixes and getattr(language, column):
            return language
    return None


@cache
def _languages() -> tuple[Language, ...]:
    """All rows, each with the columns that it takes from the rows it is like."""
    languages = {row.name: row for row in read_rows(HERE / "languages.toml", "languages", Language)}
    return tuple(_fill_columns(language, languages) for language in languages.values())


def _fill_columns(language: Language, languages: dict[str, Language]) -> Language:
    """The row with what stands in those that its `..._like` columns name; its own keys of `syntax` count first."""
    columns: dict[str, object] = {}
    if language.definitions_like:
        columns["definitions"] = languages[language.definitions_like].definitions
    if language.lines_like:
        columns["lines"] = languages[language.lines_like].lines
    if language.syntax_like and (shared := languages[language.syntax_like].syntax):
        own = language.syntax.model_dump(exclude_unset=True) if language.syntax else {}
        columns["syntax"] = shared.model_copy(update=own)
    return language.model_copy(update=columns)


@cache
def _compile(patterns: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern) for pattern in patterns)
