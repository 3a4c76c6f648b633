"""What Go's tests expect: the rows that a change adds to their tables, or the test itself where all of it is new. Pure.

Go has no assertions: a condition, and what is compared in it, stand lines apart from the message. A table is a literal
of structs; its rows are shown with the names of their fields where they do not name them. What is put into a mere list
is shown with the list's name, where there is nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from textwrap import dedent
from typing import NamedTuple

FUNCTION = re.compile(r"func\s+(?:\([^)]*\)\s*)?(\w+)\(")
# matches: func TestTrim(
TABLE = re.compile(r"(?:\]|\bmap\[\w+\])\*?(?:struct\s*\{\s*$|\w+\{\s*$)")
# matches: []struct {    []row{    map[string]row{
PLAIN_MAP = re.compile(r"map\[\w+\](?:\[\])?(?:string|int|byte|rune|bool|float64|any)\{\s*$")
# matches what a test puts in, not what it goes through: map[string]int{
FIELD_NAMES = re.compile(r"\s*((?:\w+,\s*)*\w+)\s+\S")
# matches: in, out string
FIELDS_END = re.compile(r"\s*\}\s*\{")
# matches the line between a struct's fields and its rows: }{
LIST_NAME = re.compile(r"\s*(?:var\s+)?(\w+)\s*:?=")
# matches: routes :=
STRUCT_ROW = re.compile(r"(?:[\w\"'`.:-]+:\s*)?\{.")
# matches: {".5", "0"}    "odd": {3}
PLAIN_VALUE = re.compile(r"[\"'`\d-]")
# matches the first sign of: "/b/*y"
NAMED_FIELD = re.compile(r"\{\s*\w+:\s")
# matches the beginning of: {in: "a", out: "b"}
BASIC_TYPES = ("string{", "int{", "byte{", "rune{", "bool{", "float64{")
"""How a list of plain values opens."""
QUOTED = re.compile(r"""(["'`])(?:\\.|(?!\1).)*\1""")
# matches: "it's }"
LETTER = re.compile(r"\w")
# matches: a
ROW_CHARS = 200
"""A longer row is not shown."""
ROW_LINES = 12
"""The brackets of a row have to be closed within so many lines."""
BODY_LINES = 40
"""Of a longer new test, only its beginning is shown."""
MOST_PARTS = 4
"""Where a row fails in more parts than this, they are not named."""


class Row(NamedTuple):
    """A row of a table."""

    text: str
    number: int
    is_fresh: bool
    """Whether all of its lines are new."""


def find_expectations(source: str, failing: Collection[str], fresh: Collection[str]) -> Iterator[str]:
    """Tests that are new, of others the rows of their tables; what lists hold, where nothing else is new. `failing` are
    names such as `TestTrim/odd`, `fresh` the lines that a change adds, without indentation."""
    functions = {name.partition("/")[0] for name in failing}
    new = dict(_new_bodies(source, functions, fresh))
    old = [name for name in failing if name.partition("/")[0] not in new]
    expectations = [*(f"// {name}\n{body}" for name, body in new.items()), *_find_failing_rows(source, old, fresh)]
    if not expectations and all(map(PLAIN_VALUE.match, fresh)):
        return find_fresh_rows(source, functions, fresh, PLAIN_VALUE)
    return iter(expectations)


def find_fresh_rows(
    source: str, functions: Collection[str], fresh: Collection[str], row_start: re.Pattern[str] = STRUCT_ROW
) -> Iterator[str]:
    """The rows of which all lines are among the fresh ones, in these functions and outside of all."""
    for _, table in _find_tables(source, functions):
        yield from (row.text for row in _read_rows(table, fresh, row_start) if row.is_fresh)


def _find_failing_rows(source: str, failing: Collection[str], fresh: Collection[str]) -> Iterator[str]:
    """The rows of each test after its name: those that are known to fail, be they new or not, else the new ones."""
    last_function = ""
    for function, table in _find_tables(source, {name.partition("/")[0] for name in failing}):
        parts = [name.split("/")[1:] for name in sorted(failing) if name.startswith(f"{function}/")]
        rows = list(_read_rows(table, fresh, STRUCT_ROW))
        new = [row for row in rows if row.is_fresh]
        fails = [row for row in rows if _is_named(row, {part[0] for part in parts})]
        for row in [row for row in fails if row.is_fresh] or fails or new:
            is_headed = function in ("", last_function)
            yield row.text if is_headed else f"// {_head_of(function, parts)}\n{row.text}"
            last_function = function


def _is_named(row: Row, parts: Collection[str]) -> bool:
    """Whether a failing part of the test goes by the row's number or by a text in it."""
    texts = {match[0][1:-1].replace(" ", "_") for match in QUOTED.finditer(row.text)}
    return f"#{row.number:02}" in parts or not texts.isdisjoint(parts)


def _head_of(function: str, parts: Sequence[Sequence[str]]) -> str:
    """The test's name, with what fails of each row where a row has several parts."""
    inner = dict.fromkeys("/".join(part[1:]) for part in parts if len(part) > 1)
    last = [part for part in inner if not any(other.startswith(f"{part}/") for other in inner)]
    return f"{function}: {', '.join(last)}" if 0 < len(last) <= MOST_PARTS else function


def _new_bodies(source: str, functions: Collection[str], fresh: Collection[str]) -> Iterator[tuple[str, str]]:
    """What these functions do, those that are new, by their names; of a long one, how it begins."""
    lines = source.splitlines()
    for place, line in enumerate(lines):
        function = FUNCTION.match(line)
        if function and function[1] in functions and "}" in lines[place:]:
            body = lines[place + 1 : lines.index("}", place)]
            if body and _is_fresh([line, *body], fresh):
                rest = ["\t..."] if len(body) > BODY_LINES else []
                yield function[1], dedent("\n".join([*body[:BODY_LINES], *rest]).expandtabs(4))


def _find_tables(source: str, functions: Collection[str]) -> Iterator[tuple[str, Sequence[str]]]:
    """Each table in these functions, with the function's name, and outside of all."""
    lines, place, function = source.splitlines(), 0, ""
    while place < len(lines):
        line = lines[place]
        if head := FUNCTION.match(line):
            function = head[1]
        elif line.startswith("}"):
            function = ""
        if (not function or function in functions) and TABLE.search(line) and not PLAIN_MAP.search(line):
            end = place + len(_close_brackets(lines[place:], len(lines)))
            yield function, lines[place:end]
            place = end
        place += 1


def _read_rows(table: Sequence[str], fresh: Collection[str], row_start: re.Pattern[str]) -> Iterator[Row]:
    """The rows of a table that begin so and are not long, each on one line with the names of its fields."""
    fields, place = _field_names(table)
    number = 0
    while place < len(table):
        lines = _close_brackets(table[place:], ROW_LINES)
        text = " ".join(line.strip() for line in lines).rstrip(",")
        if row_start.match(text):
            names_fields = NAMED_FIELD.match(text) or not fields
            if len(text) <= ROW_CHARS:
                yield Row(text if names_fields else f"{fields}: {text}", number, _is_fresh(lines, fresh))
            number += 1
        place += max(len(lines), 1)


def _is_fresh(lines: Sequence[str], fresh: Collection[str]) -> bool:
    """Whether every line with a word in it is new."""
    with_words = [line.strip() for line in lines if LETTER.search(line)]
    return bool(with_words) and all(line in fresh for line in with_words)


def _field_names(table: Sequence[str]) -> tuple[str, int]:
    """The names of a row's fields, of a mere list the list's own name; and the place where the rows begin."""
    if "struct" not in table[0]:
        name = LIST_NAME.match(table[0])
        return (name[1] if name and table[0].rstrip().endswith(BASIC_TYPES) else ""), 1
    names: list[str] = []
    for place, line in enumerate(table[1:], 1):
        if FIELDS_END.match(line):
            return ", ".join(names), place + 1
        if fields := FIELD_NAMES.match(line):
            names.append(fields[1])
    return "", len(table)


def _close_brackets(lines: Sequence[str], most: int) -> Sequence[str]:
    """The lines up to the one that closes the brackets of the first; the first alone where none of so many does. A
    struct's type is followed by its value."""
    depth = 0
    for place, line in enumerate(lines[:most]):
        bare = QUOTED.sub("", line)
        depth += sum(bare.count(sign) for sign in "([{") - sum(bare.count(sign) for sign in ")]}")
        if depth <= 0:
            return lines[: place + 1]
    return lines[:1]
