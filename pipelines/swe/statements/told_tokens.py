"""How much of a change its statement tells: the share of the words that are new with the patch and stand in it."""

from __future__ import annotations

import re
from collections.abc import Callable

from pipelines.swe.statements.patch_files import PatchFile, read_patch

WORD = re.compile(r"[A-Za-z_]\w+|\d{2,}")
# matches: halve_twice  9000
LABEL = "patch_tokens_told"
"""Under which label a task has the share."""


def measure_told_share(statement: str, patch: str, read_base: Callable[[str], str]) -> float:
    """Of the words that a patch adds to source files and that these files did not have, the share that the statement
    has; 0 where no word is new. `read_base` reads a file as it was before the change; empty where there was none."""
    new: set[str] = set()
    for file in read_patch(patch):
        if file.sort == "source" and file.path:
            new |= set(WORD.findall("\n".join(file.added))) - _words_before(file, read_base(file.path))
    return len(new & set(WORD.findall(statement))) / len(new) if new else 0.0


def _words_before(file: PatchFile, text: str) -> set[str]:
    """The words that a file had; of one that was moved, as far as the patch shows them."""
    shown = [line[1:] for line in file.lines if line[:1] in (" ", "-")]
    return set(WORD.findall("\n".join([text, *shown])))
