"""What the files in `rules/` say: what becomes of a test in one family of languages when it is made a sibling.

Queries name what they find; see the fields. The rules of `verifiers/twins/places/rules/` say what is a test, a number,
a text.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path, PurePosixPath

from pydantic import Field

from crucible.datafile import read_file
from crucible.record import Record

RULES = Path(__file__).parent / "rules"


class Claim(Record):
    """An assertion, and what stands in its place."""

    query: str
    """Finds the `@claim`, or the `@start` of one that goes on behind it, and in it an `@answer`, which may be the
    expected side of two, or a `@condition`."""
    like: str = ""
    """Found in the claim behind the answer."""
    expected_first: bool = False
    """Of two sides of which nothing tells which one is expected."""
    text: str
    """With {place} for the test and the place in it, {answer}, {claim}, or {condition}, in which answers are noted."""


class SiblingRules(Record):
    """One file in `rules/`."""

    suffixes: tuple[str, ...]
    recorder: str
    """The file that is laid in with siblings. In it PLACE stands for where it notes, and OPEN for the file system."""
    beside: str = ""
    """What it is called where it is a file of its own, with PACKAGE for the name of the tests' package."""
    files: dict[str, str] = Field(default_factory=dict)
    """What OPEN stands for, in files in which the key is found."""
    imports: dict[str, str] = Field(default_factory=dict)
    """What such a file needs besides."""
    first: str = ""
    """The first line of files that end in one of `typed`: what is added has no types."""
    typed: tuple[str, ...] = ()
    note: str
    """Notes an {answer} and gives it back."""
    truth: str = "{answer}"
    """What a condition that compares nothing says, yes or no."""
    claims: tuple[Claim, ...]
    joins: tuple[str, ...] = ("&&", "||", "!", "(", ")")
    """What joins conditions to one."""
    signs: tuple[str, ...] = ("==", "!=", "<", ">", "<=", ">=")
    comparing: str = "$^"
    """Functions that compare their first two arguments."""
    values: tuple[str, ...] = ()
    """What is written out besides numbers, texts and what they are in."""
    bodies: str = ""
    """Finds each `@body` within a test that runs apart from it."""
    around: tuple[tuple[str, str], ...] = (("", ""),)
    """What a test alone is put between to be read, in one of these ways."""
    before: str
    """At the beginning of a body, with {raised} for the place of what leaves the test; `after`: at its end."""
    after: str = ""
    tables: str = ""
    """Finds each `@table` of cases, of which one is taken, and the `@columns` of its rows."""
    columns: str
    """Names of what is expected in a row, and of what only names it."""
    lists: str = ""
    """Finds each `@list` whose members may stand in another order."""
    kept: str
    """Finds what is not altered: what is `@kept`, and each `@key` unless it is one of a row in a table."""

    def is_expected(self, text: str) -> bool:
        """Whether a variable or a column holds what is expected, or names a row."""
        return bool(re.fullmatch(self.columns, re.split(r"[.@]", text)[-1]))


def sibling_rules(path: str) -> SiblingRules | None:
    """The rules for this file's language, if there are any."""
    suffix = PurePosixPath(path).suffix
    return next((rules for rules in _all_rules() if suffix in rules.suffixes), None)


@cache
def _all_rules() -> tuple[SiblingRules, ...]:
    return tuple(read_file(file, SiblingRules) for file in sorted(RULES.glob("*.toml")))
