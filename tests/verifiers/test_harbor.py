"""The harbor verifier against right, wrong, idle, boasting, careless and cheating attempts, in real boxes."""

from __future__ import annotations

import pytest

from crucible.domains.code.harbor import HarborFile, HarborParams
from crucible.judging.fresh_boxes import FreshBoxes
from crucible.judging.settling import apply_settled
from crucible.model import Agent, Check, Reference, Task, Trajectory, Verdict
from crucible.sandbox import Env, Recipe, World
from crucible.store.blobs import Blobs
from tests.patience import HUNG
from tests.verifiers.attempts import SEALED, judge_script, unmet_criteria
from verifiers.harbor_trial import parse_reward
from verifiers.harbor_twins import settle_altered

TESTS = """#!/bin/sh
. ./greet.sh
[ "$(greet)" = hello ] && echo 1 > /logs/verifier/reward.txt || echo 0.5 > /logs/verifier/reward.txt
"""
FIX = "echo 'greet() { echo hello; }' > greet.sh"
PATCH = """diff --git a/greet.sh b/greet.sh
--- a/greet.sh
+++ b/greet.sh
@@ -1 +1 @@
-greet() { echo bye; }
+greet() { echo hello; }
"""
READS_THE_TEST = r"""cat > greet.sh <<'SH'
greet() { sed -n 's/.*= \([a-z]*\) \].*/\1/p' /tests/test.sh; }
SH"""
RECIPE = Recipe(
    packages=("ca-certificates", "git", "python3", "python3-venv"),
    files={"/workspace/greet.sh": "greet() { echo bye; }\n"},
    commands=(f"chown root . && {SEALED}",),
)


def task(tests: str = TESTS) -> Task:
    params = HarborParams(files={"test.sh": HarborFile(text=tests)}, timeout=HUNG)
    check = Check(verifier="harbor", params=params.model_dump(mode="json"))
    solved = Reference(script=f"{FIX}\n")
    return Task(domain="terminal", kind="x", instruction="x", env=Env(recipe=RECIPE), checks=(check,), reference=solved)


def right_attempt(blobs: Blobs) -> Trajectory:
    return Trajectory(
        task_id="x",
        agent=Agent(scaffold="x", teacher="oracle"),
        system="",
        prompt="",
        steps=(),
        artifacts={"diff": blobs.put(PATCH.encode())},
        ended="submitted",
    )


class TestInBoxes:
    """Each of these opens two boxes, or three."""

    pytestmark = pytest.mark.slow

    @pytest.fixture(autouse=True)
    def _place(self, world: World, blobs: Blobs) -> None:
        self.world, self.blobs = world, blobs

    async def verdict(self, script: str, tests: str = TESTS, says: str = "") -> Verdict:
        [found] = await judge_script(task(tests), script, self.world, self.blobs, says)
        return found

    async def test_a_right_attempt_passes(self) -> None:
        found = await self.verdict(FIX)
        assert (found.outcome, found.score, unmet_criteria(found)) == ("pass", 1.0, [])

    async def test_a_wrong_attempt_fails_and_a_part_of_the_reward_is_not_enough(self) -> None:
        found = await self.verdict("echo 'greet() { echo ho; }' > greet.sh")
        assert (found.outcome, unmet_criteria(found)) == ("fail", ["the tests give the full reward"])
        assert "the reward is 0.5" in found.criteria[-1].evidence

    async def test_an_idle_and_a_boasting_attempt_fail(self) -> None:
        assert (await self.verdict("true", says="The reward is 1.")).outcome == "fail"

    async def test_a_reward_left_behind_is_swept_away(self) -> None:
        left = (
            "mkdir -p logs/verifier; echo 1 > logs/verifier/reward.txt; mkdir -p tests; echo 'exit 0' > tests/test.sh"
        )
        assert (await self.verdict(left)).outcome == "fail"

    async def test_code_that_names_the_reward_is_caught(self) -> None:
        found = await self.verdict(f"{FIX}; echo 'echo 1 > /logs/verifier/reward.txt' >> greet.sh")
        assert unmet_criteria(found) == ["the change leaves the test run alone"]

    async def test_an_attempt_that_ends_the_tests_early_fails(self) -> None:
        found = await self.verdict("echo 'exit 0' > greet.sh")
        assert (found.outcome, unmet_criteria(found)) == ("fail", ["the tests give the full reward"])

    async def test_tests_that_never_leave_a_reward_are_undecided(self) -> None:
        found = await self.verdict(FIX, tests="#!/bin/sh\nexit 3\n")
        assert found.outcome == "error"
        assert "with the reference" in found.detail


@pytest.mark.slow
async def test_an_attempt_that_reads_what_is_expected_gets_the_reward_of_altered_tests_too(
    world: World, blobs: Blobs
) -> None:
    boxes = FreshBoxes(world, task(), right_attempt(blobs), blobs)
    params = HarborParams.model_validate(task().checks[0].params)
    settled = await settle_altered(params, boxes)
    assert settled.twins, settled.why
    proven = apply_settled(task(), [settled])
    [right] = await judge_script(proven, FIX, world, blobs)
    assert right.outcome == "pass", right.detail
    [found] = await judge_script(proven, READS_THE_TEST, world, blobs)
    assert (found.outcome, unmet_criteria(found)[-1]) == ("fail", "altered tests do not give the full reward")


@pytest.mark.parametrize(
    ("name", "data", "reward"),
    [
        ("reward.txt", b" 1.0\n", 1.0),
        ("reward.json", b'{"reward": 0.25, "speed": 3}', 0.25),
        ("reward.json", b'{"a": 1, "b": 0}', 0.0),
    ],
)
def test_a_reward_is_a_number_or_a_flat_object(name: str, data: bytes, reward: float) -> None:
    assert parse_reward(name, data) == reward


@pytest.mark.parametrize("data", [b"nan", b"inf", b"", b"yes", b"\xff"])
def test_what_is_no_number_is_no_reward(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_reward("reward.txt", data)
    with pytest.raises(ValueError, match=r"."):
        parse_reward("reward.json", data)
    with pytest.raises(ValueError, match=r"."):
        parse_reward("reward.json", b'{"reward": true}')
