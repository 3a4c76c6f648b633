"""Tasks that nobody has attempted yet, in the form in which exporters are handed attempts: a trainer may want them too.

Such a task is told by its instruction alone: there is no conversation to take system prompt and tools from.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice

from crucible.exporting import Judged, read_light
from crucible.judging.reading import JudgedTask, ReadAttempt
from crucible.judging.task_facts import LedgerTaskFacts
from crucible.model import Agent, Task, Trajectory
from crucible.store.item import Item
from crucible.store.ledger import Ledger
from crucible.store.lookup import list_items

PAGE_TASKS = 400


def untried_pages(ledger: Ledger, tried: Collection[str]) -> Iterator[list[ReadAttempt]]:
    """The tasks without a judged attempt, in the order they came."""
    tasks = (_as_attempt(item, ledger) for item in list_items(ledger, "task") if item.id not in tried)
    while page := list(islice(tasks, PAGE_TASKS)):
        yield page


def _as_attempt(item: Item, ledger: Ledger) -> ReadAttempt:
    task = item.record(Task)
    nobody = Agent(scaffold="", teacher="")
    attempt = Trajectory(task_id=item.id, agent=nobody, system="", prompt=task.instruction, ended="silent")
    body = attempt.model_dump_json(exclude_defaults=True)
    facts = LedgerTaskFacts(ledger, item.id)
    judged = Judged(item.id, "", task, body, read_light(body), (), outcome="error", facts=facts)
    return ReadAttempt(judged, JudgedTask(task, item.body, (), None, frozenset()))
