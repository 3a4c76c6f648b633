"""The reward of an instance: measured as for any change, then held against what its row claims."""

from __future__ import annotations

from collections.abc import Sequence

from crucible.errors import Rejected
from crucible.mining import MiningContext
from crucible.model import Reference, Task
from crucible.record import Record
from pipelines.swe import instructions
from pipelines.swe.imports.instance import Instance
from pipelines.swe.model import Candidate, Overlay
from pipelines.swe.rewards.classify import Runs, Split, classify, require_reward
from pipelines.swe.rewards.drafting import make_draft, make_suite_check
from pipelines.swe.rewards.measure import measure_runs
from pipelines.swe.rewards.second_look import reconsider_route


class InstanceCandidate(Record):
    """An instance on its way to a draft."""

    id: str
    instance: Instance
    candidate: Candidate
    tests: Overlay


async def build_draft(item: InstanceCandidate, context: MiningContext) -> Sequence[Task]:
    """The draft, when its tests tell the fixed tree from the broken one and the row has claimed nothing else."""
    instance, candidate = item.instance, item.candidate
    runs = await measure_runs(candidate, item.tests, context)
    split = classify(runs)
    require_reward(split)
    split = confirm_claims(instance, split, runs)
    if not instance.exported.kind:
        route = reconsider_route(candidate.route, candidate.pull, item.tests, runs, split)
        candidate = candidate.model_copy(update={"route": route})
    check = make_suite_check(candidate, item.tests, split)
    task = make_draft(candidate, write_instruction(instance, candidate), (check,), Reference(patch=instance.patch))
    origin = {"source": f"swe-bench:{instance.instance_id}", "held_against": candidate.pull.held_against}
    context.memory.remember(instance_key(instance.instance_id), task.id)
    return [task.model_copy(update={"provenance": task.provenance.model_copy(update=origin)})]


def instance_key(instance_id: str) -> str:
    """Under which name is remembered which task an instance became, for predictions that name the instance."""
    return f"swe-bench.instance:{instance_id}"


def confirm_claims(instance: Instance, split: Split, runs: Runs) -> Split:
    """The tests that the row names and the runs confirm. Rejected when a claimed fix is none. A row that names tests
    in another way than our runner does has no claim that can be checked: then what was measured counts."""
    seen = {name for kind in runs.by_kind() for report in kind for name in report.outcomes}
    claimed = {test for test in instance.fail_to_pass if test in seen}
    if not claimed:
        return split
    if refuted := sorted(claimed - set(split.fail_to_pass)):
        raise Rejected("claim_not_confirmed", f"not from failing to passing: {', '.join(refuted[:5])}")
    return split.model_copy(
        update={
            "fail_to_pass": tuple(test for test in split.fail_to_pass if test in claimed),
            "pass_to_pass": tuple(test for test in split.pass_to_pass if test in set(instance.pass_to_pass)),
        }
    )


def write_instruction(instance: Instance, candidate: Candidate) -> str:
    """The instruction as we exported it, where we wrote the row and nobody changed its statement; otherwise the text of
    its kind with the row's statement."""
    own = instance.exported.instruction
    if own and instance.problem_statement in own:
        return own
    return instructions.write_instruction(candidate, instance.problem_statement.strip())
