"""What becomes of an item, by what went wrong: the one place where faults turn into fates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from crucible.errors import (
    BudgetSpent,
    RecipeError,
    Rejected,
    SandboxError,
    ServiceMissing,
    StoreError,
    TeacherError,
    Undecided,
)
from crucible.model import Task
from crucible.running.run import Run, open_run
from crucible.settings import LimitSettings, Settings
from crucible.stages import drain as draining
from crucible.stages.drain import StageWork, Tally, drain
from crucible.store.item import Claim, Item
from crucible.store.lookup import item_fates

ITEM = Item.of("draft", Task(domain="toy", kind="x", instruction="y"), pipeline="toy")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    monkeypatch.setattr(draining, "BACKOFF", 0.01)
    with open_run(Settings(home=tmp_path, limits=LimitSettings(retries=1))) as opened:
        opened.ledger.put([ITEM], "stage")
        yield opened


def raising(*faults: Exception | None) -> tuple[Callable[[Claim], object], list[int]]:
    """Work that raises these in turn, the last one for ever; and the attempts it saw."""
    seen: list[int] = []

    async def work(claim: Claim) -> Sequence[Item]:
        seen.append(claim.attempt)
        fault = faults[min(len(seen), len(faults)) - 1]
        if fault is not None:
            raise fault
        return []

    return work, seen


@pytest.mark.parametrize(
    ("fault", "state", "reason"),
    [
        (Rejected("too_small", "2 lines"), "dropped", "too_small"),
        (RecipeError("no image", "the log"), "dropped", "image_does_not_build"),
        (SandboxError("gone"), "error", ""),
        (TeacherError("no answer"), "error", ""),
        (Undecided("torn"), "error", ""),
        (ServiceMissing("browser", "no image"), "error", ""),
        (ZeroDivisionError("ours"), "error", ""),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
async def test_a_fault_decides_the_items_fate(run: Run, fault: Exception, state: str, reason: str) -> None:
    work, _ = raising(fault)
    tally = await drain(run, StageWork("stage", work))
    (fate,) = item_fates(run.ledger, ITEM.id)
    assert (fate.state, fate.reason) == (state, reason)
    assert tally.reasons == ({reason: 1} if reason else {})


async def test_broken_infrastructure_is_tried_again_within_the_run(run: Run) -> None:
    work, seen = raising(SandboxError("gone"), None)
    tally = await drain(run, StageWork("stage", work))
    assert tally == Tally(stage="stage", done=1, again=1)
    assert seen == [1, 2]


async def test_a_bug_is_not_tried_again_in_the_same_run(run: Run) -> None:
    work, seen = raising(KeyError("ours"))
    assert (await drain(run, StageWork("stage", work))).errors == 1
    assert seen == [1]


async def test_an_item_without_its_service_is_set_aside_at_once(run: Run) -> None:
    work, seen = raising(ServiceMissing("browser", "no image"))
    assert (await drain(run, StageWork("stage", work))).errors == 1
    assert seen == [1]


async def test_a_later_run_gives_what_was_set_aside_another_chance(run: Run) -> None:
    broken, _ = raising(SandboxError("gone"))
    assert (await drain(run, StageWork("stage", broken))).errors == 1
    mended, _ = raising(None)
    assert (await drain(run, StageWork("stage", mended))).done == 1


@pytest.mark.parametrize("fault", [StoreError("full"), BudgetSpent("spent")], ids=lambda fault: type(fault).__name__)
async def test_what_stops_the_run_leaves_the_item_waiting(run: Run, fault: Exception) -> None:
    work, _ = raising(fault)
    with pytest.raises(type(fault)):
        await drain(run, StageWork("stage", work))
    run.ledger.release()
    mended, _ = raising(None)
    assert (await drain(run, StageWork("stage", mended))).done == 1
