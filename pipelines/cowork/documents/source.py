"""The source `html-documents`: the HTML pages of a folder, with what its `documents.toml` says of their origin."""

from __future__ import annotations

import asyncio
import tomllib
from collections.abc import AsyncIterator
from pathlib import Path

from crucible.errors import SettingsError
from crucible.mining import MiningContext
from crucible.parts import source
from pipelines.cowork.documents.model import Document

LIST = "documents.toml"
LARGEST_BYTES = 1 << 24


@source("html-documents")
async def html_documents(origin: str, context: MiningContext) -> AsyncIterator[Document]:
    """Each page of a folder and below it."""
    folder = Path(origin)
    pages = sorted(file for file in folder.rglob("*.html") if file.stat().st_size <= LARGEST_BYTES)
    if not pages:
        raise SettingsError(f"{origin} has no HTML page", "name a folder with some")
    facts = tomllib.loads((folder / LIST).read_text(encoding="utf-8")) if (folder / LIST).is_file() else {}
    for page in pages:
        told = facts.get(page.name, facts.get("*", {}))
        blob = context.blobs.put(await asyncio.to_thread(page.read_bytes))
        yield Document.model_validate({"name": page.stem, "page": blob, **told})
