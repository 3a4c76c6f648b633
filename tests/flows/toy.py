"""A pipeline that needs nothing: sums as raw items, a world without a machine, a verifier that knows the answer."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager

from crucible.errors import Rejected
from crucible.mining import BlobStore, MiningContext, Pipeline, Stage
from crucible.model import Check, Criterion, Reference, Task, Trajectory
from crucible.parts import env, pipeline, source, verifier
from crucible.record import Record
from crucible.sandbox import Done, Env, Sandbox
from crucible.settings import Settings

HERE = "tests.flows.toy"


class Sum(Record):
    """A raw item."""

    number: int

    @property
    def id(self) -> str:
        return f"sum-{self.number}"


class Nowhere:
    """A box without a machine: every command fails."""

    address = ""

    async def exec(
        self, command: str, *, timeout: float | None = None, user: str | None = None, stdin: bytes = b""
    ) -> Done:
        return Done(code=1)

    async def read(self, path: str, *, limit: int = 1 << 24) -> bytes:
        raise FileNotFoundError(path)

    async def write(self, path: str, data: bytes, *, mode: int = 0o644, user: str | None = None) -> None:
        return

    @asynccontextmanager
    async def fork(self) -> AsyncIterator[Sandbox]:
        yield Nowhere()


class NoWorld:
    """Opens boxes without a machine, as slowly as the environment says: a night that is disturbed must last."""

    @asynccontextmanager
    async def open(self, env: Env, **_: object) -> AsyncIterator[Sandbox]:
        await asyncio.sleep(float(os.environ.get("TOY_PAUSE", "0")))
        yield Nowhere()

    async def prepare(self, env: Env | None = None, *, boxes: int = 0) -> str:
        return "nowhere"

    async def sweep(self, keep: Collection[Env], dry_run: bool = False) -> list[str]:
        return []


@env("toy-world")
@asynccontextmanager
async def world(settings: Settings, blobs: BlobStore) -> AsyncIterator[NoWorld]:
    """No machine."""
    yield NoWorld()


@source("toy-sums")
async def sums(origin: str, context: MiningContext) -> AsyncIterator[Sum]:
    """As many sums as the origin says."""
    for number in range(int(origin)):
        yield Sum(number=number)


async def odd_ones_only(item: Sum, context: MiningContext) -> Sequence[Record]:
    if item.number % 5 == 0:
        raise Rejected("multiple_of_five")
    return [item]


async def write_task(item: Sum, context: MiningContext) -> Sequence[Record]:
    want = str(item.number * 2)
    checks = (Check(verifier=f"{HERE}:knows", params={"want": want}),)
    place = Env(name=f"{HERE}:world")
    asked = f"Twice {item.number}?"
    return [
        Task(domain="toy", kind="sum", instruction=asked, env=place, checks=checks, reference=Reference(answer=want))
    ]


@pipeline("toy-pipeline")
def toy() -> Pipeline:
    """Sums."""
    stages = (Stage("filter", Sum, odd_ones_only), Stage("write", Sum, write_task))
    return Pipeline("toy", stages, source=f"{HERE}:sums", samples=("20",), world=f"{HERE}:world")


class Want(Record):
    """The answer."""

    want: str


@verifier("toy-knows", layer="function", version=1, cost="milliseconds", needs=("blobs",))
async def knows(
    task: Task, trajectory: Trajectory, box: Sandbox, *, params: Want, blobs: BlobStore
) -> AsyncIterator[Criterion]:
    """The answer is right."""
    said = blobs.get(trajectory.artifacts["answer"]).decode() if "answer" in trajectory.artifacts else ""
    yield Criterion(name="the answer is right", passed=said == params.want, evidence=said)
