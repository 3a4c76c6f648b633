"""The source `workbooks`: the xlsx files of a folder, each with what a `seeds.toml` beside it says of its origin."""

from __future__ import annotations

import asyncio
import tomllib
from collections.abc import AsyncIterator
from pathlib import Path

from crucible.errors import SettingsError
from crucible.mining import MiningContext
from crucible.parts import source
from pipelines.cowork.model import SeedWorkbook

FACTS = "seeds.toml"
LARGEST_BYTES = 1 << 26


@source("workbooks")
async def workbooks(origin: str, context: MiningContext) -> AsyncIterator[SeedWorkbook]:
    """Seed workbooks: one xlsx file, or all in a folder and below it."""
    place = Path(origin)
    files = [place] if place.is_file() else sorted(place.rglob("*.xlsx"))
    if not files:
        raise SettingsError(f"{origin} has no workbook", "name an .xlsx file, or a folder that has some")
    facts = _read_facts(place)
    for file in files:
        if file.stat().st_size <= LARGEST_BYTES:
            blob = context.blobs.put(await asyncio.to_thread(file.read_bytes))
            yield SeedWorkbook(name=file.stem, blob=blob, **facts.get(file.name, facts.get("*", {})))


def _read_facts(place: Path) -> dict[str, dict[str, str]]:
    """Licence, author and address of the files, by their names; `*` for those that are not named."""
    facts = (place if place.is_dir() else place.parent) / FACTS
    return tomllib.loads(facts.read_text(encoding="utf-8")) if facts.is_file() else {}
