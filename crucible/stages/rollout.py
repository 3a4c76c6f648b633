"""Sound tasks to trajectories."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice

from pydantic import Field

from crucible import parts
from crucible.acting import PlannedAttempt
from crucible.errors import BudgetSpent, Rejected, SettingsError, TeacherRefuses, Unpaid
from crucible.filters import TaskFilter, parse_task_filter
from crucible.judging.task_facts import LedgerTaskFacts
from crucible.model import Agent, Task
from crucible.purse import Purse
from crucible.record import Json, Record, digest
from crucible.running.run import Run
from crucible.settings import Settings
from crucible.stages import verify
from crucible.stages.attempt import SCAFFOLD, attempt
from crucible.stages.drain import StageWork, Tally, drain
from crucible.stages.services import open_services
from crucible.store.item import Claim, Item
from crucible.store.lookup import list_items
from crucible.store.threads import in_thread

log = logging.getLogger(__name__)

QUEUE = "rollout"
PAGE = 200
"""Tasks whose attempts are queued in one transaction."""


class WantedAttempts(Record):
    """Which attempts are to be made: who attempts which tasks, and how often."""

    teacher: str
    samples: int = 1
    """Attempts at each task, which differ by their seed."""
    scaffold: str = ""
    """Empty: that of the task's domain."""
    options: dict[str, Json] = Field(default_factory=dict)
    """What the teacher takes: model, sampling parameters, script."""
    where: str = ""
    """A filter over the sound tasks; empty: all of them."""
    session: str = ""
    """Empty: one for each task and teacher."""


async def rollout(run: Run, wanted: WantedAttempts) -> Tally:
    """Make the attempts that are wanted, and any others that wait; what was attempted already is not done again."""
    await plan_attempts(run, wanted)
    return await work_queue(run, wanted.teacher)


async def plan_attempts(run: Run, wanted: WantedAttempts) -> int:
    """Queue the attempts that are wanted at every sound task that the filter lets through; returns how many are new."""
    is_wanted = parse_task_filter(wanted.where)
    parts.find("scaffold", wanted.scaffold or SCAFFOLD)
    agent = Agent(scaffold=wanted.scaffold, teacher=wanted.teacher, options=wanted.options, session=wanted.session)
    agents = [agent.model_copy(update={"seed": seed}) for seed in range(wanted.samples)]
    return await in_thread(_enqueue_all, run, agents, is_wanted)


def _enqueue_all(run: Run, agents: Sequence[Agent], is_wanted: TaskFilter) -> int:
    """Page by page: a ledger may have more tasks than this machine has memory for."""
    every = (item.record(Task) for item in list_items(run.ledger, "task"))
    tasks = (task for task in every if is_wanted(task, LedgerTaskFacts(run.ledger, task.id)))
    new = 0
    while page := list(islice(tasks, PAGE)):
        new += enqueue(run, [(task, agent_for_task(agent, task, run.settings)) for agent in agents for task in page])
    return new


def agent_for_task(agent: Agent, task: Task, settings: Settings) -> Agent:
    """The agent as it attempts this task: with the tools of its domain and, unless one is named, the scaffold. Attempts
    that differ by their seed alone are one group and share a session, unless one is named."""
    domain = settings.domain(task.domain)
    scaffold = agent.scaffold or domain.scaffold or SCAFFOLD
    solver = agent.model_copy(update={"scaffold": scaffold, "tools": domain.tools, "seed": 0})
    return solver.model_copy(update={"seed": agent.seed, "session": agent.session or digest(solver, task.id)[:12]})


def enqueue(run: Run, pairs: Iterable[tuple[Task, Agent]]) -> int:
    """Queue attempts; returns how many are new."""
    waiting = [
        Item.of("attempt", PlannedAttempt(task_id=task.id, agent=agent), pipeline=task.domain, parent=task.id)
        for task, agent in pairs
    ]
    return run.ledger.put(waiting, QUEUE)


async def work_queue(run: Run, asked_for: str = "") -> Tally:
    """Make every attempt that waits. Those of a teacher whose money is spent, or who refuses us, are set aside for the
    next run; outside a night that is a BudgetSpent, once the attempts of others are made. Where a teacher was
    `asked_for`, those of others that wait for money or settings are only told of."""
    async with open_services(run) as opened:

        async def work(claim: Claim) -> Sequence[Item]:
            planned = claim.item.record(PlannedAttempt)
            item = await in_thread(run.ledger.get, "task", planned.task_id)
            if item is None:
                raise Rejected("task_gone", planned.task_id)
            task = item.record(Task)
            world = await opened.world(task.env.name)
            stops = run.settings.domain_stops(task.domain)
            with _refuse_unpaid(run.purse, planned.agent.teacher, asked_for):
                teacher = await opened.teacher(planned.agent.teacher)
                trajectory = await attempt(task, planned.agent, teacher, world, run.blobs, stops, opened)
            return [Item.of("trajectory", trajectory, pipeline=task.domain, parent=claim.item.id)]

        tally = await drain(run, StageWork(QUEUE, work, then=verify.QUEUE))
    if tally.unpaid and run.portion is None:
        _tell_refusals(run.purse.refused, asked_for)
    return tally


def _tell_refusals(refused: Mapping[str, str], asked_for: str) -> None:
    """BudgetSpent with the reasons why teachers made no attempts; a warning where nobody asked for those."""
    if fatal := [why for teacher, why in refused.items() if asked_for in ("", teacher)]:
        raise BudgetSpent("; ".join(fatal))
    for teacher, why in refused.items():
        log.warning("attempts of %s wait: %s", teacher, why)


@contextmanager
def _refuse_unpaid(purse: Purse, teacher: str, asked_for: str) -> Iterator[None]:
    """Attempts of a teacher whose money is spent, or who refuses us, are set aside before they begin, so that others
    get their turn and nobody waits for what is refused a thousand times."""
    if why := purse.refused.get(teacher):
        raise Unpaid(why)
    try:
        yield
    except (BudgetSpent, TeacherRefuses) as refusal:
        raise Unpaid(purse.refused.setdefault(teacher, refusal.line())) from None
    except SettingsError as unset:  # queued by an earlier run that had the settings: theirs is no fault of this one
        if asked_for in ("", teacher):
            raise
        raise Unpaid(purse.refused.setdefault(teacher, unset.line())) from None
