"""Which attempts go into an export: failed and authored ones, and tasks nobody solved, where they are asked for."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from crucible.errors import NothingToExport, SettingsError
from crucible.model import Agent, Check, Task
from crucible.running.run import Run
from crucible.shards.manifest import Request
from crucible.stages import export, select
from tests.crucible.stages.export.exports import TRL, read_rows
from tests.exporters import attempts

DONE = attempts.step("", "Done.")


@pytest.fixture
def mixed(run: Run) -> dict[str, Task]:
    """A task that was solved once of three times, one that was only failed, one that nobody attempted."""
    tasks = {name: attempts.task(number) for number, name in enumerate(("solved", "failed", "untried"))}
    attempts.keep(run, tasks["solved"], attempts.attempt(tasks["solved"], DONE, seed=0))
    for seed, score in ((1, 0.5), (2, 0.0)):
        attempts.keep(
            run, tasks["solved"], attempts.attempt(tasks["solved"], DONE, seed=seed), outcome="fail", score=score
        )
    attempts.keep(run, tasks["solved"], attempts.attempt(tasks["solved"], DONE, seed=3), outcome="error", score=0.0)
    attempts.keep(run, tasks["failed"], attempts.attempt(tasks["failed"], DONE), outcome="fail", score=0.25)
    attempts.keep(run, tasks["untried"])
    return tasks


@pytest.mark.parametrize("format", ["verl-rl", "skyrl"])
async def test_formats_for_rl_carry_tasks_whether_or_not_anybody_solved_them(
    run: Run, out: Path, mixed: dict[str, Task], format: str
) -> None:
    done = await export(run, Request(format=format), out)
    extras = [row["extra_info"] for row in read_rows(out)]
    assert {extra["task_id"] for extra in extras} == {task.id for task in mixed.values()}
    assert [extra["attempts"] for extra in extras] == [[], [], []]
    assert (done.counts.tasks, done.counts.rows, done.counts.trajectories) == (3, 3, 4)
    untried = next(row for row in read_rows(out) if row["extra_info"]["task_id"] == mixed["untried"].id)
    assert untried["prompt"] == [{"role": "user", "content": mixed["untried"].instruction}]


async def test_groups_come_with_their_rewards_where_asked(run: Run, out: Path, mixed: dict[str, Task]) -> None:
    await export(run, Request(format="skyrl", judged=True), out)
    extras = {row["extra_info"]["task_id"]: row["extra_info"]["attempts"] for row in read_rows(out)}
    worth = sorted((one["group"], one["reward"]) for one in extras[mixed["solved"].id])
    assert worth == [(f"{mixed['solved'].id}/openai", reward) for reward in (0.0, 0.5, 1.0)]
    assert [one["reward"] for one in extras[mixed["failed"].id]] == [0.25]
    assert extras[mixed["untried"].id] == []


async def test_failed_attempts_go_in_where_asked_and_undecided_ones_never(
    run: Run, out: Path, mixed: dict[str, Task]
) -> None:
    await export(run, Request(format="prime-rl"), out)
    assert [row["reward"] for row in read_rows(out)] == [1.0]
    done = await export(run, Request(format="prime-rl", judged=True), out)
    assert sorted(row["reward"] for row in read_rows(out)) == [0.0, 0.25, 0.5, 1.0]
    assert done.counts.left_out == {"not_judged": 1}
    await export(run, Request(format="prime-rl", judged=True, where="reward > 0 and reward < 1"), out)
    assert sorted(row["reward"] for row in read_rows(out)) == [0.25, 0.5]


@pytest.fixture
def also_scripted(run: Run) -> Task:
    """A task that the oracle, a script and a model have solved."""
    task = attempts.task()
    for teacher in ("oracle", "scripted", "probe.linger", "openai"):
        done = attempts.step("", f"Done by {teacher}.")
        attempts.keep(run, task, attempts.attempt(task, done, agent=Agent(scaffold="native", teacher=teacher)))
    return task


async def test_attempts_that_people_wrote_go_in_only_when_asked_for(run: Run, out: Path, also_scripted: Task) -> None:
    done = await export(run, TRL, out)
    assert (done.counts.trajectories, done.counts.left_out) == (1, {"authored": 3})
    assert pq.read_table(out / "lineage.parquet")["teacher"].to_pylist() == ["openai"]
    done = await export(run, Request(format="trl", authored=True), out)
    assert (done.counts.trajectories, done.counts.left_out) == (4, {})


async def test_a_selection_does_not_choose_what_people_wrote_over_what_a_model_did(
    run: Run, out: Path, also_scripted: Task
) -> None:
    assert (await select(run, 4)).kept == 1
    assert (await export(run, TRL, out)).counts.trajectories == 1
    assert (await select(run, 4, authored=True)).kept == 4


async def test_groups_of_rewards_hold_nothing_that_people_wrote(run: Run, out: Path, also_scripted: Task) -> None:
    await export(run, Request(format="skyrl", judged=True), out)
    [row] = read_rows(out)
    assert [one["group"] for one in row["extra_info"]["attempts"]] == [f"{also_scripted.id}/openai"]


async def test_a_task_that_only_the_oracle_solved_is_still_a_task_and_its_attempt_is_asked_for(
    run: Run, out: Path
) -> None:
    task = attempts.task()
    attempts.keep(run, task, attempts.attempt(task, DONE, agent=Agent(scaffold="native", teacher="oracle")))
    with pytest.raises(NothingToExport, match="left out: 1 authored") as nothing:
        await export(run, TRL, out)
    assert "--authored" in nothing.value.remedy
    assert (await export(run, Request(format="skyrl"), out)).counts.tasks == 1


async def test_a_filter_on_solved_tasks_does_not_bring_them_back_as_untried(
    run: Run, out: Path, mixed: dict[str, Task]
) -> None:
    await export(run, Request(format="skyrl", where="reward == 1"), out)
    assert [row["extra_info"]["task_id"] for row in read_rows(out)] == [mixed["solved"].id]
    await export(run, Request(format="skyrl", where="reward == 0 and len(verdicts) == 0"), out)
    assert [row["extra_info"]["task_id"] for row in read_rows(out)] == [mixed["untried"].id]


async def test_a_format_without_a_place_for_rewards_says_which_have_one(run: Run, out: Path) -> None:
    with pytest.raises(SettingsError, match="the format 'trl' has no place for rewards") as told_why:
        await export(run, Request(format="trl", judged=True), out)
    assert told_why.value.remedy == "these have: critic, prime-rl, skyrl, verifiers, verl-rl"


async def test_a_failed_attempt_counts_once_every_check_has_spoken_or_a_gate_has_stopped_the_rest(
    run: Run, out: Path
) -> None:
    task = attempts.task(checks=(Check(verifier="told"), Check(verifier="told", params={"again": True})))
    one = attempts.attempt(task, DONE)
    attempts.keep(run, task, one, outcome="fail", score=0.5)
    request = Request(format="prime-rl", judged=True)
    with pytest.raises(NothingToExport, match="left out: 1 not_judged"):
        await export(run, request, out)
    second = attempts.verdict(task.model_copy(update={"checks": task.checks[1:]}), one)
    run.ledger.keep_verdict(second)
    assert (await export(run, request, out)).counts.trajectories == 1
    assert [row["reward"] for row in read_rows(out)] == [0.75]
