"""What came from outside, made safe to show on a terminal: no escape sequence, no text that runs backwards."""

from __future__ import annotations

import unicodedata

_KEEP = frozenset("\n\t")


def escape_controls(text: str, keep: frozenset[str] = _KEEP) -> str:
    """Control and direction characters become visible escapes, so that data cannot drive the terminal."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(char if char in keep or not _is_control(char) else _escape(char) for char in text)


def to_one_line(text: str) -> str:
    """A text on one line, made safe to show on a terminal."""
    return escape_controls(" ".join(text.split()), frozenset())


def _is_control(char: str) -> bool:
    """Control (ANSI escapes begin with one), format (bidirectional overrides), surrogate."""
    return unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") and char != "\u200d"


def _escape(char: str) -> str:
    return char.encode("unicode_escape", "backslashreplace").decode("ascii")
