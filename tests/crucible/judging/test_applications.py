"""An application that an attempt made, served by a real HTTP server in a real box."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator

import pytest

from crucible.judging.applications import Application, Applications
from crucible.judging.cascade import Judging
from crucible.model import Criterion, Task, Trajectory, Verdict
from crucible.parts import verifier
from crucible.sandbox import Network, Networks, Sandbox, World
from crucible.store.blobs import Blobs
from tests.crucible import toys
from tests.crucible.judging.test_cascade import verdicts
from tests.patience import HUNG

APPLICATION = Application(
    command="cat /proc/sys/kernel/random/uuid > start && exec python3 -m http.server 8123", port=8123, seconds=HUNG
)
"""Each start serves another text."""
ASK = "python3 -c \"import urllib.request as r; print(r.urlopen('{url}start').read().decode().strip())\""


async def visit(
    task: Task, trajectory: Trajectory, box: Sandbox, *, applications: Applications
) -> AsyncIterator[Criterion]:
    """Says which start of the application answers."""
    served = await applications.serve(APPLICATION)
    answer = await box.exec(ASK.format(url=served.url))
    yield Criterion(name="it answers", passed=served.answers and answer.ok, evidence=answer.out.strip())


@verifier("toy.kill", layer="interaction", shares="box", needs=("applications",))
async def kill(
    task: Task, trajectory: Trajectory, box: Sandbox, *, applications: Applications
) -> AsyncIterator[Criterion]:
    """Breaks the application."""
    await applications.serve(APPLICATION)
    await box.end_processes()
    yield Criterion(name="it is gone", passed=True, evidence="ended")


@verifier("toy.broken", layer="interaction", needs=("applications",))
async def broken(
    task: Task, trajectory: Trajectory, box: Sandbox, *, applications: Applications
) -> AsyncIterator[Criterion]:
    """Serves what does not start."""
    served = await applications.serve(Application(command="echo no such thing; exit 3", port=8124, seconds=0.5))
    yield Criterion(name="it starts", passed=served.answers, evidence=served.log, gate=True)


@verifier("toy.online", layer="interaction", shares="box", needs=("applications",))
async def online(
    task: Task, trajectory: Trajectory, box: Sandbox, *, applications: Applications
) -> AsyncIterator[Criterion]:
    """Is judged in a box that the host reaches, where the task asks for one to serve in."""
    yield Criterion(name="it has an address", passed=bool(box.address), evidence=box.address)


@verifier("toy.offline", layer="visual", shares="box")
async def offline(task: Task, trajectory: Trajectory, box: Sandbox) -> AsyncIterator[Criterion]:
    """Serves nothing, so its box is one for grading."""
    yield Criterion(name="it has none", passed=not box.address, evidence=box.address)


for name, layer, shares in (
    ("toy.click", "interaction", "box"),
    ("toy.look", "visual", "box"),
    ("toy.apart", "visual", ""),
):
    verifier(name, layer=layer, shares=shares, needs=("applications",))(visit)  # type: ignore[arg-type]


async def judge_by(judging: Judging, *names: str) -> dict[str, Verdict]:
    task = toys.task(*names)
    return {found.verifier: found for found in await verdicts(task, toys.trajectory(task), judging)}


@pytest.fixture
def judging(world: World, blobs: Blobs) -> Judging:
    return Judging(world, blobs)


async def test_checks_that_share_a_box_share_the_application_that_is_served_in_it(judging: Judging) -> None:
    found = await judge_by(judging, "toy.click", "toy.look", "toy.apart")
    assert {verdict.outcome for verdict in found.values()} == {"pass"}
    clicked, looked, apart = (found[name].criteria[0].evidence for name in ("toy.click", "toy.look", "toy.apart"))
    assert uuid.UUID(clicked) == uuid.UUID(looked) != uuid.UUID(apart)


async def test_an_application_that_ended_is_started_again_for_the_next_check(judging: Judging) -> None:
    found = await judge_by(judging, "toy.kill", "toy.look")
    assert {verdict.outcome for verdict in found.values()} == {"pass"}


async def test_an_application_that_does_not_start_is_told_with_what_it_printed(judging: Judging) -> None:
    [verdict] = (await judge_by(judging, "toy.broken")).values()
    assert (verdict.outcome, verdict.criteria[0].evidence) == ("fail", "no such thing\n")


async def test_what_serves_gets_the_network_for_serving_and_shares_no_box_with_what_does_not(judging: Judging) -> None:
    env = toys.ENV.model_copy(update={"networks": Networks(serving=Network(mode="internal"))})
    task = toys.task("toy.online", "toy.offline").model_copy(update={"env": env})
    found = await verdicts(task, toys.trajectory(task), judging)
    assert [verdict.outcome for verdict in found] == ["pass", "pass"]
