"""Accepted attempts to a selection: at most so many for each task, by a stated policy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, NamedTuple, TypeVar

from crucible import filters, parts
from crucible.choosing import Candidate, sort_candidates
from crucible.errors import SettingsError
from crucible.exporting import Judged
from crucible.judging.judges import identify_by
from crucible.judging.reading import AttemptReader
from crucible.judging.selecting import NOUN, select_attempts
from crucible.model import Selection
from crucible.record import Record
from crucible.running.run import Run
from crucible.stages.services import OpenServices, open_services
from crucible.store.item import Item
from crucible.store.ledger import Ledger
from crucible.store.lookup import latest_item
from crucible.store.threads import in_thread

R = TypeVar("R", bound=Record)


class Selected(Record):
    """What one selection over the ledger chose."""

    policy: str
    tasks: int = 0
    kept: int = 0
    left: int = 0
    """Accepted, and not kept."""
    changed: int = 0
    """Tasks whose selection is not what it was before."""


class LedgerFacts:
    """Facts as items of the ledger. Implements `crucible.choosing.Facts`."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def recall(self, noun: str, id: str, kind: type[R]) -> R | None:
        item = await in_thread(self._ledger.get, noun, id)
        return item.record(kind) if item else None

    async def keep(self, noun: str, id: str, fact: Record, task_id: str) -> None:
        await in_thread(self._ledger.put, [Item.of(noun, fact, id=id, parent=task_id)])


class Group(NamedTuple):
    """The accepted attempts at one task that a filter lets through, in the order in which a policy gets them."""

    task_id: str
    candidates: list[Candidate]


async def select(run: Run, keep: int, policy: str = "score", where: str = "", authored: bool = False) -> Selected:
    """Choose for every task with accepted attempts; the same choice twice is one row. Attempts that people wrote are
    chosen from only when asked for: one of them would take the place of what a model did."""
    if keep < 1:
        raise SettingsError("--keep must be at least 1")
    part, is_wanted, counts = parts.find("policy", policy), filters.parse_filter(where), Selected(policy=policy)
    reader = AttemptReader(run.ledger, identify_by(run.settings), run.settings.reward.layers, authored=authored)
    accepted = (attempt.judged for attempt in reader.stream())
    async with open_services(run) as opened:
        services = {need: await _get_service(run, opened, need) for need in part.needs}
        groups = _group_by_task(accepted, is_wanted)
        while (group := await in_thread(next, groups, None)) is not None:
            chosen = await select_attempts(group.task_id, group.candidates, part, keep, where, **services)
            counts = _add_counts(counts, chosen, await in_thread(_keep_selection, run, chosen))
    return counts


def _group_by_task(accepted: Iterable[Judged], is_wanted: filters.Filter) -> Iterator[Group]:
    """Read the ledger task by task: the attempts of all tasks would not fit into memory."""
    for task_id, attempts in groupby(accepted, key=lambda attempt: attempt.task_id):
        yield Group(task_id, sort_candidates([attempt for attempt in attempts if is_wanted(attempt)]))


async def _get_service(run: Run, opened: OpenServices, name: str) -> Any:
    """What a policy needs under this name. ServiceMissing, with what to do, when it is not configured."""
    given = {"blobs": run.blobs, "facts": LedgerFacts(run.ledger), "identify": opened.identity}
    return given[name] if name in given else await opened.get(name)


def _keep_selection(run: Run, chosen: Selection) -> bool:
    """Each selection of a task has a number; one that is like the last is not written again."""
    before = latest_item(run.ledger, NOUN, chosen.task_id)
    if before is not None and before.record(Selection) == chosen:
        return False
    number = int(before.id.rpartition("-")[2]) + 1 if before else 1
    item = Item.of(NOUN, chosen, id=f"{chosen.task_id}-{NOUN}-{number}", parent=chosen.task_id)
    return run.ledger.put([item]) == 1


def _add_counts(counts: Selected, chosen: Selection, changed: bool) -> Selected:
    kept = sum(choice.kept for choice in chosen.choices)
    return Selected(
        policy=counts.policy,
        tasks=counts.tasks + 1,
        kept=counts.kept + kept,
        left=counts.left + len(chosen.choices) - kept,
        changed=counts.changed + changed,
    )
