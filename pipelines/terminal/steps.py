"""Blocks of an answer that follow each other: most blocks are alternatives, but some are told to be the next step."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

NEXT = re.compile(r"^\W*(?:and|then|next|now|finally|afterwards|after that)\b", re.IGNORECASE)
# matches: then hand the addresses to curl
OTHERWISE = re.compile(r"\b(?:or|alternatively|instead|also|another|other)\b", re.IGNORECASE)  # matches: or shorter


class Told(NamedTuple):
    """Commands, and the prose that announces them."""

    prose: str
    text: str


def join_steps(blocks: Sequence[Told]) -> list[str]:
    """The commands with each next step below the one it follows."""
    joined: list[str] = []
    for prose, text in blocks:
        if joined and NEXT.match(prose) and not OTHERWISE.search(prose):
            joined[-1] = f"{joined[-1]}\n{text}"
        else:
            joined.append(text)
    return joined
