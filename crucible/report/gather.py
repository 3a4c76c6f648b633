"""The ledger as rows to show: every attempt and every drop, read in pages, each row small however large its item."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from pydantic import ValidationError
from sqlalchemy import Row, and_, or_, select

from crucible.judging.accepting import Judge, judges
from crucible.model import Agent, Task, Trajectory, Verdict
from crucible.report.clip import brief
from crucible.report.standing import standing
from crucible.store.database import reading
from crucible.store.item import Item, of_row
from crucible.store.ledger import Ledger
from crucible.store.lookup import items, rulings
from crucible.store.tables import item, rejection, work

_PAGE = 200
_WRAPPED = re.compile(r"^<\w+>\s*(\S.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One trajectory as a row."""

    id: str
    outcome: str
    title: str
    """Of its task."""
    why: str
    """What decided the outcome."""
    pipeline: str
    task: str
    teacher: str
    variant: str
    """Which model or script the teacher was."""
    ended: str
    score: float
    steps: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Drop:
    """An item that went no further, as a row."""

    id: str
    noun: str
    pipeline: str
    stage: str
    reason: str
    """The code the funnel counts; `error` for one that infrastructure kept from a fate."""
    detail: str


def attempts(ledger: Ledger) -> Iterator[Attempt]:
    """Every trajectory. One that cannot be read is a row that says so."""
    tasks = {one.id: _known(one) for one in items(ledger, "task")}
    for page in _pages(ledger):
        found = rulings(ledger, [row.id for row in page])
        for row in page:
            yield _attempt(of_row(row, ledger.blobs), tasks, [one.verdict() for one in found.get(row.id, [])])


def drops(ledger: Ledger) -> Iterator[Drop]:
    """Every drop, and whatever was set aside because its machine broke."""
    same = and_(rejection.c.item == work.c.item, rejection.c.stage == work.c.stage)
    joined = work.join(item, item.c.sequence == work.c.item).outerjoin(rejection, same)
    columns = (item.c.sequence, item.c.id, item.c.noun, work.c.pipeline, work.c.stage, work.c.detail)
    query = select(*columns, rejection.c.reason, rejection.c.detail.label("why")).select_from(joined)
    query = query.where(work.c.state.in_(("dropped", "error"))).order_by(item.c.sequence, work.c.stage)
    last = (0, "")
    while True:
        beyond = or_(item.c.sequence > last[0], and_(item.c.sequence == last[0], work.c.stage > last[1]))
        with reading(ledger.engine) as connection:
            rows = connection.execute(query.where(beyond).limit(_PAGE)).all()
        for row in rows:
            last = (row.sequence, row.stage)
            why = brief(row.why or row.detail, 240)
            yield Drop(row.id, row.noun, row.pipeline, row.stage, row.reason or "error", why)
        if len(rows) < _PAGE:
            return


def title(task: Task) -> str:
    """The statement's first line; where a tag frames the problem, the first line within it says more."""
    framed = _WRAPPED.search(task.instruction[:4000])
    return brief(framed[1] if framed else task.instruction.strip().partition("\n")[0], 120)


def variant(agent: Agent) -> str:
    """Which model, or which script by its name."""
    if "model" in agent.options:
        return brief(str(agent.options["model"]), 80)
    return brief(PurePath(str(agent.options.get("script", ""))).stem, 80)


def _known(one: Item) -> tuple[str, tuple[Judge, ...]]:
    """A task's title, and who has to judge attempts at it."""
    try:
        task = one.record(Task)
    except ValidationError:
        return "", ()
    return title(task), judges(task)


def _pages(ledger: Ledger) -> Iterator[Sequence[Row[Any]]]:
    last = 0
    while True:
        query = select(item).where(item.c.noun == "trajectory", item.c.sequence > last)
        with reading(ledger.engine) as connection:
            rows = connection.execute(query.order_by(item.c.sequence).limit(_PAGE)).all()
        if not rows:
            return
        last = rows[-1].sequence
        yield rows


def _attempt(one: Item, tasks: Mapping[str, tuple[str, tuple[Judge, ...]]], found: Sequence[Verdict]) -> Attempt:
    try:
        trajectory = one.record(Trajectory)
    except ValidationError as wrong:
        return Attempt(one.id, "error", "", brief(f"unreadable: {wrong}"), one.pipeline, "", "", "", "", 0.0, 0, 0.0)
    name, wanted = tasks.get(trajectory.task_id, ("", ()))
    stands = standing(found, one.digest, wanted)
    return Attempt(
        id=one.id,
        outcome=stands.outcome,
        title=name,
        why=brief(stands.why),
        pipeline=one.pipeline,
        task=trajectory.task_id,
        teacher=trajectory.agent.teacher,
        variant=variant(trajectory.agent),
        ended=trajectory.ended,
        score=round(stands.score, 3),
        steps=len(trajectory.steps),
        seconds=round(trajectory.seconds, 1),
    )
