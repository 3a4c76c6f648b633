"""No task without proof: what is unsound is dropped, with the reason, and a broken box drops nothing."""

import pytest

from crucible.errors import Rejected, SandboxError
from crucible.judging.cascade import Judging
from crucible.judging.judges import identify_nobody
from crucible.judging.soundness import Play, list_probes, proof_key, prove, share_proof
from crucible.model import Agent, Reference, Task, Trajectory
from crucible.proving import Proof
from crucible.sandbox import World
from crucible.store.blobs import Blobs
from tests.agents.office_files import workbook
from tests.crucible import toys


async def test_a_sound_task_is_kept_as_it_is(play: Play, world: World, blobs: Blobs) -> None:
    task = toys.task("toy.state")
    sound, proof = await prove(task, play, Judging(world, blobs), repeats=2)
    assert sound == task
    assert (proof.plan, proof.version, proof.repeats, proof.verifiers) == ("reference", 1, 2, {"toy.state": 1})
    assert [(one.player, one.want, one.outcomes) for one in proof.players[:2]] == [
        ("oracle", "pass", ("pass", "pass")),
        ("nop", "fail", ("fail", "fail")),
    ]
    assert {f"{one.player} v1" for one in proof.players[2:]} == set(proof.probes)
    assert all("pass" not in one.outcomes for one in proof.players[2:])


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
    proven, proof = await prove(task, play, Judging(world, blobs), repeats=repeats, probes=False)
    assert proof.dropped == ("coin",)
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
    assert {f"probe.{name}" for name in wanted | {"package-index"}} <= {part.name for part in list_probes()}


def test_a_cheat_is_tried_where_it_knows_its_way() -> None:
    review = toys.task().model_copy(update={"kind": "review"})
    assert "probe.review-everything" not in {part.name for part in list_probes(review)}
    code = review.model_copy(update={"domain": "swe"})
    assert "probe.review-everything" in {part.name for part in list_probes(code)}


def test_variants_share_a_proof_and_whatever_could_change_it_does_not() -> None:
    task = toys.task("toy.state")

    def key(**changes: object) -> str:
        return proof_key(task.model_copy(update=changes), 2, True, identify_nobody)

    assert key(instruction="Mend the state, please.") == key()
    changed = [
        key(checks=toys.task("toy.state", want="better").checks),
        key(env=task.env.model_copy(update={"workdir": "/elsewhere"})),
        key(reference=toys.task(patch="other").reference),
        key(proven_by="rubric"),
        proof_key(task, 3, True, identify_nobody),
        proof_key(task, 2, False, identify_nobody),
    ]
    assert len({key(), *changed}) == len(changed) + 1


async def test_what_the_proof_finds_out_becomes_part_of_the_checks_and_of_those_that_share_it(
    play: Play, world: World, blobs: Blobs
) -> None:
    task = toys.task("toy.settled")
    proven, proof = await prove(task, play, Judging(world, blobs), repeats=2, probes=False)
    assert (proven.id, proof.twins) == (task.id, 2)
    assert [check.params for check in proven.checks] == [{"found": "fixed", "twins": ["one", "two"]}]
    variant = task.model_copy(update={"instruction": "Mend it, please."})
    sound, shared = share_proof(variant, Proof.model_validate_json(proof.model_dump_json()))
    assert (sound.id, sound.checks, shared.twins) == (variant.id, proven.checks, 2)


def test_what_left_the_task_that_was_proven_leaves_the_variant() -> None:
    task = toys.task("toy.turns", pass_to_pass=["steady", "coin"])
    proof = Proof(task_id="first", plan="reference", version=1, key="", repeats=1, players=(), dropped=("coin",))
    sound, shared = share_proof(task, proof)
    assert (sound.id, shared.task_id, shared.shared_from) == (task.id, task.id, "first")
    assert [check.params for check in sound.checks] == [{"pass_to_pass": ["steady"]}]


async def test_a_rubric_task_without_a_reference_is_proven_by_bad_work_that_fails(
    play: Play, world: World, blobs: Blobs
) -> None:
    task = toys.task("toy.written").model_copy(
        update={
            "proven_by": "rubric",
            "reference": Reference(),
            "env": toys.ENV.model_copy(update={"outputs": ("out.txt",)}),
        }
    )
    _, proof = await prove(task, play, Judging(world, blobs), repeats=2, probes=False)
    found = {one.player: one.outcomes for one in proof.players}
    assert found == {"nop": ("fail", "fail"), "empty": ("fail", "fail"), "damaged": ("fail", "fail")}


async def test_the_authored_attempt_of_a_rubric_task_passes_and_fails_once_it_is_damaged(
    play: Play, world: World, blobs: Blobs
) -> None:
    task = toys.task("toy.written").model_copy(
        update={"proven_by": "rubric", "reference": Reference(files={"out.txt": "a long and careful report\n"})}
    )
    _, proof = await prove(task, play, Judging(world, blobs), repeats=1, probes=False)
    found = {one.player: one.outcomes for one in proof.players}
    assert found == {"oracle": ("pass",), "nop": ("fail",), "empty": (), "damaged": ("fail",)}


async def test_an_authored_workbook_is_damaged_so_that_it_still_opens_and_fails(
    play: Play, world: World, blobs: Blobs
) -> None:
    reference = Reference(blobs={"out.xlsx": blobs.put(workbook(rows=4))})
    task = toys.task("toy.rows").model_copy(update={"proven_by": "rubric", "reference": reference})
    _, proof = await prove(task, play, Judging(world, blobs), repeats=1, probes=False)
    found = {one.player: one.outcomes for one in proof.players}
    assert found == {"oracle": ("pass",), "nop": ("fail",), "empty": (), "damaged": ("fail",)}


async def test_a_rubric_that_takes_anything_is_dropped(play: Play, world: World, blobs: Blobs) -> None:
    env = toys.ENV.model_copy(update={"outputs": ("out.txt",)})
    task = toys.task("toy.exists").model_copy(update={"proven_by": "rubric", "reference": Reference(), "env": env})
    with pytest.raises(Rejected) as dropped:
        await prove(task, play, Judging(world, blobs), repeats=1, probes=False)
    assert dropped.value.reason == "empty_passes"
