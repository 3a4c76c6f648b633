"""Verdicts: in order, with evidence, cached by what was judged and by whom, and never a fault as a failure."""

from dataclasses import dataclass

import pytest

from crucible.acting import Ask, Reply
from crucible.errors import SandboxError
from crucible.judging.cascade import Judging, judge, overall_outcome
from crucible.model import Check, Task, Trajectory, Usage, Verdict
from crucible.sandbox import World
from crucible.serving import GivenServices
from crucible.store.blobs import Blobs
from tests.crucible import toys


async def verdicts(task: Task, of: Trajectory, judging: Judging) -> list[Verdict]:
    return [verdict async for verdict in judge(task, of, judging)]


@dataclass(frozen=True)
class Watcher:
    """A judge that sees everything."""

    name: str
    votes: int = 1

    async def reply(self, ask: Ask) -> Reply:
        return Reply(text='{"evidence": "a judge looked"}', usage=Usage(completion_tokens=7))


class Known(GivenServices):
    """Services with names of their own."""

    def identity(self, name: str) -> str:
        return self.opened[name].name if name in self.opened else ""


@pytest.fixture
def judging(world: World, blobs: Blobs) -> Judging:
    return Judging(world, blobs)


async def test_the_attempts_diff_is_what_is_judged(judging: Judging, blobs: Blobs) -> None:
    task = toys.task("toy.state")
    right = toys.trajectory(task, artifacts={"diff": blobs.put(toys.FIX.encode())})
    (idle,) = await verdicts(task, toys.trajectory(task), judging)
    (mended,) = await verdicts(task, right, judging)
    assert (idle.outcome, idle.score, idle.criteria[0].evidence) == ("fail", 0.0, "broken")
    assert (mended.outcome, mended.score) == ("pass", 1.0)


async def test_cheap_checks_come_first_and_a_failed_gate_stops_the_rest(judging: Judging) -> None:
    task = toys.task("toy.state", "toy.half", "toy.cheap")
    found = await verdicts(task, toys.trajectory(task), judging)
    assert [verdict.verifier for verdict in found] == ["toy.cheap", "toy.state"]
    assert overall_outcome(found) == "fail"


async def test_layers_come_before_costs(judging: Judging) -> None:
    task = toys.task("toy.visit", "toy.half", "toy.cheap", "toy.dear")
    found = await verdicts(task, toys.trajectory(task), judging)
    assert [verdict.verifier for verdict in found] == ["toy.dear", "toy.cheap", "toy.half", "toy.visit"]


async def test_a_check_passes_with_the_least_score_it_names(judging: Judging) -> None:
    checks = tuple(Check(verifier=name, least=0.75) for name in ("toy.serve", "toy.visit"))
    task = toys.task().model_copy(update={"checks": checks})
    found = await verdicts(task, toys.trajectory(task), judging)
    assert [(one.outcome, one.score, one.least, one.detail) for one in found] == [
        ("pass", 1.0, 0.75, ""),
        ("pass", 0.75, 0.75, ""),
    ]
    strict = toys.task("toy.serve", "toy.visit")
    assert (await verdicts(strict, toys.trajectory(strict), judging))[-1].outcome == "fail"


async def test_checks_that_share_go_on_in_one_box_and_others_get_a_fresh_one(judging: Judging) -> None:
    task = toys.task("toy.serve", "toy.visit", "toy.alone")
    found = {verdict.verifier: verdict for verdict in await verdicts(task, toys.trajectory(task), judging)}
    assert found["toy.visit"].criteria[0].passed
    assert found["toy.alone"].outcome == "pass"


async def test_a_verdict_says_who_was_asked_and_what_it_cost_and_another_judge_is_asked_anew(
    world: World, blobs: Blobs
) -> None:
    task = toys.task("toy.visit")
    attempt, kept = toys.trajectory(task), dict[tuple[object, ...], Verdict]()

    async def judge_with(judges: dict[str, Watcher]) -> Verdict:
        judging = Judging(world, blobs, Known(judges), lambda *key: kept.get(key))
        (found,) = await verdicts(task, attempt, judging)
        key = (found.verifier, found.version, found.params_hash, found.services_hash)
        kept[(found.trajectory_digest, *key)] = found
        return found

    rules, model = await judge_with({}), await judge_with({"judge": Watcher("some model")})
    assert (rules.services, rules.services_hash, rules.usage) == ({}, "", Usage())
    assert (model.services, model.usage.completion_tokens) == ({"judge": "some model"}, 7)
    assert model.criteria[0].evidence == "a judge looked"
    assert rules.services_hash != model.services_hash != (await judge_with({"judge": Watcher("another")})).services_hash
    assert await judge_with({"judge": Watcher("some model")}) is model


async def test_the_score_is_the_share_of_criteria_met(judging: Judging) -> None:
    task = toys.task("toy.half")
    (half,) = await verdicts(task, toys.trajectory(task), judging)
    assert (half.outcome, half.score) == ("fail", 0.5)
    assert half.detail == "not met: two: no"


async def test_doubt_is_an_error_and_not_a_failure(judging: Judging) -> None:
    task = toys.task("toy.doubting")
    (doubt,) = await verdicts(task, toys.trajectory(task), judging)
    assert (doubt.outcome, doubt.score, doubt.detail) == ("error", 0.0, "the report is torn")


async def test_a_verifier_that_asks_nothing_accepts_nothing(judging: Judging) -> None:
    task = toys.task("toy.mute")
    found = await verdicts(task, toys.trajectory(task), judging)
    assert overall_outcome(found) == "error"


def test_no_verdict_is_no_pass() -> None:
    assert overall_outcome([]) == "error"


async def test_a_broken_box_leaves_an_error_and_is_raised(judging: Judging) -> None:
    task = toys.task("toy.broken-box")
    found: list[Verdict] = []
    with pytest.raises(SandboxError):  # noqa: PT012 - what came before the raise matters
        async for verdict in judge(task, toys.trajectory(task), judging):
            found.append(verdict)
    assert [verdict.outcome for verdict in found] == ["error"]


async def test_parameters_that_do_not_fit_are_an_error_that_names_the_field(judging: Judging) -> None:
    task = toys.task("toy.state", wnat="fixed")
    (doubt,) = await verdicts(task, toys.trajectory(task), judging)
    assert doubt.outcome == "error"
    assert "wnat" in doubt.detail


async def test_an_attempt_that_used_up_its_box_fails_for_that(judging: Judging) -> None:
    task = toys.task("toy.state")
    (found,) = await verdicts(task, toys.trajectory(task, ended="exhausted", detail="disk: 99 MB"), judging)
    assert (found.outcome, found.criteria[0].evidence) == ("fail", "disk: 99 MB")


async def test_a_diff_that_does_not_apply_is_an_error(judging: Judging, blobs: Blobs) -> None:
    task = toys.task("toy.state")
    torn = toys.trajectory(task, artifacts={"diff": blobs.put(toys.FIX.replace("broken", "other").encode())})
    (found,) = await verdicts(task, torn, judging)
    assert found.outcome == "error"
    assert "does not apply" in found.detail


async def test_a_known_verdict_is_not_reached_again_but_an_error_is(world: World, blobs: Blobs) -> None:
    task = toys.task("toy.state")
    attempt = toys.trajectory(task)
    (first,) = await verdicts(task, attempt, Judging(world, blobs))
    remembered = first.model_copy(update={"detail": "from memory"})
    keys: list[tuple[object, ...]] = []

    def known(*key: object) -> Verdict:
        keys.append(key)
        return remembered

    (again,) = await verdicts(task, attempt, Judging(world, blobs, known=known))
    assert again.detail == "from memory"
    assert keys == [(attempt.digest, "toy.state", 1, first.params_hash, "")]
    remembered = first.model_copy(update={"outcome": "error"})
    (anew,) = await verdicts(task, attempt, Judging(world, blobs, known=known))
    assert anew.outcome == "fail"
