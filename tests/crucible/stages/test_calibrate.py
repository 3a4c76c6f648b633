"""How hard tasks are, by a solver's attempts: resumed, with an interval, in bands, and joined into filters."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from agents.teachers.player import Player, open_player
from agents.translation import Call, Turn
from crucible.acting import TeacherRun
from crucible.cli.app import invoke
from crucible.errors import NothingToExport
from crucible.facts import Calibration
from crucible.filters import parse_task_filter
from crucible.judging.intervals import wilson_interval
from crucible.judging.task_facts import LedgerTaskFacts
from crucible.model import Check, Criterion, Reference, Task, Trajectory
from crucible.parts import teacher, verifier
from crucible.proving import Proof
from crucible.running.run import Run, open_run
from crucible.sandbox import Env, Sandbox
from crucible.settings import Settings
from crucible.shards.manifest import Request
from crucible.stages import calibrate, export, select
from crucible.store.funnel import count_funnel
from crucible.store.item import Item
from crucible.store.lookup import latest_item, list_items
from tests.flows.toy import HERE

SEEDS = {"easy": 99, "fair": 2, "hard": 0}
"""With how many of its first seeds the solver solves a task of each name."""


@teacher("calibrate.solver")
def solver(settings: TeacherRun) -> AbstractAsyncContextManager[Player]:
    """Solves a task with the first of its seeds."""
    answer = Turn(calls=(Call(tool="submit", arguments={"answer": "x"}),))
    return open_player(lambda task, ask: [answer] if ask.seed < SEEDS[task.instruction] else [], settings)


@verifier("calibrate.answered", layer="function")
async def answered(task: Task, trajectory: Trajectory, box: Sandbox) -> AsyncIterator[Criterion]:
    """There is an answer."""
    yield Criterion(name="there is an answer", passed="answer" in trajectory.artifacts, evidence="looked")


def task(name: str) -> Task:
    return Task(
        domain="toy",
        kind="sum",
        instruction=name,
        env=Env(name=f"{HERE}:world"),
        checks=(Check(verifier="calibrate.answered"),),
        reference=Reference(answer="x"),
    )


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    with open_run(Settings(home=tmp_path)) as opened:
        opened.ledger.put([Item.of("task", task(name), pipeline="toy") for name in SEEDS])
        yield opened


def found(run: Run, name: str) -> Calibration:
    item = latest_item(run.ledger, "calibration", task(name).id)
    assert item is not None
    return item.record(Calibration)


async def test_tasks_are_told_apart_by_how_often_they_are_solved(run: Run) -> None:
    before = {item.id: item.body for item in list_items(run.ledger, "task")}
    done = await calibrate(run, "calibrate.solver", 4)
    assert done.bands == {"never": 1, "too_easy": 1, "usable": 1}
    assert [row.passed for row in done.tasks] == ["0 of 4", "2 of 4", "4 of 4"]
    assert (found(run, "fair").pass_rate, found(run, "fair").band) == (0.5, "usable")
    assert found(run, "fair").low < 0.5 < found(run, "fair").high
    assert {item.id: item.body for item in list_items(run.ledger, "task")} == before


async def test_what_is_too_easy_is_dropped_and_what_was_never_solved_is_hard_or_broken(run: Run) -> None:
    broken = task("hard").model_copy(update={"reference": Reference(), "instruction": "hard", "kind": "unsolvable"})
    run.ledger.put([Item.of("task", broken, pipeline="toy")])
    done = await calibrate(run, "calibrate.solver", 4)
    assert done.triage == {"broken": 1, "hard": 1}
    hard, easy = found(run, "hard"), found(run, "easy")
    assert (hard.triage, hard.evidence[0].startswith("the reference passes again")) == ("hard", True)
    assert "solved 2 of 4 at hint level 0" in hard.evidence
    assert (easy.triage, easy.errors) == ("", 0)
    item = latest_item(run.ledger, "calibration", broken.id)
    assert item is not None
    assert "oracle_fails" in item.record(Calibration).evidence[0]
    for _ in range(2):  # a second calibration decides anew, and the same
        [stage] = [stage for stage in count_funnel(run.ledger).stages if stage.stage == "calibrate"]
        assert (stage.came, stage.done, stage.reasons) == (4, 2, {"broken": 1, "too_easy": 1})
        await calibrate(run, "calibrate.solver", 4)


async def test_a_second_calibration_makes_only_the_attempts_that_are_missing(run: Run) -> None:
    await calibrate(run, "calibrate.solver", 2)
    made = {item.id for item in list_items(run.ledger, "trajectory")}
    again = await calibrate(run, "calibrate.solver", 2)
    assert [tally.done for tally in again.stages] == [0, 0]
    assert len(list(list_items(run.ledger, "calibration"))) == 3
    more = await calibrate(run, "calibrate.solver", 4)
    assert [tally.done for tally in more.stages] == [6, 6]
    assert made < {item.id for item in list_items(run.ledger, "trajectory")}
    assert found(run, "fair").attempts == 4


async def test_a_filter_says_which_tasks_and_another_session_counts_anew(run: Run) -> None:
    done = await calibrate(run, "calibrate.solver", 1, "task.instruction != 'hard'")
    assert len(done.tasks) == 2
    done = await calibrate(run, "calibrate.solver", 1, "calibration.band == 'too_easy'", session="second")
    assert {row.task for row in done.tasks} == {task("easy").id, task("fair").id}
    assert found(run, "easy").session == "second"


async def test_what_was_found_out_is_joined_into_filters(run: Run, tmp_path: Path) -> None:
    await calibrate(run, "calibrate.solver", 4)
    proof = Proof(task_id=task("fair").id, plan="reference", version=1, key="", repeats=1, players=(), twins=2)
    run.ledger.put([Item.of("proof", proof, id="proof-of-fair", parent=task("fair").id)])

    async def exported(where: str) -> int:
        return (await export(run, Request(format="atif", where=where), tmp_path / "out")).counts.trajectories

    assert await exported("calibration.pass_rate < 0.8") == 2
    assert await exported("calibration.band == 'too_easy'") == 4
    assert await exported("proof.plan == 'reference'") == 2
    assert await exported("task.proof.twins >= 1") == 2
    with pytest.raises(NothingToExport):
        await exported("len(task.comparisons) > 0")
    await select(run, 1)
    assert await exported("selection.keeps_any") == 2
    wanted = parse_task_filter("task.proof.twins >= 2 and proof.plan == 'reference' and calibration.pass_rate < 0.8")
    assert [name for name in SEEDS if wanted(task(name), LedgerTaskFacts(run.ledger, task(name).id))] == ["fair"]


def test_the_verb_shows_a_table(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    line = ["--set", f"home={run.settings.home}", "calibrate", "--solver", "calibrate.solver", "--attempts", "2"]
    assert invoke(["--json", *line]) == 0
    assert json.loads(capsys.readouterr().out)["bands"] == {"never": 1, "too_easy": 2}
    assert invoke(line) == 0
    assert "0 of 2" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("passed", "attempts", "low", "high"), [(0, 4, 0.0, 0.4899), (2, 4, 0.15, 0.85), (4, 4, 0.5101, 1.0)]
)
def test_the_interval_is_wilsons(passed: int, attempts: int, low: float, high: float) -> None:
    assert wilson_interval(passed, attempts) == pytest.approx((low, high), abs=1e-3)
