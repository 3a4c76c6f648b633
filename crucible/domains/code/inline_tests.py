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
# matches: one token each of: /// a doc line  #[test]  /* comment  { ( [  ;  "text"  r#"raw"#  'c'  'lifetime  word
COMMENT_EDGE = re.compile(r"/\*|\*/")
# matches: /*  */
HEAD = re.compile(r"(?:pub(?:\([^)]*\))?\s+)?((?:unsafe\s+|async\s+|const\s+(?=fn\b))*(\w+)\b[^{(;=<]*)")
# matches: "pub(crate) async fn adds" before its "(", "mod tests " before its "{"
TO_SEMICOLON = ("use", "const", "static", "type", "extern")
"""Items that end with a semicolon, whatever braces they hold."""
QUOTED = re.compile(r'"[^"]*"')
# matches: "slow"
TEST_ATTRIBUTE = re.compile(
    r"#\[(?:cfg\((?:test\)|all\((?:.*,)?test[,)])|(?:\w+::)*(?:test|rstest|test_case|quickcheck)[\](])"
)
# matches: #[cfg(test)]  #[cfg(all(unix,test))]  #[test]  #[tokio::test(  (without spaces and quoted text)


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
    """The tests of a source file, without the code around them."""
    return "\n\n".join(text[item.start : item.end] for item in find_tests(text))


def replace_tests(text: str, tests: str) -> str:
    """A source file with the tests that `tests` holds instead of its own: each in the place of its namesake, new ones
    at the end."""
    replacements = [(item.name, tests[item.start : item.end]) for item in find_tests(tests)]
    pieces, at = [], 0
    for item in find_tests(text):
        namesake = next((pair for pair in replacements if pair[0] == item.name), None)
        if namesake:
            replacements.remove(namesake)
            pieces += [text[at : item.start], namesake[1]]
            at = item.end
        else:
            pieces.append(text[at : item.start].rstrip() + "\n")
            at = item.end + len(text[item.end :]) - len(text[item.end :].lstrip("\r\n"))
    replaced = "".join([*pieces, text[at:]])
    if not replacements:
        return replaced
    return "\n\n".join([replaced.rstrip("\n"), *(body for _, body in replacements)]) + "\n"


def find_tests(text: str) -> list[InlineTest]:
    """The tests at the top level of a Rust file, in order. A macro is left out: its place has a meaning."""
    tests: list[InlineTest] = []
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
                tests.append(InlineTest(" ".join(head[1].split()), start, at))
            start, is_test = -1, False
    return tests


def _is_test(attribute: str) -> bool:
    """Whether an attribute says that what follows is compiled for tests alone."""
    return bool(TEST_ATTRIBUTE.match(QUOTED.sub("", "".join(attribute.split()))))


def _item_end(text: str, head: re.Match[str]) -> int:
    """Where an item ends: behind its semicolon, or behind the braces of what has braces."""
    depth, semicolon = 0, head[2] in TO_SEMICOLON and not re.search(r"\bfn\b", head[1])
    for kind, end in _brackets_and_semicolons(text, head.start(2)):
        depth += (kind == "open") - (kind == "close")
        closed = kind == "close" and text[end - 1] == "}" and not semicolon
        if depth <= 0 and (kind == "end" or closed):
            return end
    return len(text)


def _bracket_end(text: str, at: int) -> int:
    """The place behind the bracket that closes the one before `at`; the end of the text, when none does."""
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
    """The place behind a comment, which may hold others; `at` is behind its opening."""
    depth = 1
    while depth and (edge := COMMENT_EDGE.search(text, at)):
        depth += 1 if edge[0] == "/*" else -1
        at = edge.end()
    return len(text) if depth else at
