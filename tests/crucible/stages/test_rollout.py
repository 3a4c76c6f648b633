"""An attempt is made with the scaffold, tools and stops of its domain, by the harness that its agent names."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from crucible.acting import Ask, Reply, Stops, Teacher
from crucible.errors import BudgetSpent, SettingsError, TeacherRefuses
from crucible.mining import BlobStore
from crucible.model import Agent, Reference, Task, Trajectory
from crucible.parts import agent, service, teacher, tool
from crucible.record import Record
from crucible.running.run import Run, open_run
from crucible.sandbox import Env, Sandbox
from crucible.serving import OpenWorld, Services
from crucible.settings import DomainSettings, DomainStops, Settings
from crucible.stages.rollout import WantedAttempts, enqueue, plan_attempts, rollout, work_queue
from crucible.store.item import Item
from crucible.store.lookup import item_fates, list_items
from tests.flows import toy

HERE = __name__
TASK = Task(
    domain="toy",
    kind="sum",
    instruction="Twice 3?",
    env=Env(name=f"{toy.HERE}:world"),
    reference=Reference(answer="6"),
)


class Refusing:
    """A teacher whose endpoint does not know the key."""

    asked = 0

    async def reply(self, task: Task, ask: Ask) -> Reply:
        Refusing.asked += 1
        raise TeacherRefuses("the endpoint answered 401", "set teacher.api_key")


@teacher("toy.refusing")
@asynccontextmanager
async def open_refusing(settings: Settings) -> AsyncIterator[Refusing]:
    """Nobody is answered."""
    yield Refusing()


async def test_a_teacher_that_refuses_us_is_asked_once_and_its_attempts_wait_for_the_next_run(run: Run) -> None:
    tasks = [TASK.model_copy(update={"instruction": f"Twice {n}?"}) for n in range(9)]
    run.ledger.put([Item.of("task", task, pipeline="toy") for task in tasks])
    with pytest.raises(BudgetSpent, match=r"401 -> set teacher\.api_key"):
        await rollout(run, WantedAttempts(teacher=f"{HERE}:open_refusing"))
    assert Refusing.asked <= run.settings.limits.boxes
    fates = [fate for item in list_items(run.ledger, "attempt") for fate in item_fates(run.ledger, item.id)]
    assert {(fate.stage, fate.state) for fate in fates} == {("rollout", "unpaid")}


@teacher("toy.unset")
@asynccontextmanager
async def open_unset(settings: Settings) -> AsyncIterator[Refusing]:
    """Nobody has said where it is."""
    raise SettingsError("no endpoint is set")
    yield Refusing()


async def test_attempts_that_wait_for_another_teachers_settings_do_not_stop_this_one(
    run: Run, caplog: pytest.LogCaptureFixture
) -> None:
    run.ledger.put([Item.of("task", TASK, pipeline="toy")])
    unset = WantedAttempts(teacher=f"{HERE}:open_unset")
    await plan_attempts(run, unset)
    tally = await rollout(run, WantedAttempts(teacher="nop"))
    assert (tally.done, tally.unpaid) == (1, 1)
    assert caplog.messages == [f"attempts of {unset.teacher} wait: no endpoint is set"]


@service("toy.oracle")
@asynccontextmanager
async def open_book(settings: Settings, blobs: BlobStore, open_world: OpenWorld) -> AsyncIterator[str]:
    """A book that knows an answer."""
    yield "six"


class BookArguments(Record):
    """Where to look."""

    page: int


@tool("toy.look-up", needs=("toy.oracle",))
async def look_up(context: Any, arguments: BookArguments, **services: str) -> str:
    """Look into the book."""
    return f"page {arguments.page} says {services['toy.oracle']}"


@tool("toy.look-away", needs=("toy.nowhere",))
async def look_away(context: Any, arguments: BookArguments, **services: str) -> str:
    """Needs what nobody has."""
    return ""


@agent("toy.silent-harness")
async def silent(
    task: Task, box: Sandbox, agent: Agent, teacher: Teacher, *, stops: Stops, services: Services
) -> tuple[Trajectory, Mapping[str, bytes]]:
    """Says nothing."""
    made = Trajectory(task_id=task.id, agent=agent, system="", prompt="", ended="silent", detail=f"{stops.steps}")
    return made, {}


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    domain = DomainSettings(scaffold="bash", tools=("toy.look-up",), stops=DomainStops(steps=2))
    with open_run(Settings(home=tmp_path, domains={"toy": domain})) as opened:
        opened.ledger.put([Item.of("task", TASK, pipeline="toy")])
        yield opened


def look(tool: str) -> dict[str, Any]:
    return {"turns": [{"calls": [{"tool": tool, "arguments": {"page": 4}}]}] * 5}


def trajectories(run: Run) -> list[Trajectory]:
    return [item.record(Trajectory) for item in list_items(run.ledger, "trajectory")]


async def test_a_domain_gives_scaffold_tools_and_stops(run: Run) -> None:
    await rollout(run, WantedAttempts(teacher="scripted", options=look("toy.look-up")))
    (made,) = trajectories(run)
    assert [tool.name for tool in made.tools] == ["shell", "submit", "toy_look-up"]
    assert (made.agent.scaffold, made.agent.tools) == ("bash", ("toy.look-up",))
    assert (made.ended, len(made.steps)) == ("steps", 2)


async def test_a_tool_is_handed_the_service_that_it_needs(run: Run) -> None:
    await rollout(run, WantedAttempts(teacher="scripted", options=look("toy.look-up")))
    assert trajectories(run)[0].steps[0].observations[0].content == "page 4 says six"


async def test_the_user_may_name_another_scaffold(run: Run) -> None:
    await rollout(run, WantedAttempts(teacher="oracle", scaffold="text"))
    assert trajectories(run)[0].form == "text"


async def test_an_attempt_whose_tool_lacks_its_service_is_set_aside_with_the_reason(run: Run) -> None:
    attempt = Agent(scaffold="bash", tools=("toy.look-away",), teacher="scripted", options=look("toy.look-away"))
    enqueue(run, [(TASK, attempt)])
    tally = await work_queue(run)
    assert (tally.done, tally.errors) == (0, 1)
    assert "toy.nowhere" in str(item_fates(run.ledger, attempt.attempt_id(TASK.id)))


async def test_the_harness_is_found_by_the_name_that_the_agent_gives(run: Run) -> None:
    enqueue(run, [(TASK, Agent(harness="toy.silent-harness", scaffold="native", teacher="nop"))])
    await work_queue(run)
    (made,) = trajectories(run)
    assert (made.ended, made.detail, made.agent.harness) == ("silent", "2", "toy.silent-harness")
