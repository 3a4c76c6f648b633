"""The ledger as rows to show: every attempt and every drop, read in pages, each row small however large its item."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, NamedTuple

from pydantic import ValidationError
from sqlalchemy import Row, and_, or_, select

from crucible.judging.judges import Identify, Judge, identify_nobody, required_judges
from crucible.model import Agent, Task, Trajectory, Verdict
from crucible.report.clip import clip_line, clip_name
from crucible.report.standing import find_standing
from crucible.reward import EVEN, Weights
from crucible.store.database import read_transaction
from crucible.store.item import Item, from_row
from crucible.store.ledger import Ledger
from crucible.store.lookup import list_items, rulings_by_trajectory
from crucible.store.tables import item, rejection, work

_PAGE = 200
_WRAPPED = re.compile(r"^<\w+>\s*(\S.*)$", re.MULTILINE)
# matches: <problem>\nSearching raises an error


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """One trajectory as a row."""

    id: str
    outcome: str
    title: str
    """Of its task."""
    why: str
    """What decided the outcome."""
    pipeline: str
    kind: str
    """Of its task: `swe / bugfix`."""
    task: str
    teacher: str
    variant: str
    """Which model or script the teacher was."""
    ended: str
    reward: float
    steps: int
    seconds: float


@dataclass(frozen=True, slots=True)
class DropRow:
    """An item that went no further, as a row."""

    id: str
    noun: str
    pipeline: str
    stage: str
    reason: str
    """The code the funnel counts; `error` for one that infrastructure kept from a fate."""
    detail: str


def read_attempts(ledger: Ledger, identify: Identify = identify_nobody, layers: Weights = EVEN) -> Iterator[AttemptRow]:
    """Every trajectory. One that cannot be read is a row that says so."""
    tasks = {task.id: _task_facts(task, identify) for task in list_items(ledger, "task")}
    for page in _trajectory_pages(ledger):
        rulings = rulings_by_trajectory(ledger, [row.id for row in page])
        for row in page:
            verdicts = [ruling.verdict() for ruling in rulings.get(row.id, [])]
            yield _attempt_row(from_row(row, ledger.blobs), tasks, verdicts, layers)


def read_drops(ledger: Ledger) -> Iterator[DropRow]:
    """Every drop, and whatever was set aside because its machine broke."""
    same = and_(rejection.c.item == work.c.item, rejection.c.stage == work.c.stage)
    joined = work.join(item, item.c.sequence == work.c.item).outerjoin(rejection, same)
    columns = (item.c.sequence, item.c.id, item.c.noun, work.c.pipeline, work.c.stage, work.c.detail)
    query = select(*columns, rejection.c.reason, rejection.c.detail.label("why")).select_from(joined)
    query = query.where(work.c.state.in_(("dropped", "error"))).order_by(item.c.sequence, work.c.stage)
    last = (0, "")
    while True:
        beyond = or_(item.c.sequence > last[0], and_(item.c.sequence == last[0], work.c.stage > last[1]))
        with read_transaction(ledger.engine) as connection:
            rows = connection.execute(query.where(beyond).limit(_PAGE)).all()
        for row in rows:
            last = (row.sequence, row.stage)
            why = clip_line(row.why or row.detail, 240)
            yield DropRow(row.id, row.noun, row.pipeline, row.stage, row.reason or "error", why)
        if len(rows) < _PAGE:
            return


def task_title(task: Task) -> str:
    """The statement's first line, without the mark of a heading; where a tag frames the problem, the first line within
    it says more."""
    framed = _WRAPPED.search(task.instruction[:4000])
    return clip_line(framed[1] if framed else task.instruction.strip().partition("\n")[0].lstrip("# "), 120)


def task_kind(task: Task) -> str:
    """The domain and kind, as the pages tell it."""
    return clip_name(f"{task.domain} / {task.kind}")


def agent_variant(agent: Agent) -> str:
    """Which model, which attempt of a folder, or which script by its name."""
    if name := agent.options.get("model") or agent.options.get("attempt"):
        return clip_line(str(name), 80)
    return clip_line(PurePath(str(agent.options.get("script", ""))).stem, 80)


class TaskFacts(NamedTuple):
    """What the rows of attempts tell of their task, and who has to judge them."""

    title: str = ""
    kind: str = ""
    judges: tuple[Judge, ...] = ()


def _task_facts(item: Item, identify: Identify) -> TaskFacts:
    try:
        task = item.record(Task)
    except ValidationError:
        return TaskFacts()
    return TaskFacts(task_title(task), task_kind(task), required_judges(task, identify))


def _trajectory_pages(ledger: Ledger) -> Iterator[Sequence[Row[Any]]]:
    last = 0
    while True:
        query = select(item).where(item.c.noun == "trajectory", item.c.sequence > last)
        with read_transaction(ledger.engine) as connection:
            rows = connection.execute(query.order_by(item.c.sequence).limit(_PAGE)).all()
        if not rows:
            return
        last = rows[-1].sequence
        yield rows


def _attempt_row(
    item: Item, tasks: Mapping[str, TaskFacts], verdicts: Sequence[Verdict], layers: Weights
) -> AttemptRow:
    try:
        trajectory = item.record(Trajectory)
    except ValidationError as wrong:
        return AttemptRow(
            item.id, "error", "", clip_line(f"unreadable: {wrong}"), item.pipeline, "", "", "", "", "", 0.0, 0, 0.0
        )
    task = tasks.get(trajectory.task_id, TaskFacts())
    stands = find_standing(verdicts, item.digest, task.judges, layers)
    return AttemptRow(
        id=item.id,
        outcome=stands.outcome,
        title=task.title,
        why=clip_line(stands.why),
        pipeline=item.pipeline,
        kind=task.kind,
        task=trajectory.task_id,
        teacher=trajectory.agent.teacher,
        variant=agent_variant(trajectory.agent),
        ended=trajectory.ended,
        reward=round(stands.reward, 3),
        steps=len(trajectory.steps),
        seconds=round(trajectory.seconds, 1),
    )
