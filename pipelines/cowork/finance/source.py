"""The source `finance-files`: sets of files about a company, a portfolio or a deal, as a `finance.toml` lists them."""

from __future__ import annotations

import asyncio
import tomllib
from collections.abc import AsyncIterator
from pathlib import Path

from crucible.collecting import Dropped
from crucible.errors import SettingsError
from crucible.mining import MiningContext
from crucible.parts import source
from crucible.record import Record
from pipelines.cowork.finance.model import Dataset

LIST = "finance.toml"
LARGEST_BYTES = 1 << 24


@source("finance-files")
async def finance_files(origin: str, context: MiningContext) -> AsyncIterator[Record]:
    """Each set of a folder's `finance.toml`; one that lacks a file is refused."""
    place = Path(origin)
    folder = place if place.is_dir() else place.parent
    if not (folder / LIST).is_file():
        raise SettingsError(f"{origin} has no {LIST}", "name a folder with one")
    facts = tomllib.loads((folder / LIST).read_text(encoding="utf-8"))
    for name, told in facts["set"].items():
        roles: dict[str, str] = told["files"]
        missing = [path for path in roles.values() if not _is_fit(folder / path)]
        files = {} if missing else await asyncio.to_thread(_keep_files, folder, roles, context)
        dataset = Dataset(
            name=name,
            title=told["title"],
            currency=told["currency"],
            files=files,
            roles={role: Path(path).name for role, path in roles.items()},
            licence=facts.get("licence", ""),
            author=facts.get("author", ""),
        )
        detail = ", ".join(missing)
        yield Dropped(record=dataset, reason="missing_or_large_file", detail=detail) if missing else dataset


def _is_fit(file: Path) -> bool:
    return file.is_file() and file.stat().st_size <= LARGEST_BYTES


def _keep_files(folder: Path, roles: dict[str, str], context: MiningContext) -> dict[str, str]:
    """The digest of each file, by its name."""
    return {Path(path).name: context.blobs.put((folder / path).read_bytes()) for path in roles.values()}
