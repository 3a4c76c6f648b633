"""A test file as its grammar reads it: its tests, what they are called, and where things stand in its text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from tree_sitter import Node, QueryCursor

from crucible.domains.code.syntax_trees import node_text, walk_nodes
from verifiers.twins.places.syntax_rules import Grammar, Reversal, Rules, load_grammar, rules_for

Captures = dict[str, list[Node]]


class Test(NamedTuple):
    """A test, or something named around tests."""

    node: Node
    names: tuple[Node, ...]
    is_test: bool
    body: Node | None

    @property
    def name(self) -> str:
        """What it is called, without quotes; empty for a program, which has no name in its file."""
        return " > ".join(node_text(part).strip("'\"`") for part in self.names)


class SyntaxFile:
    """One file, by the rules and the grammar of its language."""

    def __init__(self, text: str, rules: Rules, grammar: Grammar) -> None:
        self.text = text
        self.rules = rules
        self.data = text.encode()
        self.root = grammar.parser.parse(self.data).root_node
        self._grammar = grammar
        self._faults = _count_faults(self.root)
        self.tests = list(self._find_tests())

    def match(self, source: str) -> Iterator[Captures]:
        """What a query finds, by the names it gives."""
        if source:
            for _, captures in QueryCursor(self._grammar.query(source)).matches(self.root):
                yield captures

    def list_around(self, node: Node) -> list[Test]:
        """The tests and groups that hold a node, outermost first."""
        around = [test for test in self.tests if test.node.start_byte <= node.start_byte < test.node.end_byte]
        return sorted(
            (test for test in around if node.end_byte <= test.node.end_byte), key=lambda test: test.node.start_byte
        )

    def name_at(self, node: Node) -> str | None:
        """The names of the test that holds a node, outermost first; None outside of all tests."""
        around = self.list_around(node)
        if any(test.is_test for test in around):
            return " > ".join(test.name for test in around if test.name)
        is_script = self.rules.whole_files and not any(test.is_test for test in self.tests)
        return "" if is_script else None

    def reverse(self, captures: Captures, reversal: Reversal, random: Random) -> str | None:
        """What turns a condition round in the place of what was found; None where nothing does."""
        texts = {name: node_text(nodes[0]) for name, nodes in captures.items()}
        if reversal.one_of:
            text: str | None = random.choice([text for text in reversal.one_of if text != texts["at"]])
        else:
            text = reversal.words.get(texts["at"]) if reversal.words else reversal.text.format(**texts)
        needs = reversal.needs.replace("{word}", re.escape(text or ""))
        return text if text is not None and re.search(needs, self.text) else None

    def offset(self, byte: int) -> int:
        """The place in characters; the tree counts in bytes."""
        return byte if len(self.data) == len(self.text) else len(self.data[:byte].decode())

    def byte(self, offset: int) -> int:
        """The place in bytes of a place in characters."""
        return offset if len(self.data) == len(self.text) else len(self.text[:offset].encode())

    def parses(self, text: str) -> bool:
        """Whether another text of the file has no more syntax errors than this one."""
        return _count_faults(self._grammar.parser.parse(text.encode()).root_node) <= self._faults

    def _find_tests(self) -> Iterator[Test]:
        for captures in self.match(self.rules.tests):
            if "program" in captures:
                yield Test(captures["program"][0], (), True, None)
                continue
            node = (captures.get("test") or captures["group"])[0]
            yield Test(node, tuple(captures["name"]), "test" in captures, captures.get("body", [None])[0])


def read_syntax(path: str, text: str) -> SyntaxFile | None:
    """The file as its grammar reads it; None where no rules are known for its language."""
    rules, grammar = rules_for(path), load_grammar(path)
    return SyntaxFile(text, rules, grammar) if rules and grammar else None


def _count_faults(root: Node) -> int:
    """How many places of the file the grammar cannot read."""
    return sum(node.is_error or node.is_missing for node in walk_nodes(root)) if root.has_error else 0
