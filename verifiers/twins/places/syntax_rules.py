"""What the files in `rules/` say: how tests and their assertions read in the languages that have a grammar here.

Each file is one family of languages; its queries name what they find:
    tests       `@test`, its `@name`, its `@body`, where a failing statement may stand; `@group`, named around tests
                `@program`, a function that belongs to no named test: the file as a whole is one
    values      `@expected` values, of which the last that is written out is altered; or `@tokens`, a bracket of such
    reversals   `@at`, the text that another takes the place of
"""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path, PurePosixPath

from pydantic import Field
from tree_sitter import Language, Parser, Query

from crucible.datafile import read_file
from crucible.domains.code.languages import Syntax, syntax_of
from crucible.record import Record

RULES = Path(__file__).parent / "rules"


class Values(Record):
    """Where expected values stand."""

    query: str
    near: bool = False
    """The value only has to do with what is expected, or may."""
    equal: str = ""
    """Assertions of equality, by `@subject` and `@matcher`: an expected value that is not written out becomes another
    one there, by `other`."""


class Reversal(Record):
    """Where a condition stands, and what turns it round: one of `words`, `one_of` several texts, or `text`."""

    query: str
    text: str = ""
    """With names of captures in braces: `!({at})`."""
    words: dict[str, str] = Field(default_factory=dict)
    one_of: tuple[str, ...] = ()
    """Of which one is chosen that is not there already: always the same would give a twin away."""
    needs: str = ""
    """What must be found in the file, with `{word}` for the new word: another name may have to be imported."""
    is_bound: bool = False
    """What is turned is the sign of a bound, which tells right code from what says yes to every comparison."""


class Failing(Record):
    """A statement that fails, for files in which `like` is found: it shall look like the file's own assertions."""

    like: str = ""
    text: str
    """With `{low}` and `{high}` for two different numbers."""


class Rules(Record):
    """One file in `rules/`."""

    suffixes: tuple[str, ...]
    grammar: str = ""
    """The Python module that holds the grammar, where the table of languages names none."""
    tests: str = ""
    before_tests: tuple[str, ...] = ()
    """What belongs to a test though it stands before it: attributes, comments."""
    whole_files: bool = False
    """Whether a file without a named test is one test."""
    variables: str = ""
    """Finds each `@name` that is given a `@value`."""
    values: tuple[Values, ...] = ()
    reversals: tuple[Reversal, ...] = ()
    claims: str = ""
    """Finds each `@claim`: a condition that is asserted whole, and holds no more within `!(...)`."""
    equal: str = ""
    """Found in statements that assert equality: with another value the opposite holds."""
    failing: tuple[Failing, ...] = ()
    numbers: tuple[str, ...]
    texts: tuple[str, ...]
    """The insides of strings."""
    strings: tuple[str, ...]
    """Whole strings: altered where they are empty."""
    quoted: tuple[str, ...] = ()
    """Strings and characters whose inside is no part of its own."""
    words: tuple[str, ...]
    containers: tuple[str, ...] = ()
    """What expressions that are written out may hold besides values."""
    empty: dict[str, str] = Field(default_factory=dict)
    """What stands for a container without an element: `[0]` for `[]`."""
    made_by: str = ""
    """The names of the language's own types: what they make of written-out values is an expected value as well."""
    other: tuple[str, ...] = ()
    """Expressions for another value of the same kind than `{value}` has when the test runs."""


class Grammar:
    """A grammar, with the queries that are asked of it. The parser belongs to one call: it is not safe in threads."""

    def __init__(self, language: Language) -> None:
        self.parser = Parser(language)
        self._language = language

    def query(self, source: str) -> Query:
        """The compiled query."""
        return _compile_query(self._language, source)


def rules_for(path: str) -> Rules | None:
    """The rules for this file's language, if there are any."""
    suffix = PurePosixPath(path).suffix
    return next((rules for rules in _all_rules() if suffix in rules.suffixes), None)


def load_grammar(path: str) -> Grammar | None:
    """The grammar of this file's language, if there is one."""
    rules = rules_for(path)
    syntax = Syntax(grammar=rules.grammar) if rules and rules.grammar else syntax_of(path)
    if syntax is None:
        return None
    return Grammar(_load_language(syntax.grammar, syntax.entry))


@cache
def _load_language(module: str, entry: str) -> Language:
    return Language(getattr(importlib.import_module(module), entry)())


@cache
def _compile_query(language: Language, source: str) -> Query:
    """The query, compiled once: for some grammars this takes a tenth of a second."""
    return Query(language, source)


@cache
def _all_rules() -> tuple[Rules, ...]:
    return tuple(read_file(file, Rules) for file in sorted(RULES.glob("*.toml")))
