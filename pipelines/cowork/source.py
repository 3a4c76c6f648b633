"""The source `office-files`: workbooks, decks and texts of a folder, and what its `seeds.toml` says of them."""

from __future__ import annotations

import asyncio
import tomllib
from collections.abc import AsyncIterator
from pathlib import Path

from crucible.errors import SettingsError
from crucible.mining import MiningContext
from crucible.parts import source
from pipelines.cowork.model import Seed
from pipelines.cowork.slides.model import SourceText

FACTS = "seeds.toml"
LISTS = {
    "metas": "office-queries",
    "finance.toml": "finance-files",
    "models.toml": "model-cases",
    "documents.toml": "html-documents",
}
"""What lies in a folder that another source reads, and which one: a library of meta-queries, a list of files."""
SUFFIXES = (".xlsx", ".pptx", ".md", ".txt")
TEXTS = ("md", "txt")
"""Decks are made from these."""
LARGEST_BYTES = 1 << 26


@source("office-files")
async def office_files(origin: str, context: MiningContext) -> AsyncIterator[Seed | SourceText]:
    """Workbooks and decks, and texts to make decks from: one file, or all in a folder and below it."""
    place = Path(origin)
    below = [place] if place.is_file() else sorted(place.rglob("*"))
    files = [file for file in below if file.suffix in SUFFIXES]
    if not files:
        raise SettingsError(
            f"{origin} has no workbook, deck or text", f"name a file ({', '.join(SUFFIXES)}), or a folder"
        )
    facts = _read_facts(place)
    for file in files:
        if file.stat().st_size <= LARGEST_BYTES:
            blob = context.blobs.put(await asyncio.to_thread(file.read_bytes))
            told = facts.get(file.name, facts.get("*", {}))
            kind: type[SourceText | Seed] = SourceText if file.suffix[1:] in TEXTS else Seed
            yield kind.model_validate({"name": file.stem, "suffix": file.suffix[1:], "blob": blob, **told})


def choose_source(origin: str) -> str:
    """The source that an origin is for, by what lies in it."""
    return next((source for name, source in LISTS.items() if (Path(origin) / name).exists()), "office-files")


def _read_facts(place: Path) -> dict[str, dict[str, str]]:
    """Licence, author and address of the files, by their names; `*` for those that are not named. They stand in the
    folder, or in the one above it."""
    found = next((folder / FACTS for folder in (place, place.parent) if (folder / FACTS).is_file()), None)
    return tomllib.loads(found.read_text(encoding="utf-8")) if found else {}
