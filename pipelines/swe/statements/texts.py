"""Texts that tests compare and a change brings: as they stand in its code, or filled in by it. Pure.

A message that is put together has no line of its own: `f"at least {least}"` brings `at least 3`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

TEXT = re.compile(r"""(?<!\\)("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`\n]*`)""")
EXPECTED = re.compile(rf"(?i)\b(?:want|expect)\w*\s*(?::=|=|:)\s*{TEXT.pattern}")
CONTINUED = re.compile(r"""(?<!\\)(["'`])[ \t]*(?:[+.\\][ \t]*)?\n[ \t]*(?:[+.][ \t]*)?[fFrRbBuU]{0,2}\1""")
HOLE = re.compile(r"[$#]?\{[^{}]*\}|%[-+0 #]*\d*(?:\.\d+)?[a-zA-Z]")
ESCAPED = re.compile(r"\\([^\w\s])")
SHORTEST = 8
"""A single word of fewer letters is a key or a value that tests pass in, not what they compare."""
LONGEST = 300


def compared(tests: str, code: str) -> Iterator[tuple[str, str]]:
    """Each text of the tests that the code brings, with what stands for it in the code."""
    code = joined(code)
    shapes = [(literal, shape) for literal in literals(code) if (shape := _shape(literal))]
    for text in dict.fromkeys(map(_plain, literals(joined(tests)))):
        if not _is_text(text):
            continue
        if text in code:
            yield text, text
            continue
        origin = next((literal for literal, shape in shapes if shape.search(text)), None)
        if origin is not None:
            yield text, origin


def fragments(tests: str, code: str) -> list[str]:
    """What the code writes between the values that it fills in, where the tests have it within a longer text."""
    parts = dict.fromkeys(part.strip() for literal in literals(joined(code)) for part in HOLE.split(literal))
    return [part for part in parts if _is_text(part) and part in tests]


def expected(tests: str) -> list[str]:
    """Sentences to which a test gives a name that says they are expected."""
    found = dict.fromkeys(text[1:-1] for text in EXPECTED.findall(tests))
    return [text for text in found if _is_text(text) and len(text.split()) > 2]


def literals(code: str) -> list[str]:
    """What stands between quotation marks."""
    return [found[1:-1] for found in TEXT.findall(code)]


def joined(code: str) -> str:
    """The code with texts in one piece that go on in the next line."""
    return CONTINUED.sub("", code)


def _plain(text: str) -> str:
    """Without the backslashes by which a pattern or a quotation mark is written."""
    return ESCAPED.sub(r"\1", text)


def _shape(literal: str) -> re.Pattern[str] | None:
    """What a text with holes in it may become; None where too little of it is fixed."""
    parts = HOLE.split(_plain(literal))
    if len(parts) < 2 or sum(len(re.findall("[A-Za-z]", part)) for part in parts) < SHORTEST:
        return None
    return re.compile(".+".join(map(re.escape, parts)), re.DOTALL)


def _is_text(text: str) -> bool:
    """A message, a format or a key rather than a scrap of code or a path."""
    plain = re.search(r"[A-Za-z]{3}", text) and "\\" not in text and not text.startswith((".", "/", ")", ","))
    return bool(plain) and len(text) <= LONGEST and (" " in text or len(text) >= SHORTEST)
