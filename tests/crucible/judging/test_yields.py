"""What came of groups of raw items, and how that turns a group up or down."""

from __future__ import annotations

from pathlib import Path

from crucible.judging.judges import required_judges
from crucible.judging.yields import ITEM, count_yields, weigh_yields
from crucible.mining import Yield
from crucible.model import Agent, Check, Outcome, Task, Trajectory, Verdict
from crucible.record import Record
from crucible.store.blobs import Blobs
from crucible.store.item import Item
from crucible.store.ledger import Ledger, open_ledger


class Raw(Record):
    id: str


def test_items_tasks_and_accepted_work_are_counted_by_group(tmp_path: Path) -> None:
    with open_ledger(f"sqlite:///{tmp_path}/ledger.sqlite", Blobs(str(tmp_path / "blobs"))) as ledger:
        ledger.put(
            Item.of("raw", Raw(id=f"x-{group}-{n}"), pipeline="x") for group in ("good", "bad") for n in range(4)
        )
        _keep_attempt(ledger, "good", "pass")
        _keep_attempt(ledger, "bad", "fail")
        yields = count_yields(ledger, "x")
    assert {group: (each.drawn, each.tasks, each.accepted) for group, each in yields.items()} == {
        "x-good": (4, 1, 1),
        "x-bad": (4, 1, 0),
    }
    assert yields["x-good"].factor > 1 > yields["x-bad"].factor


def _keep_attempt(ledger: Ledger, group: str, outcome: Outcome) -> None:
    """A task of the group, and an attempt at it that came out so."""
    task = Task(
        domain="x", kind="k", instruction=group, checks=(Check(verifier="suite"),), labels={ITEM: f"x-{group}-1"}
    )
    attempt = Trajectory(
        task_id=task.id, agent=Agent(scaffold="native", teacher="oracle"), system="", prompt="", ended="submitted"
    )
    ledger.put([Item.of("task", task, pipeline="x"), Item.of("trajectory", attempt, pipeline="x")])
    judge = required_judges(task)[0]
    ledger.keep_verdict(
        Verdict(
            trajectory_id=attempt.id,
            trajectory_digest=attempt.digest,
            verifier=judge.verifier,
            version=judge.version,
            params_hash=judge.params_hash,
            services_hash=judge.services_hash,
            outcome=outcome,
            score=float(outcome == "pass"),
        )
    )


def test_nothing_is_turned_as_long_as_nothing_is_accepted() -> None:
    assert weigh_yields({"a": Yield(drawn=9), "b": Yield(drawn=1)})["a"].factor == 1.0


def test_a_group_is_turned_by_its_share_and_never_given_up() -> None:
    yields = weigh_yields({"good": Yield(drawn=30, accepted=27), "bad": Yield(drawn=300), "new": Yield()})
    assert yields["good"].factor == 3.0
    assert yields["bad"].factor == 0.1
    assert yields["new"].factor == 1.0
