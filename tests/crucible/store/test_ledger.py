"""The ledger loses nothing, does nothing twice, and gives each item to one process at a time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import literal, text
from sqlalchemy.dialects import postgresql

from crucible.model import Task, Verdict
from crucible.store import funnel, lookup
from crucible.store.blobs import Blobs
from crucible.store.database import database_clock, read_transaction
from crucible.store.item import INLINE, Item
from crucible.store.ledger import LIVES, Ledger, open_ledger
from crucible.store.work_rows import claim_query
from tests.crucible.postgres import Server
from tests.patience import HUNG


def tasks(n: int, noun: str = "draft") -> list[Item]:
    made = [Task(domain="swe", kind="bugfix", instruction=f"mend {number}") for number in range(n)]
    return [Item.of(noun, task, pipeline="swe") for task in made]


def state(ledger: Ledger, id: str) -> str:
    return lookup.item_fates(ledger, id)[0].state


def judged(outcome: str) -> Verdict:
    key = {"trajectory_id": "t", "trajectory_digest": "d", "verifier": "exact", "version": 1, "params_hash": "p"}
    return Verdict.model_validate({**key, "outcome": outcome, "score": 1.0 if outcome == "pass" else 0.0})


def test_the_same_work_twice_is_one_row(ledger: Ledger) -> None:
    assert ledger.put(tasks(3), "validate") == 3
    assert ledger.put(tasks(3), "validate") == 0
    assert funnel.count_funnel(ledger).stages[0].came == 3


def test_an_item_comes_back_as_the_record_it_was(ledger: Ledger) -> None:
    task = Task(domain="swe", kind="bugfix", instruction="mend \x00 ünï \u202e it")
    ledger.put([Item.of("task", task)])
    found = ledger.get("task", task.id)
    assert found is not None
    assert found.record(Task) == task


def test_a_large_body_becomes_a_blob_and_comes_back(ledger: Ledger) -> None:
    task = Task(domain="swe", kind="bugfix", instruction="x" * (INLINE + 1))
    ledger.put([Item.of("task", task)], "rollout")
    assert ledger.claim("rollout")[0].item.record(Task) == task


def test_a_task_may_have_its_drafts_id(ledger: Ledger) -> None:
    [draft], [sound] = tasks(1), tasks(1, "task")
    ledger.put([draft], "validate")
    ledger.finish(ledger.claim("validate")[0], [sound], "rollout")
    assert [one.noun for one in lookup.item_versions(ledger, draft.id)] == ["draft", "task"]


def test_a_claimed_item_is_given_to_nobody_else(ledger: Ledger) -> None:
    ledger.put(tasks(3), "validate")
    first, second = ledger.claim("validate", 2), ledger.claim("validate", 2)
    assert [len(first), len(second), len(ledger.claim("validate", 2))] == [2, 1, 0]


def test_finishing_queues_the_outputs_in_the_same_transaction(ledger: Ledger) -> None:
    ledger.put(tasks(1), "validate")
    [claim] = ledger.claim("validate")
    assert ledger.finish(claim, tasks(2, "task"), "rollout")
    assert len(ledger.claim("rollout", 9)) == 2


def test_the_second_to_finish_changes_nothing(ledger: Ledger) -> None:
    ledger.put(tasks(1), "validate")
    [claim] = ledger.claim("validate")
    assert ledger.finish(claim)
    assert not ledger.finish(claim, tasks(2, "task"), "rollout")
    assert not ledger.drop(claim, "late")
    assert ledger.claim("rollout", 9) == []
    assert state(ledger, claim.item.id) == "done"


def test_a_lease_that_ends_frees_the_item(ledger: Ledger, clock: Any) -> None:
    ledger.put(tasks(1), "validate")
    ledger.owner = "another-machine/1/1#1"
    ledger.claim("validate", lease=60)
    clock.now += 59
    assert ledger.claim("validate") == []
    clock.now += 1
    assert [claim.attempt for claim in ledger.claim("validate")] == [2]


def test_a_renewed_lease_holds(ledger: Ledger, clock: Any) -> None:
    ledger.put(tasks(1), "validate")
    claims = ledger.claim("validate", lease=60)
    clock.now += 50
    ledger.renew(claims, lease=60)
    clock.now += 50
    assert ledger.claim("validate") == []


def test_a_broken_machine_is_tried_again_later_and_then_set_aside(ledger: Ledger, clock: Any) -> None:
    ledger.put(tasks(1), "validate")
    for pause in (30, 60):
        [claim] = ledger.claim("validate")
        assert ledger.fail(claim, "the box broke", retries=2)
        assert ledger.claim("validate") == []
        clock.now += pause
    [claim] = ledger.claim("validate")
    assert not ledger.fail(claim, "the box broke", retries=2)
    [fate] = lookup.item_fates(ledger, claim.item.id)
    assert (fate.state, fate.detail) == ("error", "the box broke")


def test_a_late_failure_does_not_take_the_item_from_its_new_holder(ledger: Ledger, clock: Any) -> None:
    ledger.put(tasks(1), "validate")
    old = ledger.claim("validate", lease=1)
    clock.now += 2
    mine, ledger.owner = ledger.owner, "another-machine/1/1#1"
    [new] = ledger.claim("validate")
    ledger.owner = mine
    ledger.fail(old[0], "too slow")
    assert state(ledger, new.item.id) == "claimed"


def test_an_item_that_kills_its_process_again_and_again_is_set_aside(ledger: Ledger, clock: Any) -> None:
    ledger.put(tasks(1), "validate")
    for _ in range(LIVES):
        assert len(ledger.claim("validate", lease=1)) == 1
        clock.now += 2
    assert ledger.claim("validate") == []
    assert funnel.count_funnel(ledger).stages[0].errors == 1


def test_giving_back_costs_no_attempt(ledger: Ledger) -> None:
    ledger.put(tasks(2), "validate")
    ledger.claim("validate", 2)
    assert ledger.release() == 2
    assert [claim.attempt for claim in ledger.claim("validate", 2)] == [1, 1]


def test_a_drop_leaves_its_reason_and_the_funnel_adds_up(ledger: Ledger) -> None:
    ledger.put(tasks(4), "validate")
    done, flaky, *_ = ledger.claim("validate", 3)
    ledger.finish(done)
    ledger.drop(flaky, "flaky", "passed 2 of 3 times")
    [stage] = funnel.count_funnel(ledger).stages
    assert stage.came == 4 == stage.waiting + stage.done + stage.dropped + stage.errors
    assert stage.reasons == {"flaky": 1}
    assert lookup.item_fates(ledger, flaky.item.id)[0].detail == "passed 2 of 3 times"


def test_dropped_work_can_be_opened_again_and_forgets_its_rejection(ledger: Ledger) -> None:
    ledger.put(tasks(2), "validate")
    for claim in ledger.claim("validate", 2):
        ledger.drop(claim, "flaky")
    assert ledger.reopen("validate", [tasks(1)[0].id], states=("dropped",)) == 1
    assert funnel.count_funnel(ledger).stages[0].reasons == {"flaky": 1}
    assert len(ledger.claim("validate", 9)) == 1


def test_any_number_of_items_can_be_opened_again_by_id(ledger: Ledger) -> None:
    ledger.put(tasks(2), "validate")
    for claim in ledger.claim("validate", 2):
        ledger.finish(claim)
    ids = [f"unknown-{number}" for number in range(40_000)] + [one.id for one in tasks(2)]
    assert ledger.reopen("validate", ids, states=("done",)) == 2


def test_a_decided_verdict_stays_and_an_undecided_one_gives_way(ledger: Ledger) -> None:
    for outcome in ("error", "pass", "fail", "error"):
        ledger.keep_verdict(judged(outcome))
    found = ledger.verdict("d", "exact", 1, "p")
    assert found is not None
    assert found.outcome == "pass"
    assert ledger.verdict("d", "exact", 2, "p") is None


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_claiming_reads_the_open_rows_only(ledger: Ledger) -> None:
    statement = claim_query("validate", 5, database_clock(ledger.engine.dialect.name), 2.0, "me")
    query = str(statement.compile(ledger.engine, compile_kwargs={"literal_binds": True}))
    with read_transaction(ledger.engine) as connection:
        plan = " ".join(str(row) for row in connection.execute(text(f"EXPLAIN QUERY PLAN {query}")))
    assert "work_open (stage=? AND ready_at<?)" in plan
    assert "SCAN work" not in plan
    assert "TEMP B-TREE" not in plan


def test_claims_on_postgresql_skip_what_others_hold() -> None:
    query = str(claim_query("validate", 5, literal(1.0), 2.0, "me").compile(dialect=postgresql.dialect()))
    assert "FOR UPDATE SKIP LOCKED" in query


def test_a_lease_goes_by_the_databases_clock_and_not_by_the_clients(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_ledger(database, Blobs(str(tmp_path / "blobs"))) as ledger:
        ledger.put(tasks(1), "validate")
        assert len(ledger.claim("validate", lease=900)) == 1
        fast = time.time() + 3600
        monkeypatch.setattr(time, "time", lambda: fast)
        assert ledger.claim("validate") == []
        assert ledger.release() == 1
        assert len(ledger.claim("validate", lease=900)) == 1


def test_many_claims_close_in_one_transaction_and_those_already_closed_write_nothing(ledger: Ledger) -> None:
    ledger.put(tasks(3), "validate")
    first, *others = ledger.claim("validate", 3)
    ledger.drop(first, "flaky")
    made = [(claim, [claim.item.model_copy(update={"noun": "task"})]) for claim in (first, *others)]
    assert ledger.finish_all(made, "rollout") == 2
    assert [one.id for one in lookup.list_items(ledger, "task")] == [claim.item.id for claim in others]
    assert len(ledger.claim("rollout", 9)) == 2


def test_the_start_of_an_id_finds_it_whatever_the_letters(ledger: Ledger) -> None:
    names = ["swe-A", "swe-a", "swe_b", "Swe-c", "swe-\u00e4"]
    ledger.put([Item(noun="task", id=name, body="{}") for name in names])
    assert lookup.list_ids(ledger, "swe-") == ["swe-A", "swe-a", "swe-\u00e4"]


@pytest.mark.parametrize("noun", ["draft", "task"])
def test_items_are_read_in_the_order_they_came(ledger: Ledger, noun: str) -> None:
    ledger.put(tasks(450, noun))
    assert [one.id for one in lookup.list_items(ledger, noun)] == [one.id for one in tasks(450)]


def at_once(*works: Callable[[], object]) -> None:
    """All of them side by side; the first fault of any is raised."""
    together = threading.Barrier(len(works))
    with ThreadPoolExecutor(len(works)) as opened:
        started = [opened.submit(lambda work=work: (together.wait(), work())) for work in works]  # type: ignore[misc]
        for one in started:
            one.result(timeout=HUNG)


@pytest.mark.parametrize("stage", ["", "validate"], ids=["new items", "items known to all"])
def test_writers_of_the_same_rows_in_opposite_order_do_not_wait_for_each_other_for_ever(
    ledger: Ledger, tmp_path: Path, stage: str
) -> None:
    url = ledger.engine.url.render_as_string(hide_password=False)
    with open_ledger(url, Blobs(str(tmp_path / "blobs"))) as other:
        for number in range(2):
            rows = [Item(noun="draft", id=f"{number}-{id}", body="{}") for id in range(1500)]
            if stage:
                ledger.put(rows)
            at_once(lambda rows=rows: ledger.put(rows, "validate"), lambda rows=rows: other.put(rows[::-1], "validate"))
    assert len(lookup.numbers_by_id(ledger, "draft")) == 3000
    assert funnel.count_funnel(ledger).stages[0].came == 3000


def test_two_who_hold_the_same_claims_may_close_them_at_once(ledger: Ledger, tmp_path: Path, clock: Any) -> None:
    url = ledger.engine.url.render_as_string(hide_password=False)
    ledger.put([Item(noun="draft", id=str(id), body="{}") for id in range(500)], "validate")
    with open_ledger(url, Blobs(str(tmp_path / "blobs")), clock=clock) as other:
        late = ledger.claim("validate", 500, lease=1)
        clock.now += 2
        taken = other.claim("validate", 500)
        made = [(claim, [Item(noun="task", id=claim.item.id, body="{}")]) for claim in late]
        at_once(lambda: ledger.finish_all(made, "rollout"), lambda: other.finish_all(made[::-1], "rollout"))
    assert len(late) == len(taken) == 500
    assert [(one.came, one.done) for one in funnel.count_funnel(ledger).stages] == [(500, 500), (500, 0)]


def test_ids_are_in_the_order_of_their_characters_whatever_language_the_database_speaks(
    postgres: Server, tmp_path: Path
) -> None:
    names = [
        "b",
        "B",
        "a",
        "A",
        "a_b",
        "a-b",
        "aB",
        "ab",
        "Z",
        "_",
        "\u00e4",
        "z",
        "\u00df",
        "\u4e2d",
        "\U0001f600",
        "\uff5e",
    ]
    blobs = Blobs(str(tmp_path / "blobs"))
    for url in (f"sqlite:///{tmp_path}/ledger.sqlite", postgres.database("en-US")):
        with open_ledger(url, blobs) as opened:
            opened.put([Item(noun="task", id=name, body="{}") for name in names])
            found = lookup.entries_by_number(opened, lookup.numbers_by_id(opened, "task"))
            assert [one.id for one in found] == sorted(names) == lookup.list_ids(opened)
