"""Text on its way into a record: made storable, and kept to a length."""

from __future__ import annotations


def clean(text: str) -> str:
    """The text with what no store takes replaced: lone surrogates and NUL."""
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return whole.replace("\0", "␀")


def clip(text: str, limit: int) -> str:
    """At most about `limit` characters: the beginning and the end, and in between how much was left out."""
    if len(text) <= limit:
        return text
    head, tail = limit - limit // 2, limit // 2
    left_out = text[head : len(text) - tail]
    marker = f"[... {len(left_out)} characters ({left_out.count(chr(10))} lines) left out ...]"
    return f"{text[:head]}\n{marker}\n{text[len(text) - tail :]}"
