"""Tests in languages that have a grammar, as copies need them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from tree_sitter import Node

from crucible.domains.code.syntax_trees import node_text, walk_nodes
from crucible.domains.code.twins import Twin
from verifiers.twins.copies.rows import pick_rows
from verifiers.twins.copies.text import Edit
from verifiers.twins.places.syntax_file import SyntaxFile, Test, read_syntax

HOLDERS = re.compile(r"block|body|compound_statement|(statement|declaration)_list|program|source_file|translation_unit")
"""The kinds of node whose children are statements or members of a class."""
QUOTES = "\"'`"


class Turn(NamedTuple):
    """What turns an assertion of equality round: the number of the rule that says so, the statement, and the edit."""

    rule: int
    statement: tuple[int, int]
    edit: Edit


class SyntaxTests:
    """The tests of one file; none where no rules are known for its language."""

    def __init__(self, path: str, text: str) -> None:
        self._file = read_syntax(path, text)
        self._turns = list(_find_turns(self._file)) if self._file else []
        self._claims = list(_find_claims(self._file)) if self._file else []

    def deny(self, twin: Twin) -> tuple[Edit, ...]:
        """What makes the assertion that holds an altered value hold with right code; nothing where it is not known."""
        around = [claim for claim in self._claims if claim.start <= twin.start and twin.end <= claim.end]
        if around:
            claim = min(around, key=lambda each: each.end - each.start)
            return Edit(claim.start, claim.start, "!("), Edit(claim.end, claim.end, ")")
        turn = _turn_round(self._file, self._turns, twin) if self._file else None
        return (turn,) if turn else ()

    def find(self, name: str) -> SyntaxTest | None:
        """The test of this name; None where there is none, several, or one that has no name or no lines of its own."""
        file = self._file
        found = [test for test in file.tests if test.is_test and file.name_at(test.node) == name] if file else []
        if file is None or len(found) != 1 or not found[0].names:
            return None
        test = SyntaxTest(file, found[0], self._turns)
        return test if test.stands_alone else None


class SyntaxTest:
    """A function, method or call that is a test, in the text of its file."""

    stands_alone: bool
    """Whether nothing else stands on its first and its last line."""

    def __init__(self, file: SyntaxFile, test: Test, turns: Sequence[Turn]) -> None:
        self._file = file
        self._turns = turns
        named = test.names[-1]
        whole = self._whole = _climb(test.node)
        first = min(whole, _climb(named), key=lambda node: node.start_byte)  # TEST_CASE("adds") stands before its block
        self.stands_alone = _stands_alone(file.data, first, whole)
        while (before := first.prev_named_sibling) and before.type in file.rules.before_tests:
            first = before
        self.start = file.text.rfind("\n", 0, file.offset(first.start_byte)) + 1
        end = file.text.find("\n", file.offset(whole.end_byte))
        self.end = end if end >= 0 else len(file.text)
        quotes = len(node_text(named)) - len(node_text(named).lstrip(QUOTES))
        inner = file.offset(named.start_byte) + quotes, file.offset(named.end_byte) - quotes
        self.name = Edit(*inner, file.text[inner[0] : inner[1]])

    def turn(self, twin: Twin) -> Edit | None:
        """The opposite of the assertion, by the first rule that has one, nearest to the place."""
        return _turn_round(self._file, self._turns, twin)

    def list_rows(self, twins: Sequence[Twin]) -> dict[int, Edit]:
        """Rows of whatever is parted by commas and has commas in its parts, but for what is handed to a function."""
        file = self._file
        lists = [
            node
            for node in walk_nodes(self._whole)
            if "argument" not in node.type
            and any(child.type == "," for child in node.children)
            and all(any(inner.type == "," for inner in walk_nodes(row)) for row in _list_rows(node))
        ]
        rows = [
            [(file.offset(row.start_byte), file.offset(row.end_byte)) for row in _list_rows(table)] for table in lists
        ]
        return pick_rows(file.text, rows, twins)


def _list_rows(table: Node) -> list[Node]:
    return [row for row in table.named_children if "comment" not in row.type]


def _turn_round(file: SyntaxFile, turns: Sequence[Turn], twin: Twin) -> Edit | None:
    node = file.root.descendant_for_byte_range(file.byte(twin.start), file.byte(twin.end))
    statement = _span(_climb(node)) if node else None
    edits = [(turn.rule, turn.edit) for turn in turns if turn.statement == statement]
    apart = [(rule, edit) for rule, edit in edits if edit.end <= twin.start or twin.end <= edit.start]
    return min(apart, key=lambda each: (each[0], abs(each[1].start - twin.start)))[1] if apart else None


def _find_claims(file: SyntaxFile) -> Iterator[Edit]:
    for captures in file.match(file.rules.claims):
        claim = captures["claim"][0]
        yield Edit(file.offset(claim.start_byte), file.offset(claim.end_byte), node_text(claim))


def _find_turns(file: SyntaxFile) -> Iterator[Turn]:
    equal = re.compile(file.rules.equal)
    for rule, reversal in enumerate(file.rules.reversals):
        for captures in file.match(reversal.query) if not (reversal.one_of or reversal.is_bound) else ():
            at = captures["at"][0]
            statement = _climb(at)
            text = file.reverse(captures, reversal, Random(0))
            if text is not None and equal.search(node_text(statement)):
                yield Turn(rule, _span(statement), Edit(file.offset(at.start_byte), file.offset(at.end_byte), text))


def _climb(node: Node) -> Node:
    """The statement, or member of a class, that a node is part of."""
    while node.parent is not None and not HOLDERS.search(node.parent.type):
        node = node.parent
    return node


def _stands_alone(data: bytes, first: Node, last: Node) -> bool:
    """Whether nothing else stands on the lines where these begin and end."""
    before = data[: first.start_byte].rpartition(b"\n")[2].decode()
    after = data[last.end_byte :].partition(b"\n")[0].decode()
    return not before.strip() and re.fullmatch(r"\s*;?\s*((//|#).*)?", after) is not None


def _span(node: Node) -> tuple[int, int]:
    return node.start_byte, node.end_byte
