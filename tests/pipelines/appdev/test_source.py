"""Queries out of the library: new ones each time, duplicates told, weights from what came of earlier ones."""

from __future__ import annotations

from dataclasses import dataclass

from crucible.collecting import Dropped
from crucible.mining import MiningContext, Yield
from crucible.sandbox import World
from crucible.settings import Settings
from crucible.store.blobs import Blobs
from pipelines.appdev.model import AppQuery
from pipelines.appdev.source import draw_queries
from pipelines.queries.settings import QuerySettings

FEW = Settings(sections={"queries": QuerySettings(batch=120)})


@dataclass
class Place:
    """A cursor that remembers within a test."""

    place: str = ""

    def read(self) -> str:
        return self.place

    def advance(self, place: str) -> None:
        self.place = place


async def test_a_later_collection_gives_other_queries_and_knows_the_earlier_ones(world: World, blobs: Blobs) -> None:
    context = MiningContext(world, blobs, settings=FEW, cursor=Place())
    first = [item async for item in draw_queries("", context)]
    later = [item async for item in draw_queries("", context)]
    ids = [(item.record if isinstance(item, Dropped) else item).id for item in (*first, *later)]  # type: ignore[attr-defined]
    assert len(set(ids)) == len(ids) == 240
    dropped = [item for item in (*first, *later) if isinstance(item, Dropped)]
    assert dropped
    assert all(item.reason == "near_duplicate" and item.detail.removeprefix("of ") in ids for item in dropped)


async def test_what_led_to_accepted_work_is_drawn_more_often(world: World, blobs: Blobs) -> None:
    yields = {"appdev-growth": Yield(drawn=9, tasks=9, accepted=9, factor=3.0), "appdev-shop": Yield(factor=0.1)}
    context = MiningContext(world, blobs, settings=FEW, cursor=Place(), yields=lambda: yields)
    drawn = [item async for item in draw_queries("", context)]
    metas = [item.record.query.meta if isinstance(item, Dropped) else item.query.meta for item in drawn]  # type: ignore[attr-defined]
    assert metas.count("growth") >= 2 * metas.count("task-page") > metas.count("shop")


async def test_every_query_is_known_by_its_pipeline_and_meta_query(world: World, blobs: Blobs) -> None:
    context = MiningContext(world, blobs, settings=FEW, cursor=Place())
    item = await anext(draw_queries("", context))
    assert isinstance(item, AppQuery)
    assert item.id == f"appdev-{item.query.meta}-0"
