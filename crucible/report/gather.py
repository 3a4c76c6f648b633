"""The ledger as rows to show: every attempt and every drop, read in pages, each row small however large its item."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from pydantic import ValidationError
from sqlalchemy import and_, or_, select

from crucible.cascade import outcome
from crucible.engine import reading
from crucible.item import Item, of_row, text_of
from crucible.ledger import Ledger
from crucible.lookup import items
from crucible.model import Agent, Task, Trajectory, Verdict
from crucible.report.clip import brief
from crucible.tables import item, rejection, verdict, work

_PAGE = 200
_WRAPPED = re.compile(r"^<\w+>\s*(\S.*)$", re.MULTILINE)

UNJUDGED = "unjudged"
"""Shown where no verifier has looked yet; `error` is one that looked and could not tell."""


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
    titles = {one.id: _title(one) for one in items(ledger, "task")}
    for page in _pages(ledger):
        found = _verdicts(ledger, [one.id for one in page])
        for one in page:
            yield _attempt(one, titles, found[one.id])


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


def current(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Those that count: of each verifier and its parameters, the newest version's."""
    newest: dict[tuple[str, str], Verdict] = {}
    for one in sorted(verdicts, key=lambda one: one.version):
        newest[one.verifier, one.params_hash] = one
    return list(newest.values())


def outcome_of(verdicts: Sequence[Verdict]) -> str:
    """All that count together."""
    return outcome(list(verdicts)) if verdicts else UNJUDGED


def why(verdicts: Sequence[Verdict]) -> str:
    """The first thing that was wrong, or that nothing was."""
    for one in verdicts:
        if one.outcome != "pass":
            return one.detail.partition("\n")[0]
    met = sum(len(one.criteria) for one in verdicts)
    return f"all {met} criteria met" if met else ""


def title(task: Task) -> str:
    """The statement's first line; where a tag frames the problem, the first line within it says more."""
    framed = _WRAPPED.search(task.instruction[:4000])
    return brief(framed[1] if framed else task.instruction.strip().partition("\n")[0], 120)


def variant(agent: Agent) -> str:
    """Which model, or which script by its name."""
    if "model" in agent.options:
        return brief(str(agent.options["model"]), 80)
    return brief(PurePath(str(agent.options.get("script", ""))).stem, 80)


def _title(one: Item) -> str:
    try:
        return title(one.record(Task))
    except ValidationError:
        return ""


def _pages(ledger: Ledger) -> Iterator[list[Item]]:
    last = 0
    while True:
        query = select(item).where(item.c.noun == "trajectory", item.c.sequence > last)
        with reading(ledger.engine) as connection:
            rows = connection.execute(query.order_by(item.c.sequence).limit(_PAGE)).all()
        if not rows:
            return
        last = rows[-1].sequence
        yield [of_row(row, ledger.blobs) for row in rows]


def _verdicts(ledger: Ledger, ids: Sequence[str]) -> dict[str, list[Verdict]]:
    """The verdicts on some trajectories, by one question."""
    query = select(verdict).where(verdict.c.trajectory_id.in_(ids)).order_by(verdict.c.verifier, verdict.c.version)
    with reading(ledger.engine) as connection:
        rows = connection.execute(query).all()
    found: dict[str, list[Verdict]] = defaultdict(list)
    for row in rows:
        found[row.trajectory_id].append(Verdict.model_validate_json(text_of(row, ledger.blobs)))
    return found


def _attempt(one: Item, titles: dict[str, str], found: list[Verdict]) -> Attempt:
    try:
        trajectory = one.record(Trajectory)
    except ValidationError as wrong:
        return Attempt(one.id, "error", "", brief(f"unreadable: {wrong}"), one.pipeline, "", "", "", "", 0.0, 0, 0.0)
    verdicts = current(found)
    return Attempt(
        id=one.id,
        outcome=outcome_of(verdicts),
        title=titles.get(trajectory.task_id, ""),
        why=brief(why(verdicts)),
        pipeline=one.pipeline,
        task=trajectory.task_id,
        teacher=trajectory.agent.teacher,
        variant=variant(trajectory.agent),
        ended=trajectory.ended,
        score=round(min((one.score for one in verdicts), default=0.0), 3),
        steps=len(trajectory.steps),
        seconds=round(trajectory.seconds, 1),
    )
