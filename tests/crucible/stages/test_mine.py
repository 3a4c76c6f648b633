"""What a source gave is kept, counted once, refused with a reason, and read on from where it stopped."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path

import pytest
from sqlalchemy import event

from crucible.collecting import Dropped
from crucible.errors import CrucibleError, Rejected
from crucible.mining import MiningContext, Pipeline, Stage
from crucible.parts import pipeline, source
from crucible.record import Record
from crucible.running.run import Run, open_run
from crucible.settings import Settings
from crucible.stages.mine import collect, refine
from crucible.store.funnel import count_funnel
from crucible.store.item import Item
from crucible.store.lookup import item_fates, list_items
from crucible.store.memory import LedgerMemory

HERE = "tests.crucible.stages.test_mine"
yielded: list[int] = []
"""The stones that were dug, in all collections of a test."""


class Stone(Record):
    """A raw item."""

    number: int

    @property
    def id(self) -> str:
        return f"stone-{self.number}"


@source("stones")
async def stones(origin: str, context: MiningContext) -> AsyncIterator[Record]:
    """As many stones as the origin says, from where the last collection stopped; every tenth is refused."""
    length, _, trouble = origin.partition(" ")
    for number in range(int(context.cursor.read() or 0), int(length)):
        yielded.append(number)
        stone = Stone(number=number)
        yield stone if number % 10 else Dropped(record=stone, reason="cracked", detail="it rings hollow")
        context.cursor.advance(str(number + 1))
    if trouble:
        raise CrucibleError("come back at noon")


async def cut(stone: Stone, context: MiningContext) -> Sequence[Record]:
    """Remembers thirty things of each stone, refuses some, and makes two halves of which one may break."""
    sides = [f"{stone.id}:{side}" for side in range(30)]
    assert not context.memory.recall_all(sides)
    for side in sides:
        context.memory.remember(side, "flat")
    if stone.number == 7:
        raise Rejected("too_hard")
    half = Stone(number=1000 + stone.number)
    return [stone, Dropped(record=half, reason="broke") if stone.number % 2 else half]


@pipeline("stonework")
def stonework() -> Pipeline:
    """Stones."""
    return Pipeline("stonework", (Stage("cut", Stone, cut),), source=f"{HERE}:stones", world="tests.flows.toy:world")


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    yielded.clear()
    with open_run(Settings(home=tmp_path)) as opened:
        yield opened


async def dig(run: Run, origin: str, limit: int | None = None, anew: bool = False) -> int:
    return await collect(run, f"{HERE}:stonework", origin, limit, anew=anew)


async def test_a_source_that_stops_early_loses_nothing(run: Run) -> None:
    with pytest.raises(CrucibleError, match="noon"):
        await dig(run, "130 trouble")
    assert len(list(list_items(run.ledger, "raw"))) == 130


async def test_the_next_collection_goes_on_where_the_last_stopped(run: Run) -> None:
    assert await dig(run, "30") == 27
    assert await dig(run, "30") == 0
    assert yielded == list(range(30))


async def test_another_origin_has_a_cursor_of_its_own_and_one_may_be_read_anew(run: Run) -> None:
    await dig(run, "30")
    assert await dig(run, "40") == 9, "what is there already is not new"
    yielded.clear()
    assert await dig(run, "30", anew=True) == 0
    assert yielded == list(range(30))


async def test_the_limit_counts_what_is_new_and_the_source_is_not_read_further(run: Run) -> None:
    assert [await dig(run, "60", limit=5) for _ in range(2)] == [5, 5]
    assert len(set(yielded)) <= 5 + 5 + 2
    assert await dig(run, "60", limit=100, anew=True) == 54 - 10


async def test_a_cursor_is_not_ahead_of_what_is_written(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> int:
        raise CrucibleError("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(type(run.ledger), "put", full)
        with pytest.raises(CrucibleError, match="full"):
            await dig(run, "20")
    assert await dig(run, "20") == 18


async def test_what_a_source_refuses_is_an_item_with_its_reason_and_goes_no_further(run: Run) -> None:
    for _ in range(2):
        await dig(run, "20", anew=True)
        funnel = count_funnel(run.ledger)
        assert funnel.nouns == {"raw": 20}
        collecting, cutting = funnel.stages
        assert (collecting.stage, collecting.came, collecting.reasons) == ("stonework.collect", 2, {"cracked": 2})
        assert (cutting.stage, cutting.came, cutting.waiting) == ("stonework.cut", 18, 18)
    [fate] = item_fates(run.ledger, "stone-10")
    assert (fate.state, fate.reason, fate.detail) == ("dropped", "cracked", "it rings hollow")


async def test_an_output_that_could_not_be_made_is_a_rejection_and_costs_its_item_nothing(run: Run) -> None:
    await dig(run, "10")
    await refine(run, stonework())
    stages = {stage.stage: stage for stage in count_funnel(run.ledger).stages}
    assert (stages["stonework.cut"].done, stages["stonework.cut"].reasons) == (8, {"too_hard": 1})
    assert stages["stonework.cut.outputs"].reasons == {"broke": 4}
    assert stages["validate"].waiting == 8 + 4
    [item] = [one for one in list_items(run.ledger, "unmade") if one.id == "stone-1001"]
    assert item.parent == "stone-1"


async def test_what_a_stage_remembers_is_written_with_the_closing_of_its_claims(run: Run) -> None:
    await dig(run, "100")
    commits: list[object] = []
    event.listen(run.ledger.engine, "commit", commits.append)
    await refine(run, stonework())
    assert len(commits) < 3 * 90, "thirty things are remembered of each of ninety"
    memory = LedgerMemory(run.ledger)
    assert all(memory.recall(f"stone-{number}:29") == "flat" for number in (1, 7, 99)), "the dropped one's too"


def test_of_two_who_remember_the_first_to_be_written_is_believed_by_both(run: Run) -> None:
    one, other = LedgerMemory(run.ledger), LedgerMemory(run.ledger)
    one.remember("key", "of one")
    other.remember("key", "of the other")
    assert (one.recall("key"), other.recall("key")) == ("of one", "of the other")
    for memory in (one, other):
        notes: list[Item] = memory.take_notes()
        run.ledger.put(notes)
    assert (one.recall("key"), other.recall("key")) == ("of one", "of one")


@pytest.mark.parametrize("name", ["appdev", "cowork", "swe", "terminal"])
async def test_without_an_origin_a_pipeline_reads_its_sample_data(run: Run, name: str) -> None:
    assert await collect(run, name, limit=1) == 1
