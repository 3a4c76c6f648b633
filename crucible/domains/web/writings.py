"""The ways in which an application may write a value that was typed into it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from crucible.domains.web.rubric import ValueKind
from crucible.domains.web.values import fill_text

DATES = (
    "{0:%Y-%m-%d}",
    "{0.month}/{0.day}/{0.year}",
    "{0:%m/%d/%Y}",
    "{0:%d/%m/%Y}",
    "{0.day}/{0.month}/{0.year}",
    "{0:%d.%m.%Y}",
    "{0.day}.{0.month}.{0.year}",
    "{0:%b} {0.day}, {0.year}",
    "{0:%B} {0.day}, {0.year}",
    "{0.day} {0:%b} {0.year}",
    "{0.day} {0:%B} {0.year}",
    "{0:%b} {0.day} {0.year}",
    "{0:%b %d, %Y}",
    "{0:%b %d %Y}",
    "{0:%Y/%m/%d}",
    "{0:%b} {0.day}",
    "{0:%B} {0.day}",
    "{0.day} {0:%b}",
    "{0:%Y%m%d}",
)
"""How dates are written."""


def write_variants(text: str, values: Mapping[str, str], kinds: Mapping[str, ValueKind]) -> tuple[str, ...]:
    """The text with its values, once for each way of writing them: dates in the order of other countries, amounts
    without a last zero."""
    if not text:
        return ()
    texts = [fill_text(text, values)]
    for writing in DATES if "date" in kinds.values() else ():
        dates = {name: writing.format(date.fromisoformat(values[name])) for name in kinds if kinds[name] == "date"}
        texts.append(fill_text(text, {**values, **dates}))
    amounts = {name: f"{float(values[name]):g}" for name in kinds if kinds[name] == "amount"}
    texts.append(fill_text(text, {**values, **amounts}))
    return tuple(dict.fromkeys(texts))
