"""What came of the raw items of a source, by group: a meta-query, say, whose queries are its items.

A group whose items led to accepted work more often than others is worth drawing from more often. What is known of a
group with few items is mixed with what is known of all.
"""

from __future__ import annotations

from collections import Counter

from sqlalchemy import select

from crucible.judging.judges import Identify, identify_nobody, required_judges
from crucible.judging.reading import attempt_outcomes
from crucible.mining import Yield
from crucible.model import Task
from crucible.store.database import read_transaction
from crucible.store.ledger import Ledger
from crucible.store.lookup import list_items
from crucible.store.tables import item

ITEM = "item"
"""The label of a task that names the raw item it was made from."""
PRIOR = 6.0
"""So many items of a middling group are taken for granted: one bad item says little."""
LEAST, MOST = 0.1, 3.0
"""How far a group is turned down or up: none is given up for ever."""


def count_yields(ledger: Ledger, pipeline: str, identify: Identify = identify_nobody) -> dict[str, Yield]:
    """What came of each group of a pipeline's raw items; tasks without the label `item` belong to none."""
    with read_transaction(ledger.engine) as connection:
        ids = connection.scalars(select(item.c.id).where(item.c.noun == "raw", item.c.pipeline == pipeline)).all()
    tasks = [each.record(Task) for each in list_items(ledger, "task", pipeline=pipeline)]
    sound = {task.labels[ITEM] for task in tasks if ITEM in task.labels}
    accepted = {
        task.labels[ITEM]
        for task in tasks
        if ITEM in task.labels
        and any(each.outcome == "pass" for each in attempt_outcomes(ledger, task.id, required_judges(task, identify)))
    }
    counts = [Counter(map(group_of_item, each)) for each in (ids, sound, accepted)]
    return weigh_yields(
        {
            group: Yield(drawn=drawn, tasks=counts[1][group], accepted=counts[2][group])
            for group, drawn in counts[0].items()
        }
    )


def group_of_item(id: str) -> str:
    """`appdev-todo-list-12` belongs to `appdev-todo-list`."""
    return id.rpartition("-")[0]


def weigh_yields(yields: dict[str, Yield]) -> dict[str, Yield]:
    """Each group with its factor: how its share of accepted items compares with the share over all."""
    drawn, accepted = sum(each.drawn for each in yields.values()), sum(each.accepted for each in yields.values())
    if not accepted:
        return yields
    middling = accepted / drawn
    return {group: each.model_copy(update={"factor": _compare(each, middling)}) for group, each in yields.items()}


def _compare(group: Yield, middling: float) -> float:
    share = (group.accepted + PRIOR * middling) / (group.drawn + PRIOR)
    return round(min(MOST, max(LEAST, share / middling)), 3)
