"""The same code in other words: text, syntax tree, bytecode and line numbers differ, what it does does not.

Whoever knows code by how it is written, and not by what it does, takes the rewrite for something else.
"""

from __future__ import annotations

from typing import Literal

from pipelines.swe.transforms.rewrite import python, syntax

Depth = Literal["deep", "light"]
"""`deep`: operations and conditions are written otherwise. `light`: names of variables, layout and comments."""


def rewrite_file(path: str, text: str, depth: Depth) -> str | None:
    """The file in other words; None where that cannot be done, or where nothing would differ."""
    deep = depth == "deep"
    written = python.rewrite_text(text, deep) if path.endswith(".py") else syntax.rewrite_text(path, text, deep)
    return written if written != text else None
