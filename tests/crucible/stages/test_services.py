"""Services are opened when first needed, once, shared, and closed at the end; a broken one stops nobody else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from crucible import parts
from crucible.errors import RecipeError, ServiceMissing
from crucible.mining import BlobStore
from crucible.model import Check, Criterion, Reference, Task, Trajectory
from crucible.parts import service, verifier
from crucible.record import Record
from crucible.running.run import Run, open_run
from crucible.sandbox import Env, Sandbox
from crucible.serving import OpenWorld
from crucible.settings import Settings
from crucible.stages import prepare, rollout, verify
from crucible.stages import services as opening
from crucible.stages.rollout import WantedAttempts
from crucible.stages.services import open_services
from crucible.store.item import Item
from crucible.store.lookup import item_fates, list_items
from tests.flows.toy import HERE

events: list[str] = []
"""What was opened and closed, in order."""


class Identity(Record):
    """What a toy's answers depend on."""

    home: str


@service("toy.clock", version=3, identity=lambda settings: Identity(home=str(settings.home)))
@asynccontextmanager
async def clock(settings: Settings, blobs: BlobStore, open_world: OpenWorld) -> AsyncIterator[str]:
    """Tells its name."""
    await asyncio.sleep(0.01)  # long enough for a second asker to come
    events.append("open clock")
    yield "clock"
    events.append("close clock")


@service("toy.bell")
@asynccontextmanager
async def bell(settings: Settings, blobs: BlobStore, open_world: OpenWorld) -> AsyncIterator[object]:
    """Is opened with a world."""
    events.append("open bell")
    yield await open_world(f"{HERE}:world")
    events.append("close bell")


@service("toy.broken")
@asynccontextmanager
async def broken(settings: Settings, blobs: BlobStore, open_world: OpenWorld) -> AsyncIterator[object]:
    """Never opens."""
    events.append("try broken")
    raise RecipeError("its image does not build")
    yield


@service("toy.absent", identity=lambda settings: None)
@asynccontextmanager
async def absent(settings: Settings, blobs: BlobStore, open_world: OpenWorld) -> AsyncIterator[object]:
    """Is not configured."""
    yield object()


@verifier("toy.by-broken", layer="function", needs=("toy.broken",))
async def by_broken(task: Task, trajectory: Trajectory, box: Sandbox, **services: Any) -> AsyncIterator[Criterion]:
    """Needs what is broken."""
    yield Criterion(name="never asked", passed=True, evidence="")


@verifier("toy.by-clock", layer="function", needs=("toy.clock",), wants=("toy.absent",))
async def by_clock(task: Task, trajectory: Trajectory, box: Sandbox, **services: Any) -> AsyncIterator[Criterion]:
    """Needs what works."""
    yield Criterion(name="told", passed=services == {"toy.clock": "clock", "toy.absent": None}, evidence=str(services))


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    events.clear()
    with open_run(Settings(home=tmp_path)) as opened:
        yield opened


async def test_a_service_is_opened_once_however_many_ask_at_once_and_closed_last_first(run: Run) -> None:
    async with open_services(run) as services:
        assert events == []
        assert await asyncio.gather(*(services.get("toy.clock") for _ in range(5))) == ["clock"] * 5
        await services.get("toy.bell")
        assert events == ["open clock", "open bell"]
    assert events == ["open clock", "open bell", "close bell", "close clock"]


async def test_a_service_that_failed_is_not_tried_again_for_every_item(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_services(run) as services:
        for _ in range(3):
            with pytest.raises(ServiceMissing, match=r"'toy\.broken' cannot be had: its image does not build"):
                await services.get("toy.broken")
        assert events == ["try broken"]
        monkeypatch.setattr(opening, "RETRY_SECONDS", 0.0)
        services.failures.clear()
        for _ in range(2):
            with pytest.raises(ServiceMissing):
                await services.get("toy.broken")
        assert events == ["try broken"] * 3


async def test_what_is_not_configured_is_nobody_to_those_who_only_want_it(run: Run) -> None:
    async with open_services(run) as services:
        assert await services.get_if_configured("toy.absent") is None
        assert services.identity("toy.absent") == ""
        with pytest.raises(ServiceMissing, match="not configured"):
            await services.get("toy.absent")
        with pytest.raises(ServiceMissing, match=r"services/ has no service 'toy\.unheard-of'; it has: .*judge"):
            await services.get("toy.unheard-of")


async def test_a_service_is_known_by_its_name_its_version_and_its_settings(run: Run, tmp_path: Path) -> None:
    async with open_services(run) as services:
        before = services.identity("toy.clock")
        assert before.startswith("toy.clock v3 ")
        assert events == []
    with open_run(Settings(home=tmp_path / "other")) as other:
        async with open_services(other) as services:
            assert services.identity("toy.clock") not in ("", before)


async def test_set_up_opens_what_is_configured_and_goes_on_without_what_is_broken(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    toys = [parts.find("service", name) for name in ("toy.absent", "toy.broken", "toy.clock")]
    monkeypatch.setattr(parts, "every", lambda kind: toys if kind == "service" else ())
    assert await prepare(run, services=True) == [
        "the service 'toy.broken' cannot be had: its image does not build",
        "service ready: toy.clock",
    ]


async def test_a_broken_service_sets_its_item_aside_and_the_run_goes_on(run: Run) -> None:
    tasks = [
        Task(
            domain="toy",
            kind="sum",
            instruction=name,
            env=Env(name=f"{HERE}:world"),
            checks=(Check(verifier=name),),
            reference=Reference(answer="x"),
        )
        for name in ("toy.by-broken", "toy.by-clock", "toy.by-broken")
    ]
    run.ledger.put([Item.of("task", task) for task in tasks])
    await rollout(run, WantedAttempts(teacher="oracle", samples=2))
    tally = await verify(run)
    assert (tally.done, tally.errors, tally.again) == (2, 2, 0)
    assert events.count("try broken") == 1
    fates = {
        (fate.stage, fate.state, fate.detail)
        for item in list_items(run.ledger, "trajectory")
        for fate in item_fates(run.ledger, item.id)
        if fate.state == "error"
    }
    assert fates == {("verify", "error", "the service 'toy.broken' cannot be had: its image does not build")}
