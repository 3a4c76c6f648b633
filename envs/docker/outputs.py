"""Which paths of a box the patterns of `Env.outputs` name."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence

WILD = re.compile(r"\*\*/|\*\*|\*|\?")  # matches: **/  **  *  ?
MEANING = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


def compile_outputs(patterns: Sequence[str], workdir: str) -> re.Pattern[str]:
    """Matches absolute paths: `*` within one folder, `**` across folders; a relative pattern is below the workdir."""
    return re.compile(
        "|".join(_translate(posixpath.join(workdir, pattern)) for pattern in patterns) or "(?!)", re.DOTALL
    )


def _translate(pattern: str) -> str:
    literal = WILD.split(pattern)
    wild = [MEANING[mark] for mark in WILD.findall(pattern)] + [""]
    return "".join(re.escape(text) + meaning for text, meaning in zip(literal, wild, strict=True))
