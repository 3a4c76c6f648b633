"""The sources: queries drawn from a library, and authored queries that come with an application known to be good."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from itertools import islice
from pathlib import Path

from crucible.collecting import Dropped
from crucible.datafile import read_file
from crucible.errors import SettingsError
from crucible.mining import MiningContext
from crucible.parts import source
from crucible.record import Record
from pipelines.appdev.library import OWN, load_library
from pipelines.appdev.model import AppQuery
from pipelines.queries.drawing import QueryDraw
from pipelines.queries.expanding import compose_query
from pipelines.queries.model import Choice
from pipelines.queries.settings import QuerySettings

SAMPLE = "query.toml"
"""The file that says what an authored application is an answer to; its files lie beside it, in `good`."""


class AuthoredQuery(Record):
    """A file `query.toml`: a choice of a meta-query, or a query in its author's own words."""

    meta: str
    number: int
    choice: Choice = Choice()
    opening: str = ""
    """Takes the place of the meta-query's opening."""
    asks: tuple[str, ...] = ()
    """More sentences, which no feature brings."""


@source("app-queries")
async def draw_queries(origin: str, context: MiningContext) -> AsyncIterator[AppQuery | Dropped]:
    """Queries drawn from a library of meta-queries and seed pools, new ones each time."""
    options = context.section(QuerySettings)
    yields = {group.removeprefix("appdev-"): found for group, found in context.yields().items()}
    library = load_library(Path(origin) if origin else OWN)
    draw = QueryDraw.resume(library, yields, options.similarity, context.cursor.read())
    for query, twin in islice(draw.stream(), options.batch):
        context.cursor.advance(draw.place)
        drawn = AppQuery(query=query)
        yield Dropped(record=drawn, reason="near_duplicate", detail=f"of appdev-{twin}") if twin else drawn


@source("app-samples")
async def read_samples(origin: str, context: MiningContext) -> AsyncIterator[AppQuery]:
    """Authored queries, each in a folder with an application that is held to be good."""
    for folder in find_samples(Path(origin)):
        yield read_sample(folder)


def find_samples(origin: Path) -> list[Path]:
    """The folders of authored queries below a folder; SettingsError where there are none."""
    folders = sorted(file.parent for file in origin.glob(f"*/{SAMPLE}"))
    if not folders:
        raise SettingsError(
            f"{origin} has no folder with a {SAMPLE}", "name a folder of authored queries, or a library"
        )
    return folders


def read_sample(folder: Path) -> AppQuery:
    """An authored query. One whose choice cannot be made is a query too, with its fault."""
    authored = read_file(folder / SAMPLE, AuthoredQuery)
    library = load_library()
    query = compose_query(library.metas[authored.meta], library, authored.number, authored.choice)
    changes = {"opening": authored.opening or query.opening, "asks": (*query.asks, *authored.asks)}
    return AppQuery(query=query.model_copy(update=changes), solution=dict(_read_solution(folder / "good")))


def _read_solution(folder: Path) -> Iterator[tuple[str, str]]:
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            try:
                yield str(file.relative_to(folder)), file.read_text("utf-8")
            except UnicodeDecodeError:
                remedy = "take in applications with other files than text by `crucible import applications`"
                raise SettingsError(f"{file} is no text", remedy) from None


def choose_source(origin: str) -> str:
    """The source that an origin is for: a folder with meta-queries is a library."""
    return "app-queries" if (Path(origin) / "metas").is_dir() else "app-samples"
