"""The reward of an instance: measured as for any change, then held against what its row claims."""

from __future__ import annotations

from collections.abc import Sequence

from crucible.errors import Rejected
from crucible.mining import MiningContext
from crucible.model import Reference, Task
from crucible.record import Record
from pipelines.swe.imports.instance import Instance
from pipelines.swe.instructions import told
from pipelines.swe.model import Candidate, Overlay
from pipelines.swe.rewards.classify import Runs, Split, classify, require_reward
from pipelines.swe.rewards.drafting import draft, suite_check
from pipelines.swe.rewards.measure import measure
from pipelines.swe.rewards.second_look import reconsider_route


class Given(Record):
    """An instance on its way to a draft."""

    id: str
    instance: Instance
    candidate: Candidate
    tests: Overlay


async def reward(given: Given, context: MiningContext) -> Sequence[Task]:
    """The draft, when its tests tell the fixed tree from the broken one and the row has claimed nothing else."""
    instance, candidate = given.instance, given.candidate
    runs = await measure(candidate, given.tests, context)
    split = classify(runs)
    require_reward(split)
    split = claimed(instance, split, runs)
    if not instance.told.kind:
        route = reconsider_route(candidate.route, candidate.pull, given.tests, runs, split)
        candidate = candidate.model_copy(update={"route": route})
    check = suite_check(candidate, given.tests, split)
    task = draft(candidate, instruction(instance, candidate), (check,), Reference(patch=instance.patch))
    came = {"source": f"swe-bench:{instance.instance_id}", "held_against": candidate.pull.held_against}
    context.memory.remember(came_as(instance.instance_id), task.id)
    return [task.model_copy(update={"provenance": task.provenance.model_copy(update=came)})]


def came_as(instance_id: str) -> str:
    """What is remembered of an instance: the task it became, for predictions that name it."""
    return f"swe-bench.instance:{instance_id}"


def claimed(instance: Instance, split: Split, runs: Runs) -> Split:
    """The tests that the row names and the runs confirm. Rejected when a claimed fix is none. A row that names tests
    in another way than our runner does has no claim that can be checked: then what was measured counts."""
    seen = {name for kind in runs.all() for report in kind for name in report.outcomes}
    named = [test for test in instance.fail_to_pass if test in seen]
    if not named:
        return split
    if refuted := sorted(set(named) - set(split.fail_to_pass)):
        raise Rejected("claim_not_confirmed", f"not from failing to passing: {', '.join(refuted[:5])}")
    kept = set(instance.pass_to_pass)
    return split.model_copy(
        update={
            "fail_to_pass": tuple(test for test in split.fail_to_pass if test in set(named)),
            "pass_to_pass": tuple(test for test in split.pass_to_pass if test in kept),
        }
    )


def instruction(instance: Instance, candidate: Candidate) -> str:
    """Ours word for word where we wrote the row and nobody changed its statement; otherwise the text of its kind."""
    own = instance.told.instruction
    if own and instance.problem_statement in own:
        return own
    return told(candidate, instance.problem_statement.strip())
