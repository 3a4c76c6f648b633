"""Tests that live within a source file: Rust's `#[cfg(test)] mod tests { ... }` and `#[test]` functions. They are told
from the code around them and exchanged for others, so that whoever writes the code does not write the tests that it is
judged by. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

TOKEN = re.compile(
    r"""(?P<doc>///[^\n]*)|(?P<inner>\#!\[)|(?P<attribute>\#\[)|(?P<comment>/\*)|(?P<open>[{(\[])|(?P<close>[})\]])|(?P<end>;)
    |(?P<skip>//[^\n]*|\bb?r(?P<fence>\#*)".*?"(?P=fence)|\b[bc]?"(?:[^"\\]|\\.)*"|"(?:[^"\\]|\\.)*"
    |\bb?'(?:[^'\\\n]|\\[^\n]+?)'|'(?:[^'\\\n]|\\[^\n]+?)'|'\w+)|(?P<word>\w+)""",
    re.DOTALL | re.VERBOSE,
)
NESTED = re.compile(r"/\*|\*/")
HEAD = re.compile(r"(?:pub(?:\([^)]*\))?\s+)?((?:unsafe\s+|async\s+|const\s+(?=fn\b))*(\w+)\b[^{(;=<]*)")
TO_SEMICOLON = ("use", "const", "static", "type", "extern")
QUOTED = re.compile(r'"[^"]*"')
TEST = re.compile(r"#\[(?:cfg\((?:test\)|all\((?:.*,)?test[,)])|(?:\w+::)*(?:test|rstest|test_case|quickcheck)[\](])")


class InlineTest(NamedTuple):
    """Something that is compiled for tests and for nothing else, with its attributes, and where it is."""

    name: str
    """What it begins with: `mod tests`, `fn empty_input`."""
    start: int
    end: int


def may_hold_tests(path: str) -> bool:
    """Whether the language keeps tests within its source files."""
    return path.endswith(".rs")


def extract_tests(text: str) -> str:
    """The tests alone."""
    return "\n\n".join(text[item.start : item.end] for item in find_tests(text))


def replace_tests(text: str, tests: str) -> str:
    """The text with the tests that `tests` holds instead of its own: each in the place of its namesake, new ones at
    the end."""
    wanted = [(item.name, tests[item.start : item.end]) for item in find_tests(tests)]
    pieces, at = [], 0
    for item in find_tests(text):
        mate = next((one for one in wanted if one[0] == item.name), None)
        if mate:
            wanted.remove(mate)
            pieces += [text[at : item.start], mate[1]]
            at = item.end
        else:
            pieces.append(text[at : item.start].rstrip() + "\n")
            at = item.end + len(text[item.end :]) - len(text[item.end :].lstrip("\r\n"))
    left = "".join([*pieces, text[at:]])
    return "\n\n".join([left.rstrip("\n"), *(body for _, body in wanted)]) + "\n" if wanted else left


def find_tests(text: str) -> list[InlineTest]:
    """What is a test at the top of a Rust file, in order. A macro stays where it is: its place has a meaning."""
    found: list[InlineTest] = []
    at, depth, start, is_test = 0, 0, -1, False
    while token := TOKEN.search(text, at):
        at, kind = token.end(), token.lastgroup
        if kind == "comment":
            at = _comment_end(text, at)
        elif kind in ("doc", "attribute") and depth == 0:
            start = token.start() if start < 0 else start
            at = _bracket_end(text, at) if kind == "attribute" else at
            is_test = is_test or (kind == "attribute" and _is_test(text[token.start() : at]))
        elif kind in ("open", "attribute", "inner"):
            depth += 1
        elif kind == "close":
            depth -= 1
        elif kind == "word" and depth == 0:
            head = HEAD.match(text, token.start()) if is_test else None
            if head and head[2] != "macro_rules":
                at = _item_end(text, head)
                found.append(InlineTest(" ".join(head[1].split()), start, at))
            start, is_test = -1, False
    return found


def _is_test(attribute: str) -> bool:
    return bool(TEST.match(QUOTED.sub("", "".join(attribute.split()))))


def _item_end(text: str, head: re.Match[str]) -> int:
    """Behind the semicolon, or behind the braces of what has braces."""
    depth, semicolon = 0, head[2] in TO_SEMICOLON and not re.search(r"\bfn\b", head[1])
    for kind, end in _brackets_and_semicolons(text, head.start(2)):
        depth += (kind == "open") - (kind == "close")
        closed = kind == "close" and text[end - 1] == "}" and not semicolon
        if depth <= 0 and (kind == "end" or closed):
            return end
    return len(text)


def _bracket_end(text: str, at: int) -> int:
    """Behind the bracket that closes the one before this place; the end, when none does."""
    depth = 1
    for kind, end in _brackets_and_semicolons(text, at):
        depth += (kind == "open") - (kind == "close")
        if not depth:
            return end
    return len(text)


def _brackets_and_semicolons(text: str, at: int) -> Iterator[tuple[str, int]]:
    """Brackets and semicolons that are neither quoted nor in a comment, each with the place behind it."""
    while token := TOKEN.search(text, at):
        at, kind = token.end(), token.lastgroup or ""
        if kind == "comment":
            at = _comment_end(text, at)
        elif kind in ("open", "close", "end", "attribute", "inner"):
            yield kind if kind in ("close", "end") else "open", at


def _comment_end(text: str, at: int) -> int:
    """Behind a comment, which may hold others."""
    depth = 1
    while depth and (found := NESTED.search(text, at)):
        depth += 1 if found[0] == "/*" else -1
        at = found.end()
    return len(text) if depth else at
