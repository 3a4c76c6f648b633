"""Reads the tables of modules that are also shipped with exported tasks.

Here a table is TOML. In an exported folder it is JSON of the same name, because Python 3.10 cannot read TOML. Python's
standard library is all that is needed; what is never shipped uses `crucible.datafile`, which checks rows as well.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from crucible.errors import SettingsError


@cache
def read_table(toml: Path) -> dict[str, Any]:
    """The content of a TOML file, or of the JSON file that was shipped in its place."""
    shipped = toml.with_suffix(".json")
    if shipped.exists():
        content: dict[str, Any] = json.loads(shipped.read_text(encoding="utf-8"))
        return content
    import tomllib  # not in Python 3.10, where the table is JSON

    return tomllib.loads(toml.read_text(encoding="utf-8"))


def read_words(toml: Path, key: str) -> tuple[str, ...]:
    """One list of strings in such a file."""
    try:
        return tuple(str(word) for word in read_table(toml)[key])
    except KeyError:
        raise SettingsError(f"{toml.name} has no '{key}'") from None
