"""The assertions of a test file, and the notes that stand in their place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from crucible.domains.code.syntax_trees import node_text, walk_nodes
from verifiers.siblings.syntax_rules import Claim, SiblingRules
from verifiers.twins.places.syntax_file import Captures, SyntaxFile


@dataclass(frozen=True)
class FoundClaim:
    """One assertion."""

    node: Node
    rule: Claim
    captures: Captures
    claims: SyntaxClaims

    def write(self, places: Iterator[str]) -> str:
        """What stands in its place, with a note for each of its answers."""
        fields = {"{claim}": node_text(self.node)}
        if "condition" in self.captures:
            fields["{condition}"] = self.claims.note_condition(self.captures["condition"][0], places)
        else:
            answer = self.claims.pick_answer(self.captures["answer"], self.rule.expected_first)
            fields |= {"{place}": next(places), "{answer}": node_text(answer)}
        return _fill(self.rule.text, fields)


class SyntaxClaims:
    """Finds assertions by the rules of a language."""

    def __init__(self, file: SyntaxFile, rules: SiblingRules) -> None:
        self._file = file
        self._rules = rules

    def find(self) -> list[FoundClaim]:
        """The assertions in the order of the text, without those within others."""
        found: dict[tuple[int, int], FoundClaim] = {}
        for rule in self._rules.claims:
            for captures in self._file.match(rule.query):
                node = captures["claim"][0] if "claim" in captures else _climb(captures["start"][0])
                noted = (captures.get("answer") or captures["condition"])[-1]
                behind = self._file.data[noted.end_byte : node.end_byte].decode()
                if re.search(rule.like, behind):
                    found.setdefault((node.start_byte, -node.end_byte), FoundClaim(node, rule, captures, self))
        outer: list[FoundClaim] = []
        for _, claim in sorted(found.items(), key=lambda item: item[0]):
            if not outer or outer[-1].node.end_byte <= claim.node.start_byte:
                outer.append(claim)
        return outer

    def pick_answer(self, sides: Sequence[Node], expected_first: bool = False) -> Node:
        """The side of a comparison that is no expected value."""
        if len(sides) < 2:
            return sides[0]
        known = [self._is_expected(side) for side in sides[:2]]
        if known[0] == known[1]:
            calls = [_has_call(side) for side in sides[:2]]
            known = [calls[1] and not calls[0], calls[0] and not calls[1]]
        if known[0] == known[1]:
            return sides[1] if expected_first else sides[0]
        return sides[known.index(False)]

    def note_condition(self, node: Node, places: Iterator[str]) -> str:
        """A condition with a note of each answer that it asks about."""
        joined = [node_text(child) for child in node.children if not child.is_named]
        if joined and all(word in self._rules.joins for word in joined):
            parts = [child for child in node.children if child.is_named]
            return self._rebuild(node, {part.id: self.note_condition(part, places) for part in parts}, node.children)
        sides = self._list_sides(node)
        answer = self.pick_answer(sides) if sides else node
        said = node_text(answer) if sides else self._rules.truth.replace("{answer}", node_text(node))
        noted = _fill(self._rules.note, {"{place}": next(places), "{answer}": said})
        before = self._file.data[node.start_byte : answer.start_byte].decode()
        return before + noted + self._file.data[answer.end_byte : node.end_byte].decode()

    def _rebuild(self, node: Node, texts: dict[int, str], children: Sequence[Node]) -> str:
        made, at = "", node.start_byte
        for child in children:
            made += self._file.data[at : child.start_byte].decode() + texts.get(child.id, node_text(child))
            at = child.end_byte
        return made

    def _list_sides(self, node: Node) -> list[Node]:
        """What a condition compares; nothing where it compares nothing."""
        if any(not child.is_named and node_text(child) in self._rules.signs for child in node.children):
            return node.named_children if len(node.named_children) == 2 else []
        called, handed = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if called is None or handed is None or not re.fullmatch(self._rules.comparing, node_text(called)):
            return []
        return handed.named_children[:2]

    def _is_expected(self, node: Node) -> bool:
        """Whether this is written out, or has a name that says so."""
        rules = self._file.rules
        known = {*rules.numbers, *rules.texts, *rules.strings, *rules.quoted, *rules.words, *rules.containers}
        known |= {"escape_sequence", *self._rules.values}
        return self._rules.is_expected(node_text(node)) or all(
            each.type in known for each in walk_nodes(node) if each.is_named
        )


def _climb(node: Node) -> Node:
    """The expression that begins with a node, up to its statement: `expect(a).not.toBe(3)` for `expect(a)`."""
    while node.parent is not None and node.parent.start_byte == node.start_byte and _is_chained(node.parent):
        node = node.parent
    return node


def _is_chained(node: Node) -> bool:
    return re.search(r"call|member|selector|method_invocation", node.type) is not None


def _has_call(node: Node) -> bool:
    return any(inner.child_by_field_name("arguments") is not None for inner in walk_nodes(node))


def _fill(template: str, fields: dict[str, str]) -> str:
    """The template with every field replaced; what is filled in is not looked at again."""
    return re.sub(r"\{(claim|condition|place|answer)\}", lambda found: fields[found[0]], template)
