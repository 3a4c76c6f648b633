"""Places where an assertion can be altered, in languages that have a tree-sitter grammar, by the files in `rules/`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from tree_sitter import Node

from crucible.domains.code.syntax_trees import node_text, walk_nodes
from verifiers.twins.places.place import (
    ENCLOSED,
    INVERSION,
    NEAR_VALUE,
    REVERSAL,
    SWAP,
    VALUE,
    Draft,
    Place,
    Text,
    pick_expected,
)
from verifiers.twins.places.syntax_file import Captures, SyntaxFile, read_syntax
from verifiers.twins.places.syntax_rules import Failing, Reversal, Values
from verifiers.twins.values.literals import alter_characters, alter_number, alter_string, alter_word, has_days

MADE_TRIES = 5
"""How often other values are looked for in what a type makes of them."""
MOST_LEAVES = 6
"""How many values within one expected list or mapping are altered, each by a candidate of its own: code may solve all
members but one."""


def find_places(draft: Draft) -> list[Place]:
    """Every alteration of an assertion in the tests of a file that still parses; none where no rules are known."""
    file = read_syntax(draft.path, draft.text)
    if file is None:
        return []
    reader = _Reader(draft, file)
    found = list(reader.read())
    tested = {place.test for place in found}
    return [place for place in [*found, *reader.invert(tested)] if reader.parses_with(place)]


def find_texts(draft: Draft) -> list[Text]:
    """The texts in the tests of a file, without their quotes; none where no rules are known."""
    file = read_syntax(draft.path, draft.text)
    return list(_Reader(draft, file).list_texts()) if file else []


def find_handed(draft: Draft) -> list[Text]:
    """What the tests of a file hand to functions where all of it is written out; none where no rules are known."""
    file = read_syntax(draft.path, draft.text)
    return list(_Reader(draft, file).list_handed()) if file else []


class _Reader:
    """Reads the assertions of one file."""

    def __init__(self, draft: Draft, file: SyntaxFile) -> None:
        self._draft = draft
        self._file = file
        self._rules = file.rules
        self._variables = {
            node_text(captures["name"][0]): captures["value"][0] for captures in file.match(file.rules.variables)
        }

    def read(self) -> Iterator[Place]:
        """The alterations of the tests' assertions."""
        for values in self._rules.values:
            for captures in self._file.match(values.query):
                yield from self._alter_match(captures, values)
        for reversal in self._rules.reversals:
            for captures in self._file.match(reversal.query):
                yield from self._reverse(captures, reversal)

    def list_texts(self) -> Iterator[Text]:
        """Where texts stand in tests."""
        for node in walk_nodes(self._file.root):
            if node.type in self._rules.texts:
                yield from (Text(*place[:2], place.test) for place in self._place(node, "", VALUE))

    def list_handed(self) -> Iterator[Text]:
        """Where values alone are handed to functions."""
        for node in walk_nodes(self._file.root):
            handed = node.child_by_field_name("arguments")
            if handed and handed.named_children and all(map(self._is_written_out, _list_arguments(node))):
                called = self._file.data[node.start_byte : handed.start_byte].decode()
                yield from (Text(*place[:2], place.test, called) for place in self._place(handed, "", VALUE))

    def invert(self, tested: set[str]) -> Iterator[Place]:
        """For each test that no other alteration was found for: what its statements seem to hand to helpers as
        expected, and a failing statement at its end."""
        failing = next((row for row in self._rules.failing if re.search(row.like, self._draft.text)), None)
        for test in self._file.tests:
            name = self._file.name_at(test.node)
            if test.is_test and test.body and name not in tested:
                for statement in test.body.named_children:
                    expected = pick_expected(_list_arguments(statement), self._is_written_out, _has_call)
                    yield from self._alter_leaves(expected, NEAR_VALUE)
                if failing:
                    yield self._invert_test(test.body, name or "", failing)

    def parses_with(self, place: Place) -> bool:
        """Whether the file has no more syntax errors with the alteration than without."""
        text = self._draft.text
        return self._file.parses(text[: place.start] + place.text + text[place.end :])

    def _alter_match(self, captures: Captures, values: Values) -> Iterator[Place]:
        """The values in the part that is written out; where none is, the last part is put into a list, and those are
        altered that it is made of."""
        parts = [[self._resolve(node)] for node in captures.get("expected", ())]
        parts += [part for bracket in captures.get("tokens", ()) for part in _split_tokens(bracket)][:2]
        written = [part for part in parts if all(map(self._is_written_out, part))]
        made = [part[0] for part in parts if len(part) == 1 and self._is_written_out(part[0], by_types=True)]
        if written:
            yield from self._alter_leaves(written[-1], NEAR_VALUE if values.near else VALUE)
        elif made:
            yield from self._alter_made(made[-1])
        elif parts:
            yield from self._make_other(captures, values)
            yield from self._alter_leaves(parts[-1], NEAR_VALUE)

    def _alter_made(self, node: Node) -> Iterator[Place]:
        """What a type of the language makes of other values, as a whole: what is within is no text of its own, and not
        every text is a day."""
        start, source = self._file.offset(node.start_byte), node_text(node)
        leaves = [place for _ in range(MADE_TRIES) for place in self._alter_leaves([node], VALUE)]
        texts = (source[: leaf.start - start] + leaf.text + source[leaf.end - start :] for leaf in leaves)
        for text in list(dict.fromkeys(filter(has_days, texts)))[:MOST_LEAVES]:
            yield from self._place(node, text, VALUE)

    def _make_other(self, captures: Captures, values: Values) -> Iterator[Place]:
        """Another value of the same kind as one that is not written out, made as the test runs. Who returns what it
        finds there returns that as well."""
        call = ".".join(node_text(captures[name][0]) for name in ("subject", "matcher") if name in captures)
        is_equality = values.equal and re.search(values.equal, call)
        for last in captures.get("expected", ())[-1:] if is_equality else ():
            for other in self._rules.other:
                yield from self._place(last, other.replace("{value}", node_text(last)), ENCLOSED)

    def _reverse(self, captures: Captures, reversal: Reversal) -> Iterator[Place]:
        """What turns a condition round in the place of what was found."""
        text = self._file.reverse(captures, reversal, self._draft.random)
        if text is not None:
            yield from self._place(captures["at"][0], text, ENCLOSED if reversal.is_bound else REVERSAL)

    def _resolve(self, node: Node) -> Node:
        """What a variable was given, where that is written out and stands in the same test."""
        value = self._variables.get(node_text(node))
        if value is None or not self._is_written_out(value) or self._file.name_at(value) != self._file.name_at(node):
            return node
        return value

    def _is_written_out(self, node: Node, by_types: bool = False) -> bool:
        """Whether an expression consists of values alone, or of what types of the language make of such."""
        rules = self._rules
        known = {
            *rules.numbers,
            *rules.texts,
            *rules.strings,
            *rules.quoted,
            *rules.words,
            *rules.containers,
            "escape_sequence",
        }
        waiting, found = [node], False
        while waiting:
            inner = waiting.pop()
            if by_types and (handed := self._list_handed(inner)):
                waiting += handed
                continue
            if inner.is_named and inner.type not in known:
                return False
            found = found or inner.is_named or inner.type in known
            waiting += inner.children
        return found

    def _list_handed(self, node: Node) -> list[Node]:
        """What is handed to a type of the language that an expression calls; nothing where it calls something else."""
        called = node.child_by_field_name("constructor") or node.child_by_field_name("function")
        if called is None or not re.fullmatch(self._rules.made_by, node_text(called)):
            return []
        return _list_arguments(node)

    def _alter_leaves(self, nodes: Sequence[Node], rank: int) -> Iterator[Place]:
        """A few of the values within an expression, each replaced by another; two that differ exchanged."""
        leaves = [(leaf, text) for node in nodes for leaf in walk_nodes(node) if (text := self._alter_leaf(leaf))]
        if rank == VALUE:
            yield from self._swap_leaves([leaf for leaf, _ in leaves])
        self._draft.random.shuffle(leaves)
        for leaf, text in leaves[:MOST_LEAVES]:
            yield from self._place(leaf, text, rank)

    def _swap_leaves(self, leaves: Sequence[Node]) -> Iterator[Place]:
        """The first two neighbours of one kind that differ, each in the other's place."""
        for one, other in pairwise(leaves):
            if one.type == other.type and node_text(one) != node_text(other) and one.end_byte <= other.start_byte:
                between = self._file.data[one.end_byte : other.start_byte].decode()
                name = self._file.name_at(one)
                if name is not None:
                    start, end = self._file.offset(one.start_byte), self._file.offset(other.end_byte)
                    yield Place(start, end, node_text(other) + between + node_text(one), name, SWAP)
                return

    def _alter_leaf(self, leaf: Node) -> str:
        """What stands for a value; empty for what is none."""
        rules, text = self._rules, node_text(leaf)
        if leaf.type in rules.texts:
            return alter_characters(text, self._draft.random)
        if leaf.type in rules.quoted:
            return alter_string(text, self._draft.random)
        if leaf.type in rules.numbers:
            return alter_number(text, self._draft.random)
        if leaf.type in rules.words:
            return alter_word(text)
        if leaf.type in rules.strings and not leaf.named_children and len(text) == 2:
            return text[0] + alter_characters("", self._draft.random) + text[1]
        return rules.empty.get(leaf.type, "") if not leaf.named_children else ""

    def _invert_test(self, body: Node, name: str, failing: Failing) -> Place:
        """A failing statement before the bracket that closes a test, indented as the statement before it."""
        inner = body.named_children[-1:] or [body]
        line = self._file.data.rfind(b"\n", 0, inner[0].start_byte) + 1
        indent = re.match(rb"[ \t]*", self._file.data[line:])
        low, high = self._draft.random.sample(range(2, 99), 2)
        at = self._file.offset(inner[0].end_byte if body.named_children else body.start_byte + 1)
        text = failing.text.replace("{low}", str(low)).replace("{high}", str(high))
        return Place(at, at, f"\n{indent[0].decode() if indent else ''}{text}", name, INVERSION)

    def _place(self, node: Node, text: str, rank: int) -> Iterator[Place]:
        name = self._file.name_at(node)
        if name is not None:
            yield Place(self._file.offset(node.start_byte), self._file.offset(node.end_byte), text, name, rank)


def _list_arguments(statement: Node) -> list[Node]:
    """What a statement that is one call hands over."""
    node: Node | None = statement
    while node is not None:
        handed = node.child_by_field_name("arguments")
        if handed is not None:
            return [each.named_children[-1] if each.type == "argument" else each for each in handed.named_children]
        node = node.named_children[0] if len(node.named_children) == 1 else None
    return []


def _has_call(node: Node) -> bool:
    """Whether something is called within an expression."""
    return any(inner.child_by_field_name("arguments") is not None for inner in walk_nodes(node))


def _split_tokens(bracket: Node) -> list[list[Node]]:
    """What stands between the commas of a bracket, or on either side of `==`."""
    parts: list[list[Node]] = [[]]
    for child in bracket.children[1:-1]:
        if child.type in (",", "=="):
            parts.append([])
        else:
            parts[-1].append(child)
    return [part for part in parts if part]
