"""The modules that register parts, told by their text, so that no more is imported than what is asked for."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path


@cache
def import_modules(folder: str, kind: str, name: str = "") -> None:
    """Import those modules of a folder whose text registers a part of the kind, or only the one of that name."""
    called = re.compile(rf"\b{kind}\(" + (rf"\s*[\"']{re.escape(name)}[\"']" if name else ""))
    for module, text in _read_modules(folder).items():
        if called.search(text):
            importlib.import_module(module)


@cache
def _read_modules(folder: str) -> dict[str, str]:
    """The text of every module below a folder of the checkout, by its name."""
    return {_name_module(folder, place, file): file.read_text("utf-8") for place, file in _list_files(folder)}


def _list_files(folder: str) -> Iterator[tuple[Path, Path]]:
    package = find_spec(folder)
    for place in map(Path, (package and package.submodule_search_locations) or ()):
        yield from ((place, file) for file in sorted(place.rglob("*.py")) if _is_packaged(file.parent, place))


def _is_packaged(folder: Path, place: Path) -> bool:
    """Whether the folder and all above it are packages: others hold files that are played in boxes."""
    return folder == place or ((folder / "__init__.py").is_file() and _is_packaged(folder.parent, place))


def _name_module(folder: str, place: Path, file: Path) -> str:
    parts = [folder, *file.relative_to(place).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
