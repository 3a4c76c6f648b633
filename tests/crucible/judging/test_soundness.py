"""No task without proof: what is unsound is dropped, with the reason, and a broken box drops nothing."""

import pytest

from crucible.errors import Rejected, SandboxError
from crucible.judging.cascade import Judging
from crucible.judging.soundness import Play, probe_names, prove
from crucible.model import Agent, Task, Trajectory
from crucible.sandbox import World
from crucible.store.blobs import Blobs
from tests.crucible import toys


async def test_a_sound_task_is_kept_as_it_is(play: Play, world: World, blobs: Blobs) -> None:
    task = toys.task("toy.state")
    assert await prove(task, play, Judging(world, blobs), repeats=2) == task


@pytest.mark.parametrize(
    ("task", "reason"),
    [
        (toys.task("toy.state", patch=toys.FIX.replace("fixed", "worse")), "oracle_fails"),
        (toys.task("toy.cheap"), "nop_passes"),
        (toys.task("toy.fickle"), "flaky"),
        (toys.task("toy.doubting"), "oracle_undecided"),
        (toys.task("toy.gullible"), "cheatable"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_an_unsound_task_is_dropped_for_its_reason(
    task: Task, reason: str, play: Play, world: World, blobs: Blobs
) -> None:
    with pytest.raises(Rejected) as dropped:
        await prove(task, play, Judging(world, blobs), repeats=2)
    assert dropped.value.reason == reason


@pytest.mark.parametrize("repeats", [1, 2])
async def test_a_test_that_comes_and_goes_leaves_the_task_which_keeps_its_id(
    repeats: int, play: Play, world: World, blobs: Blobs
) -> None:
    task = toys.task("toy.turns", pass_to_pass=["steady", "coin"])
    toys.turn(heads=True)
    proven = await prove(task, play, Judging(world, blobs), repeats=repeats)
    assert proven.id == task.id
    assert [check.params for check in proven.checks] == [{"pass_to_pass": ["steady"]}]


@pytest.mark.parametrize(
    ("tests", "reason"), [(["steady", "coin", "never"], "oracle_fails"), ([f"coin {n}" for n in range(9)], "flaky")]
)
async def test_a_task_is_dropped_whose_tests_never_pass_or_of_which_many_come_and_go(
    tests: list[str], reason: str, play: Play, world: World, blobs: Blobs
) -> None:
    with pytest.raises(Rejected) as dropped:
        await prove(toys.task("toy.turns", pass_to_pass=tests), play, Judging(world, blobs), repeats=2)
    assert dropped.value.reason == reason


async def test_attempts_are_played_one_at_a_time_and_none_goes_on_once_the_task_is_dropped(
    play: Play, world: World, blobs: Blobs
) -> None:
    playing, most = 0, 0

    async def watched(task: Task, agent: Agent) -> Trajectory:
        nonlocal playing, most
        playing += 1
        most = max(most, playing)
        try:
            return await play(task, agent)
        finally:
            playing -= 1

    with pytest.raises(Rejected):
        await prove(toys.task("toy.cheap"), watched, Judging(world, blobs), repeats=2)
    assert (most, playing) == (1, 0)


async def test_a_broken_box_is_no_reason_to_drop_a_task(play: Play, world: World, blobs: Blobs) -> None:
    with pytest.raises(SandboxError):
        await prove(toys.task("toy.broken-box"), play, Judging(world, blobs), repeats=1)


def test_every_named_cheat_is_tried() -> None:
    wanted = {"edit-tests", "fake-summary", "exit-early", "write-reward", "read-reference", "git-history"}
    assert {f"probe.{name}" for name in wanted | {"package-index"}} <= set(probe_names())
