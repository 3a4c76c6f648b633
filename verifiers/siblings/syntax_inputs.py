"""Alters what a test hands to the code under test, in languages that have a grammar: the text of a sibling is read, and
written again with other values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from tree_sitter import Node

from crucible.domains.code.siblings import Kind
from crucible.domains.code.syntax_trees import node_text, walk_nodes
from verifiers.siblings.plan import MARK, SAME
from verifiers.siblings.syntax_rules import SiblingRules
from verifiers.siblings.values import ValueAlterer
from verifiers.twins.places.syntax_file import SyntaxFile, read_syntax

WHOLE = re.compile(r"0|[1-9]\d*")
PART = re.compile(r"\d+\.\d+")
NAMES = ("identifier", "field_identifier")
HOLDERS = ("array", "literal_value", "hash", "string_array", "array_creation_expression")
"""The kinds of node whose children are rows."""
ELEMENT = "literal_element"
"""What Go's grammar puts around each value in brackets."""


def alter_inputs(
    path: str, text: str, rules: SiblingRules, kind: Kind, random: Random, is_alone: bool = False
) -> str | None:
    """The text with other values, or one other value; None where it is no longer one that can be read."""
    for before, after in rules.around:
        file = read_syntax(path, before + text + after)
        if file is not None and not file.root.has_error:
            made = file.text if kind == SAME else _write_other(file, rules, kind, random, is_alone)
            return made[len(before) : len(made) - len(after)]
    return None


def _write_other(file: SyntaxFile, rules: SiblingRules, kind: Kind, random: Random, is_alone: bool) -> str:
    """The file with other values, or one other value."""
    alone = None
    if is_alone:
        known = ValueAlterer(kind, random)
        _InputWriter(file, rules, known).write()
        alone = known.pick_altered(random)
    return _InputWriter(file, rules, ValueAlterer(kind, random, alone)).write()


def resolve_table(file: SyntaxFile, table: Node) -> Node:
    """What a table's name was given, in the same test or outside of all; the table itself where it is no name."""
    if table.type not in NAMES:
        return table
    given = [
        captures["value"][0]
        for captures in file.match(file.rules.variables)
        if node_text(captures["name"][0]) == node_text(table)
    ]
    own = file.name_at(table)
    near = [value for value in given if file.name_at(value) == own and value.start_byte < table.start_byte]
    far = [value for value in given if file.name_at(value) is None]
    return (near or far or [table])[-1]


def list_rows(table: Node) -> list[Node]:
    """The rows of a table that is written out."""
    inner = table.child_by_field_name("body") or table
    return [row for row in inner.named_children if "comment" not in row.type] if inner.type in HOLDERS else []


class _InputWriter:
    """Writes one file again with other values."""

    def __init__(self, file: SyntaxFile, rules: SiblingRules, values: ValueAlterer) -> None:
        self._file = file
        self._rules = rules
        self._values = values
        self._lists = {captures["list"][0].id for captures in file.match(rules.lists)}
        found = list(file.match(rules.kept))
        cells = [cell.id for captures in file.match(rules.tables) for cell in self._list_cells(captures)]
        self._kept = {node.id for captures in found for node in captures.get("kept", ())}
        self._kept |= {node.id for captures in found for node in captures.get("key", ()) if node.id not in cells}
        self._kept |= {node.id for captures in file.match(rules.tables) for node in self._list_expected(captures)}

    def write(self) -> str:
        """The text."""
        root = self._file.root
        return self._read(0, root.start_byte) + self._render(root) + self._read(root.end_byte, len(self._file.data))

    def _read(self, start: int, end: int) -> str:
        return self._file.data[start:end].decode()

    def _list_cells(self, captures: dict[str, list[Node]]) -> Iterator[Node]:
        """What stands in the rows of a table."""
        for row in list_rows(resolve_table(self._file, captures["table"][0])):
            yield from _unwrap(row).named_children

    def _list_expected(self, captures: dict[str, list[Node]]) -> Iterator[Node]:
        """What rows say of what is expected."""
        named = [node for top in captures.get("columns", ()) for node in walk_nodes(top) if node.type in NAMES]
        columns = [node_text(node) for node in named]
        for row in list_rows(resolve_table(self._file, captures["table"][0])):
            cells = _unwrap(row).named_children
            if len(cells) == len(columns):
                yield from (cell for cell, name in zip(cells, columns, strict=True) if self._rules.is_expected(name))

    def _render(self, node: Node) -> str:
        """The text of a node with other values."""
        if node.id in self._kept:
            return node_text(node)
        altered = self._alter_value(node)
        if altered is not None:
            return altered
        members = node.named_children if node.id in self._lists and self._is_written_out(node) else []
        if len(members) > 1 and self._values.rearrange(members) != members:
            inner = ", ".join(self._values.rearrange([self._render(member) for member in members]))
            start, end = members[0].start_byte, members[-1].end_byte
            return self._read(node.start_byte, start) + inner + self._read(end, node.end_byte)
        made, at = "", node.start_byte
        for child in node.children:
            made += self._read(at, child.start_byte) + self._render(child)
            at = child.end_byte
        return made + self._read(at, node.end_byte)

    def _alter_value(self, node: Node) -> str | None:
        """Another number or text; None for what is none."""
        rules, text = self._file.rules, node_text(node)
        if node.type in rules.numbers:
            if not (WHOLE.fullmatch(text) or PART.fullmatch(text)):
                return text
            number = int(text) if WHOLE.fullmatch(text) else float(text)
            return str(self._values.alter_number(number))
        if node.type in rules.texts and MARK not in text:
            return self._values.alter_text(text)
        return None

    def _is_written_out(self, node: Node) -> bool:
        rules = self._file.rules
        known = {*rules.numbers, *rules.texts, *rules.strings, *rules.quoted, *rules.words, *rules.containers}
        known |= {"escape_sequence", *self._rules.values}
        return all(each.type in known for each in walk_nodes(node) if each.is_named)


def _unwrap(row: Node) -> Node:
    return row.named_children[0] if row.type == ELEMENT and row.named_children else row
