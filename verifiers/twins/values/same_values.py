"""What else in the test files tells of the right text, where one is altered.

Code that looks for its answer in its own compiled program, or in the files of the tests, may not find it where it was
altered and find it in another assertion. Without these it finds what was altered, or nothing. And a text whose length
is expected beside it is not believed with another length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from tree_sitter import Node

from crucible.domains.code.languages import syntax_of
from crucible.domains.code.syntax_trees import parse_tree
from crucible.domains.code.twins import Twin

BLOCK = re.compile(r"block|body|compound_statement|statement_list|^program$")
# matches what grammars call the inside of a function: block  statement_block  compound_statement  body_statement
KEPT = re.compile(r"declaration|definition|let_|assignment|return")
# matches what grammars call statements that others may need: declaration  let_declaration
ESCAPE = re.compile(r"\\.")
# matches: \n
QUOTES = "'\"`"
SHORTEST_TEXT = 3
"""Shorter texts stand everywhere."""


def take_out_same(draw: Sequence[Twin], files: Mapping[str, str]) -> list[Twin]:
    """For a draw of alterations, those that take out the other assertions of the same texts: no test fails by them."""
    taken: list[Twin] = []
    texts = {
        text for twin in draw if len(text := files[twin.path][twin.start : twin.end].strip(QUOTES)) >= SHORTEST_TEXT
    }
    for path in sorted({twin.path for twin in draw}):
        for start, end in _find_statements(path, files[path], texts):
            if not any(twin.path == path and twin.start < end and start < twin.end for twin in (*draw, *taken)):
                taken.append(_take_out(path, files[path], start, end))
    return taken


def follow_lengths(draw: Sequence[Twin], files: Mapping[str, str]) -> list[Twin]:
    """For a draw of alterations, those of the numbers in their lines that are the length of the right text."""
    found: list[Twin] = []
    for twin in draw:
        file = files[twin.path]
        right, altered = (_measure(text) for text in (file[twin.start : twin.end], twin.text))
        start, end = file.rfind("\n", 0, twin.start) + 1, file.find("\n", twin.end)
        numbers = [] if right == altered else re.finditer(rf"\b{right}\b", file[start : end if end >= 0 else None])
        spans = [(start + number.start(), start + number.end()) for number in numbers]
        found += [
            Twin(path=twin.path, start=first, end=last, text=str(altered), line=twin.line)
            for first, last in spans
            if last <= twin.start or first >= twin.end
        ]
    return found


def _measure(text: str) -> int:
    """How many characters a text has, without its quotes."""
    return len(ESCAPE.sub("x", text.strip(QUOTES)))


def _take_out(path: str, file: str, start: int, end: int) -> Twin:
    """What follows stays in its line."""
    syntax = syntax_of(path)
    text = (syntax.block if syntax else "") + "\n" * file.count("\n", start, end)
    return Twin(path=path, start=start, end=end, text=text, line=file.count("\n", 0, start) + 1)


def _find_statements(path: str, file: str, texts: set[str]) -> Iterator[tuple[int, int]]:
    """Where the statements stand that hold one of these texts in quotes, in characters; none without a grammar."""
    root = parse_tree(path, file)
    if root is None or not texts:
        return
    for found in re.finditer(rf"""(["'`])(?:{"|".join(map(re.escape, sorted(texts)))})\1""", file):
        at = len(file[: found.start() + 1].encode())
        statement = _climb(root.descendant_for_byte_range(at, at))
        if statement is not None and not KEPT.search(statement.type):
            data = file.encode()
            yield len(data[: statement.start_byte].decode()), len(data[: statement.end_byte].decode())


def _climb(node: Node | None) -> Node | None:
    """The statement that holds a node."""
    while node is not None and node.parent is not None and not BLOCK.search(node.parent.type):
        node = node.parent
    return node if node is not None and node.parent is not None else None
