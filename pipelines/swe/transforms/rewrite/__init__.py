"""The same code in other words: text, syntax tree, bytecode and line numbers differ, what it does does not.

Whoever knows code by how it is written, and not by what it does, takes the rewrite for something else.
"""

from __future__ import annotations

from typing import Literal

from pipelines.swe.transforms.rewrite import python, syntax
from pipelines.swe.transforms.rewrite.beside import write_beside

Depth = Literal["both", "beside", "deep", "light"]
"""`both`: another version is executed beside it, and its answers dropped. `beside`: it stands there and is never
executed. `deep`: operations and conditions are written otherwise, as with these two. `light`: names of variables,
layout and comments."""


def rewrite_file(path: str, text: str, depth: Depth, other: str = "") -> str | None:
    """The file in other words; None where that cannot be done, or where nothing would differ. `other` is the version
    that may stand beside it."""
    has_both = bool(other) and depth in ("both", "beside")
    beside = write_beside(path, text, other, run="both" if depth == "both" else "one") if has_both else None
    return _write_otherwise(path, beside or text, depth != "light") or beside


def _write_otherwise(path: str, text: str, deep: bool) -> str | None:
    written = python.rewrite_text(text, deep) if path.endswith(".py") else syntax.rewrite_text(path, text, deep)
    return written if written != text else None
