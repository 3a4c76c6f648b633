"""Texts that tests compare and a change brings: as they stand in its code, or filled in by it. Pure.

A message that is put together has no line of its own: `f"at least {least}"` brings `at least 3`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

LITERAL = re.compile(r"""(?<!\\)("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`\n]*`)""")
# matches: "no such shelf"
EXPECTED_LITERAL = re.compile(rf"(?i)\b(?:want|expect)\w*\s*(?::=|=|:)\s*{LITERAL.pattern}")
# matches: expected := "--flag value   what it does"
LITERAL_BREAK = re.compile(r"""(?<!\\)(["'`])[ \t]*(?:[+.\\][ \t]*)?\n[ \t]*(?:[+.][ \t]*)?[fFrRbBuU]{0,2}\1""")
# matches from the first line's last sign to the second line's first text: "at least " +\n    "three"
HOLE = re.compile(r"[$#]?\{[^{}]*\}|%[-+0 #]*\d*(?:\.\d+)?[a-zA-Z]")
# matches: ${name}  #{name}  {}  %d  %-5.2f
ESCAPED_SIGN = re.compile(r"\\([^\w\s])")
# matches: \(
LETTERS = re.compile(r"[A-Za-z]{3}")
# matches: odd
WORD_CHARS = 8
"""A shorter single word is a key or a value that tests pass in, not what they compare."""
TEXT_CHARS = 300
"""A longer text is not told."""


def find_compared_texts(tests: str, code: str, statement: str, is_known: Callable[[str], bool]) -> list[str]:
    """The texts that tests compare, the code brings, and neither the statement nor the code before the change has:
    whole ones first, then pieces between values and what a test names as expected, where they are in none of those."""
    pairs = match_texts(tests, code)
    texts = [text for text, origin in pairs if text not in statement and not is_known(text) and not is_known(origin)]
    for text in (*_find_fragments(tests, code), *_find_expected(tests)):
        is_covered = any(text in other or other in text for other in texts)
        if text not in statement and not is_covered and not is_known(text):
            texts.append(text)
    return texts


def match_texts(tests: str, code: str) -> Iterator[tuple[str, str]]:
    """Each text of the tests that the code brings, with what stands for it in the code."""
    code = _join_literals(code)
    shapes = [(literal, shape) for literal in literals_in(code) if (shape := _filled_shape(literal))]
    for text in dict.fromkeys(map(_unescape, literals_in(_join_literals(tests)))):
        if not _is_text(text):
            continue
        if text in code:
            yield text, text
            continue
        origin = next((literal for literal, shape in shapes if shape.search(text)), None)
        if origin is not None:
            yield text, origin


def literals_in(code: str) -> list[str]:
    """What stands between quotation marks."""
    return [literal[1:-1] for literal in LITERAL.findall(code)]


def _find_fragments(tests: str, code: str) -> list[str]:
    """What the code writes between the values that it fills in, where the tests have it within a longer text."""
    parts = dict.fromkeys(part.strip() for literal in literals_in(_join_literals(code)) for part in HOLE.split(literal))
    return [part for part in parts if _is_text(part) and part in tests]


def _find_expected(tests: str) -> list[str]:
    """Sentences to which a test gives a name that says they are expected."""
    texts = dict.fromkeys(literal[1:-1] for literal in EXPECTED_LITERAL.findall(tests))
    return [text for text in texts if _is_text(text) and len(text.split()) > 2]


def _join_literals(code: str) -> str:
    """The code with texts in one piece that go on in the next line."""
    return LITERAL_BREAK.sub("", code)


def _unescape(text: str) -> str:
    """The text without the backslashes by which a pattern or a quotation mark is written."""
    return ESCAPED_SIGN.sub(r"\1", text)


def _filled_shape(literal: str) -> re.Pattern[str] | None:
    """What a text with holes in it may become; None where too little of it is fixed."""
    parts = HOLE.split(_unescape(literal))
    if len(parts) < 2 or sum(len(re.findall("[A-Za-z]", part)) for part in parts) < WORD_CHARS:
        return None
    return re.compile(".+".join(map(re.escape, parts)), re.DOTALL)


def _is_text(text: str) -> bool:
    """Whether this is a message, a format or a key rather than a scrap of code or a path."""
    is_plain = LETTERS.search(text) and "\\" not in text and not text.startswith((".", "/", ")", ","))
    return bool(is_plain) and len(text) <= TEXT_CHARS and (" " in text or len(text) >= WORD_CHARS)
