"""What Go's tests expect: the rows that a change adds to their tables, or the test itself where all of it is new. Pure.

Go has no assertions: a condition, and what is compared in it, stand lines apart from the message. A table is a literal
of structs; its rows are told with the names of their fields where they do not name them. What is put into a mere list
is told with the list's name, where there is nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from textwrap import dedent
from typing import NamedTuple

FUNCTION = re.compile(r"func\s+(?:\([^)]*\)\s*)?(\w+)\(")
TABLE = re.compile(r"(?:\]|\bmap\[\w+\])\*?(?:struct\s*\{\s*$|\w+\{\s*$)")
MAP = re.compile(r"map\[\w+\](?:\[\])?(?:string|int|byte|rune|bool|float64|any)\{\s*$")
"""What a test puts in, not what it goes through."""
FIELDS = re.compile(r"\s*((?:\w+,\s*)*\w+)\s+\S")
LIST = re.compile(r"\s*(?:var\s+)?(\w+)\s*:?=")
ROW, PLAIN = re.compile(r"(?:[\w\"'`.:-]+:\s*)?\{."), re.compile(r"[\"'`\d-]")
BASIC = ("string{", "int{", "byte{", "rune{", "bool{", "float64{")
QUOTED = re.compile(r"""(["'`])(?:\\.|(?!\1).)*\1""")
LONGEST, MOST_LINES = 200, 12
SHORT = 40
"""Lines of a test that is shown whole."""
MOST_PARTS = 4


class Row(NamedTuple):
    """A row of a table."""

    text: str
    number: int
    is_fresh: bool
    """Whether all of its lines are new."""


def shown(source: str, failing: Collection[str], fresh: Collection[str]) -> Iterator[str]:
    """Tests that are new, of others the rows of their tables, else what lists hold, where nothing else is new."""
    functions = {name.partition("/")[0] for name in failing}
    new = dict(bodies(source, functions, fresh))
    grown = [name for name in failing if name.partition("/")[0] not in new]
    found = [*(f"// {name}\n{body}" for name, body in new.items()), *_named(source, grown, fresh)]
    yield from found or (rows(source, functions, fresh, PLAIN) if all(map(PLAIN.match, fresh)) else ())


def _named(source: str, failing: Collection[str], fresh: Collection[str]) -> Iterator[str]:
    """The rows of each test after its name: those that are known to fail, be they new or not, else the new ones."""
    told = ""
    for function, table in _tables(source, {name.partition("/")[0] for name in failing}):
        parts = [name.split("/")[1:] for name in sorted(failing) if name.startswith(f"{function}/")]
        found = list(_within(table, fresh, ROW))
        fails = [row for row in found if _fails(row, {part[0] for part in parts})]
        new = [row for row in found if row.is_fresh]
        for row in [row for row in fails if row.is_fresh] or fails or new:
            yield row.text if function in ("", told) else f"// {_headed(function, parts)}\n{row.text}"
            told = function


def _fails(row: Row, parts: Collection[str]) -> bool:
    """Whether a failing part of the test goes by the row's number or by a text in it."""
    texts = {found[0][1:-1].replace(" ", "_") for found in QUOTED.finditer(row.text)}
    return f"#{row.number:02}" in parts or not texts.isdisjoint(parts)


def _headed(function: str, parts: Sequence[Sequence[str]]) -> str:
    """The test's name, with what fails of each row where a row has several parts."""
    within = dict.fromkeys("/".join(part[1:]) for part in parts if len(part) > 1)
    last = [one for one in within if not any(other.startswith(f"{one}/") for other in within)]
    return f"{function}: {', '.join(last)}" if 0 < len(last) <= MOST_PARTS else function


def bodies(source: str, functions: Collection[str], fresh: Collection[str]) -> Iterator[tuple[str, str]]:
    """What these functions do, those that are new, by their names; of a long one, how it begins."""
    lines = source.splitlines()
    for at, line in enumerate(lines):
        named = FUNCTION.match(line)
        if named and named[1] in functions and "}" in lines[at:]:
            body = lines[at + 1 : lines.index("}", at)]
            if body and _is_fresh([line, *body], fresh):
                rest = ["\t..."] if len(body) > SHORT else []
                yield named[1], dedent("\n".join([*body[:SHORT], *rest]).expandtabs(4))


def rows(
    source: str, functions: Collection[str], fresh: Collection[str], looks: re.Pattern[str] = ROW
) -> Iterator[str]:
    """The rows with a line among the fresh ones, in these functions and outside of all."""
    for _, table in _tables(source, functions):
        yield from (row.text for row in _within(table, fresh, looks) if row.is_fresh)


def _tables(source: str, functions: Collection[str]) -> Iterator[tuple[str, Sequence[str]]]:
    """Each table in these functions, with the function's name, and outside of all."""
    lines, at, function = source.splitlines(), 0, ""
    while at < len(lines):
        if named := FUNCTION.match(lines[at]):
            function = named[1]
        elif lines[at].startswith("}"):
            function = ""
        if (not function or function in functions) and TABLE.search(lines[at]) and not MAP.search(lines[at]):
            end = at + len(_closed(lines[at:], len(lines)))
            yield function, lines[at:end]
            at = end
        at += 1


def _within(table: Sequence[str], fresh: Collection[str], looks: re.Pattern[str]) -> Iterator[Row]:
    fields, at = _fields(table)
    number = 0
    while at < len(table):
        row = _closed(table[at:], MOST_LINES)
        text = " ".join(line.strip() for line in row).rstrip(",")
        if looks.match(text):
            named = re.match(r"\{\s*\w+:\s", text) or not fields
            if len(text) <= LONGEST:
                yield Row(text if named else f"{fields}: {text}", number, _is_fresh(row, fresh))
            number += 1
        at += max(len(row), 1)


def _is_fresh(row: Sequence[str], fresh: Collection[str]) -> bool:
    telling = [line.strip() for line in row if re.search(r"\w", line)]
    return bool(telling) and all(line in fresh for line in telling)


def _fields(table: Sequence[str]) -> tuple[str, int]:
    """The names of a row's fields, and where the rows begin."""
    if "struct" not in table[0]:
        return (named[1] if (named := LIST.match(table[0])) and table[0].rstrip().endswith(BASIC) else ""), 1
    names: list[str] = []
    for at, line in enumerate(table[1:], 1):
        if re.match(r"\s*\}\s*\{", line):
            return ", ".join(names), at + 1
        if found := FIELDS.match(line):
            names.append(found[1])
    return "", len(table)


def _closed(lines: Sequence[str], most: int) -> Sequence[str]:
    """From a line to the one that closes its brackets; a struct's type is followed by its value."""
    depth = 0
    for place, line in enumerate(lines[:most]):
        bare = QUOTED.sub("", line)
        depth += sum(bare.count(sign) for sign in "([{") - sum(bare.count(sign) for sign in ")]}")
        if depth <= 0:
            return lines[: place + 1]
    return lines[:1]
