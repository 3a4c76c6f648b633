"""A night without a scheduler: resumed after every death, shared by processes, ended by its limits."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from crucible import parts
from crucible.acting import Ask, Reply
from crucible.errors import BudgetSpent, SettingsError
from crucible.mining import MiningContext
from crucible.model import Task, ToolCall, Trajectory
from crucible.purse import Purse
from crucible.record import Record
from crucible.running.run import open_run
from crucible.settings import Settings
from crucible.stages import verify
from crucible.stages.mine import collect
from crucible.stages.night import Piece, night
from crucible.stages.rollout import WantedAttempts, plan_attempts, rollout
from crucible.store.funnel import count_funnel
from crucible.store.lookup import list_items, trajectory_verdicts
from crucible.store.nights import read_night
from tests.crucible.postgres import serving
from tests.flows import toy
from tests.flows.nights import (
    exit_code,
    exported_checksums,
    ledger_contents,
    ledger_contents_at,
    night_settings,
    start_night,
    write_config,
)
from tests.patience import HUNG

ITEMS = 30
TASKS = 24


async def test_a_night_goes_from_raw_items_to_shards_and_a_report(tmp_path: Path) -> None:
    with open_run(night_settings(tmp_path, ITEMS)) as run:
        made = await night(run)
        tasks, tried, judged = ledger_contents(run)
    assert (len(tasks), len(tried), len(judged)) == (TASKS, 2 * TASKS, 2 * TASKS)
    assert made.exported is not None
    assert made.exported.counts.trajectories == TASKS
    assert Path(made.report).exists()
    assert made.stopped == ()


async def test_a_second_night_has_nothing_left_to_do(tmp_path: Path) -> None:
    with open_run(night_settings(tmp_path, ITEMS)) as run:
        await night(run)
        before = ledger_contents(run), count_funnel(run.ledger)
        await night(run)
        assert (ledger_contents(run), count_funnel(run.ledger)) == before


@pytest.mark.slow
def test_killed_ten_times_it_ends_as_if_undisturbed(tmp_path: Path) -> None:
    undisturbed, disturbed = write_config(tmp_path / "whole", 20), write_config(tmp_path / "killed", 20)
    started = time.monotonic()
    assert exit_code(start_night(undisturbed, "--no-prefect")) == 0
    whole = time.monotonic() - started
    moments = random.Random(7)
    for _ in range(10):
        process = start_night(disturbed, "--no-prefect")
        time.sleep(moments.uniform(0.3, 0.8) * whole)
        process.kill()
        process.communicate()
    assert exit_code(start_night(disturbed, "--no-prefect")) == 0
    assert ledger_contents_at(tmp_path / "killed") == ledger_contents_at(tmp_path / "whole")
    assert len(shards := exported_checksums(tmp_path / "whole")) > 3
    assert exported_checksums(tmp_path / "killed") == shards


@pytest.mark.slow
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_two_nights_share_a_ledger_and_do_nothing_twice(tmp_path: Path, database: str) -> None:
    with serving() if database == "postgresql" else nullcontext() as server:
        ledger = server.database() if server else f"sqlite:///{tmp_path}/ledger.sqlite"
        file = write_config(tmp_path, ITEMS, ledger)
        both = [start_night(file, "--no-prefect") for _ in range(2)]
        said = [process.communicate(timeout=HUNG)[1] for process in both]
        assert [process.returncode for process in both] == [0, 0], said
        tasks, tried, judged = ledger_contents_at(tmp_path, ledger)
    assert (len(tasks), len(tried), len(judged)) == (TASKS, 2 * TASKS, 2 * TASKS)


async def test_a_night_waits_calmly_for_what_another_machine_holds_until_its_lease_ends(tmp_path: Path) -> None:
    pieces: list[str] = []

    async def counted(name: str, piece: Piece[object]) -> object:
        pieces.append(name)
        return await piece()

    with open_run(night_settings(tmp_path, ITEMS)) as run:
        await collect(run, "tests.flows.toy:toy", str(ITEMS))
        mine, run.ledger.owner = run.ledger.owner, "elsewhere-0-0/1/1#1"
        ends = time.time() + 3
        assert len(run.ledger.claim("toy.filter", 7, lease=3)) == 7
        run.ledger.owner = mine
        await night(run, counted)
        assert time.time() > ends
        tasks, tried, judged = ledger_contents(run)
    assert (len(tasks), len(tried), len(judged)) == (TASKS, 2 * TASKS, 2 * TASKS)
    assert len(pieces) < 30, "each is a task of the scheduler"


async def test_when_the_minutes_are_over_what_there_is_is_handed_over(tmp_path: Path) -> None:
    with open_run(night_settings(tmp_path, ITEMS, minutes=1e-6)) as run:
        made = await night(run)
    assert any("the night's minutes are over" in line for line in made.stopped)
    assert made.report


class Killed(Exception):
    """A night ends in the middle."""


class Dear:
    """A teacher that costs a tenth of a dollar an answer, and may spend one."""

    def __init__(self) -> None:
        self.purse = Purse()

    def pay_from(self, purse: Purse) -> None:
        self.purse = purse

    async def reply(self, task: Task, ask: Ask) -> Reply:
        if self.purse.spent > 0.99:
            raise BudgetSpent("1 USD is spent")
        await self.purse.pay(0.1)
        return Reply(text="no", calls=(ToolCall(id="a", name="submit", arguments="{}"),))


@pytest.fixture
def dear(monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a teacher that costs money."""
    opener = asynccontextmanager(_open_dear)
    monkeypatch.setitem(parts._known, ("teacher", "dear"), parts.Part("teacher", "dear", opener))
    return "dear"


async def _open_dear(settings: Settings) -> AsyncIterator[Dear]:
    yield Dear()


async def test_chunks_share_one_purse(tmp_path: Path, dear: str) -> None:
    with open_run(night_settings(tmp_path, ITEMS, teachers=(dear,), chunk_items=4)) as run:
        made = await night(run)
        assert made.stopped == ("rollout: dear: 1 USD is spent",)
        assert read_night(run.ledger).spent == pytest.approx(1.0)
        assert len(list(list_items(run.ledger, "trajectory"))) == 10


async def test_a_night_that_is_started_again_goes_on_with_what_it_spent_and_the_next_has_all_its_money(
    tmp_path: Path, dear: str
) -> None:
    async def killed_on_the_way(name: str, piece: Piece[object]) -> object:
        if name == "rollout: dear 2":
            raise Killed
        return await piece()

    settings = night_settings(tmp_path, ITEMS, teachers=(dear,), chunk_items=4)
    with pytest.raises(Killed), open_run(settings) as run:
        await night(run, killed_on_the_way)
    for attempts in (10, 20):
        with open_run(settings) as run:
            await night(run)
            assert len(list(list_items(run.ledger, "trajectory"))) == attempts
    with open_run(settings) as run:
        assert read_night(run.ledger).number == 2


async def test_a_night_queues_a_teachers_attempts_once(tmp_path: Path) -> None:
    pieces: list[str] = []

    async def counted(name: str, piece: Piece[object]) -> object:
        pieces.append(name)
        return await piece()

    with open_run(night_settings(tmp_path, ITEMS, teachers=("nop",), chunk_items=10)) as run:
        await night(run, counted)
    assert [name for name in pieces if name.startswith("rollout")] == [
        "rollout: nop: plan",
        *(f"rollout: nop {number}" for number in range(1, 4)),
    ]


async def test_when_the_money_is_spent_what_was_attempted_is_judged(tmp_path: Path, dear: str) -> None:
    with open_run(night_settings(tmp_path, ITEMS, teachers=("oracle", dear))) as run:
        made = await night(run)
        assert len(ledger_contents(run)[2]) == TASKS + 10
    assert made.stopped == ("rollout: dear: 1 USD is spent",)


async def test_attempts_that_nobody_can_pay_for_do_not_hold_up_a_later_teacher_and_are_made_the_next_night(
    tmp_path: Path, dear: str
) -> None:
    settings = night_settings(tmp_path, ITEMS, teachers=(dear, "oracle", "nop"), chunk_items=7)
    for dears_attempts in (10, 20):
        with open_run(settings) as run:
            made = await night(run)
            assert made.stopped == ("rollout: dear: 1 USD is spent",)
            tried = Counter(item.record(Trajectory).agent.teacher for item in list_items(run.ledger, "trajectory"))
            [rollouts] = [stage for stage in made.funnel.stages if stage.stage == "rollout"]
        assert tried == {dear: dears_attempts, "oracle": TASKS, "nop": TASKS}
        assert (rollouts.waiting, rollouts.errors) == (TASKS - dears_attempts, 0)


async def test_a_rollout_makes_the_attempts_of_others_before_it_says_that_the_money_is_spent(
    tmp_path: Path, dear: str
) -> None:
    with open_run(night_settings(tmp_path, ITEMS, teachers=())) as run:
        await night(run)
        await plan_attempts(run, WantedAttempts(teacher="nop"))
        with pytest.raises(BudgetSpent, match="1 USD is spent"):
            await rollout(run, WantedAttempts(teacher=dear))
        assert len(list(list_items(run.ledger, "trajectory"))) == TASKS + 10


async def test_raw_items_that_nobody_can_pay_for_wait_for_the_next_night_and_others_become_tasks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line, money = toy.toy(), [0]

    async def work(sum_: toy.Sum, context: MiningContext) -> Sequence[Record]:
        if sum_.number < 5 and not money[0]:
            raise BudgetSpent("nothing is left")
        return await line.stages[0].work(sum_, context)

    stages = (replace(line.stages[0], work=work), *line.stages[1:])
    part = parts.Part("pipeline", "toy-dear", lambda: replace(line, stages=stages))
    monkeypatch.setitem(parts._known, ("pipeline", "toy-dear"), part)
    settings = night_settings(tmp_path, 30, chunk_items=7, pipelines="toy-dear=30")
    tasks = []
    for left in (0, 1):
        money[0] = left
        with open_run(settings) as run:
            made = await night(run)
            tasks.append(len(ledger_contents(run)[0]))
        assert made.stopped == (() if left else ("toy-dear: mine: 5 items wait for money",))
    assert 0 < tasks[0] < tasks[1]


async def test_an_item_that_ends_in_error_does_not_keep_the_night_going(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> object:
        raise ZeroDivisionError

    line = toy.toy()
    stages = (line.stages[0], replace(line.stages[1], work=broken))
    part = parts.Part("pipeline", "toy-broken", lambda: replace(line, stages=stages))
    monkeypatch.setitem(parts._known, ("pipeline", "toy-broken"), part)
    with open_run(night_settings(tmp_path, 30, chunk_items=5, pipelines="toy-broken=30")) as run:
        made = await night(run)
    assert [stage.errors for stage in made.funnel.stages] == [0, 24]


async def test_no_pipeline_enabled_is_said(tmp_path: Path) -> None:
    with open_run(Settings(home=tmp_path)) as run, pytest.raises(SettingsError, match="no pipeline is enabled"):
        await night(run)


async def test_a_new_version_of_a_verifier_judges_again_exactly_what_it_must(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_run(night_settings(tmp_path, 20)) as run:
        await night(run)
        assert (await verify(run, stale=True)).done == 0
        part = parts.find("verifier", "tests.flows.toy:knows")
        newer = parts.Part(**vars(part) | {"version": 2})
        monkeypatch.setitem(parts._known, ("verifier", part.name), newer)
        assert (await verify(run)).done == 0
        assert (await verify(run, stale=True)).done == 32
        assert (await verify(run, stale=True)).done == 0
        for item in list_items(run.ledger, "trajectory"):
            assert [found.version for found in trajectory_verdicts(run.ledger, item.id)] == [1, 2]
