"""The source `office-queries`: queries drawn from a library, new ones each time."""

from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import islice
from pathlib import Path

from crucible.collecting import Dropped
from crucible.mining import MiningContext
from crucible.parts import source
from pipelines.cowork.model import OfficeQuery
from pipelines.cowork.queries.library import OWN, load_library
from pipelines.queries.drawing import QueryDraw
from pipelines.queries.settings import QuerySettings


@source("office-queries")
async def draw_office_queries(origin: str, context: MiningContext) -> AsyncIterator[OfficeQuery | Dropped]:
    """Queries for work on workbooks and decks, drawn from a library of meta-queries and seed pools."""
    options = context.section(QuerySettings)
    yields = {group.removeprefix("office-"): found for group, found in context.yields().items()}
    folder = Path(origin) if origin else OWN
    draw = QueryDraw.resume(load_library(folder), yields, options.similarity, context.cursor.read())
    for query, twin in islice(draw.stream(), options.batch):
        context.cursor.advance(draw.place)
        drawn = OfficeQuery(query=query, library=str(folder))
        yield Dropped(record=drawn, reason="near_duplicate", detail=f"of office-{twin}") if twin else drawn
