"""Pairs hold what passed beside what failed under the same prompt, and a critic is told what the judges found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from crucible.model import Criterion, Step, Task
from crucible.running.run import Run
from crucible.shards.manifest import Request
from crucible.stages import export
from crucible.store.item import Item
from tests.exporters import attempts

PAIRS = Request(format="trl-dpo")


def rows_of(out: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pq.read_table(out / "data").to_pylist()
    return rows


def keep(run: Run, task: Task, seed: int, outcome: Any, *steps: Step, **fields: Any) -> str:
    one = attempts.attempt(task, *steps, seed=seed, **fields)
    attempts.keep(run, task, one, outcome=outcome, score=float(outcome == "pass"))
    return one.id


async def test_a_pair_begins_where_two_attempts_part_and_ends_with_that_answer(run: Run, tmp_path: Path) -> None:
    task = attempts.task()
    alike = attempts.step("I look", "Looking.", attempts.call("a"))
    keep(run, task, 0, "pass", alike, attempts.step("right", "Mended.", attempts.call("b")), attempts.step("", "Done."))
    failed = keep(run, task, 1, "fail", alike, attempts.step("wrong", "Gave up."))
    await export(run, PAIRS, tmp_path / "out")
    [row] = rows_of(tmp_path / "out")
    assert [json.loads(message)["role"] for message in row["prompt"]] == ["system", "user", "assistant", "tool"]
    assert [json.loads(message)["content"] for message in row["chosen"]] == ["Mended."]
    assert [json.loads(message)["content"] for message in row["rejected"]] == ["Gave up."]
    assert (row["rejected_trajectory_id"], row["rejected_reward"], row["reward"]) == (failed, 0.0, 1.0)
    assert pq.read_table(tmp_path / "out" / "lineage.parquet").num_rows == 2


async def test_each_attempt_is_in_one_pair_and_the_rest_is_counted(run: Run, tmp_path: Path) -> None:
    for number in range(3):
        task = attempts.task(number)
        for seed in range(3):
            keep(run, task, seed, "pass", attempts.step("", f"Right {seed}."))
        for seed in range(3, 5):
            keep(run, task, seed, "fail", attempts.step("", f"Wrong {seed}."))
        keep(run, task, 9, "fail", attempts.step("", "Wrong."), system="Another prompt.")
    done = await export(run, PAIRS, tmp_path / "out")
    rows = rows_of(tmp_path / "out")
    assert len(rows) == 6
    assert len({row["trajectory_id"] for row in rows} | {row["rejected_trajectory_id"] for row in rows}) == 12
    assert (done.counts.trajectories, done.counts.left_out) == (12, {"without_rival": 6})


async def test_the_same_ledger_gives_the_same_pairs(run: Run, tmp_path: Path) -> None:
    for number in range(3):
        task = attempts.task(number)
        keep(run, task, 0, "pass", attempts.step("", "Right."))
        keep(run, task, 1, "fail", attempts.step("", "Wrong."))
    for name in ("one", "two"):
        await export(run, PAIRS, tmp_path / name)
    shards = [next((tmp_path / name / "data").iterdir()).read_bytes() for name in ("one", "two")]
    assert shards[0] == shards[1]


async def test_attempts_that_differ_only_in_what_tools_said_are_no_pair(run: Run, tmp_path: Path) -> None:
    task = attempts.task()
    same = attempts.step("", "Look.", attempts.call("a"))
    other = same.model_copy(update={"observations": (same.observations[0].model_copy(update={"content": "else"}),)})
    keep(run, task, 0, "pass", same, attempts.step("", "Done."))
    keep(run, task, 1, "fail", other, attempts.step("", "Done."))
    assert await attempts.export_counting(run, "trl-dpo", tmp_path / "out") == {"no_other_answer": 1}


async def test_a_rival_is_washed_like_any_attempt(run: Run, tmp_path: Path) -> None:
    task = attempts.task()
    keep(run, task, 0, "pass", attempts.step("", "Done."))
    keep(run, task, 1, "fail", attempts.step("", "https://me:hunter2@example.org"))
    done = await export(run, PAIRS, tmp_path / "out")
    assert "hunter2" not in json.dumps(rows_of(tmp_path / "out"))
    assert done.counts.redacted == {"url-password": 1}


async def test_a_critic_is_told_what_the_judges_found_of_good_and_bad_attempts(run: Run, tmp_path: Path) -> None:
    task = attempts.task()
    for seed, passed in enumerate((True, False)):
        one = attempts.attempt(task, attempts.step("", f"Done {seed}."), seed=seed)
        run.ledger.put([Item.of("task", task), Item.of("trajectory", one)])
        found = attempts.verdict(task, one, "pass" if passed else "fail", float(passed))
        criterion = Criterion(name="mended", passed=passed, evidence="seen")
        run.ledger.keep_verdict(found.model_copy(update={"criteria": (criterion,)}))
    await export(run, Request(format="critic", judged=True), tmp_path / "out")
    findings = {row["reward"]: row["findings"] for row in rows_of(tmp_path / "out")}
    assert findings == {
        worth: [{"verifier": "told", "criterion": "mended", "passed": bool(worth)}] for worth in (0.0, 1.0)
    }
