"""The source `model-cases`: inputs of financial models, as a `models.toml` lists them."""

from __future__ import annotations

import tomllib
from collections.abc import AsyncIterator
from pathlib import Path

from crucible.errors import SettingsError
from crucible.mining import MiningContext
from crucible.parts import source
from pipelines.cowork.modelling.model import ModelCase

LIST = "models.toml"


@source("model-cases")
async def model_cases(origin: str, context: MiningContext) -> AsyncIterator[ModelCase]:
    """Each case of a folder's `models.toml`."""
    file = Path(origin) / LIST
    if not file.is_file():
        raise SettingsError(f"{origin} has no {LIST}", "name a folder with one")
    facts = tomllib.loads(file.read_text(encoding="utf-8"))
    told = {"licence": facts.get("licence", ""), "author": facts.get("author", "")}
    for name, case in facts["case"].items():
        yield ModelCase.model_validate({"name": name, **case, **told})
