"""The verifier `speed`: the same work in less processor time, timed in turn over the task's base, the golden change and
the attempt, in one fresh box. That the tests still pass is for `suite` to say, and it says so first.

what an attempt may try                   what stops it
time something else                       what is timed, and its files, come from the task
skip the work, or end early               the timed tests must all pass, and the run must end well
be lucky on a noisy machine               processor time, several rounds in turn, a rank test
a slow machine that hides the difference  then the golden change is no faster either: more rounds, then undecided
"""

from __future__ import annotations

import shlex
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from statistics import median

from crucible import parts
from crucible.box_patch import apply_patch
from crucible.datafile import read_file
from crucible.domains.code.check_params import SpeedParams
from crucible.domains.code.overlay import lay_files
from crucible.domains.code.timing import (
    LARGEST_CHANCE,
    FailedWork,
    gained_share,
    is_faster,
    keep_tree,
    rank_test,
    time_in_turns,
)
from crucible.errors import Undecided
from crucible.judging.grading import read_diff
from crucible.mining import BlobStore
from crucible.model import Criterion, Task, Trajectory
from crucible.record import Record
from crucible.sandbox import Sandbox
from verifiers import restoring
from verifiers.attempt_diff import touched_paths
from verifiers.criteria import gate_criterion
from verifiers.tampering import find_tampering, list_hits

TABLE = Path(__file__).with_name("speed.toml")
ATTEMPTS_AT_TIMING = 3
"""How often all rounds are taken before a golden change that is no faster leaves it undecided."""
REVERT = 'git read-tree --reset -u "$(git rev-list --max-parents=0 HEAD)"'


class SpeedRule(Record):
    """`speed.toml`: when an attempt is fast enough."""

    least_share: float
    """Of the golden improvement."""


@parts.verifier("speed", layer="execution", version=1, cost="minutes", gate=True, needs=("blobs",))
async def speed(
    task: Task, trajectory: Trajectory, box: Sandbox, *, params: SpeedParams, blobs: BlobStore
) -> AsyncIterator[Criterion]:
    """The attempt is faster, by a good part of what the golden change gains."""
    diff = read_diff(trajectory, blobs)
    hits = await find_tampering(box, diff)
    yield gate_criterion("the change leaves the run alone", not hits, list_hits(hits) or "no sign")
    if hits:
        return
    spent = await _time_trees(box, await _build_trees(box, touched_paths(diff), params), params)
    if isinstance(spent, FailedWork) and spent.tree != "attempt":
        raise Undecided(f"the timed work fails over {spent.tree}: {spent.why}")
    failed = spent.why if isinstance(spent, FailedWork) else ""
    yield gate_criterion("the timed work comes to a good end", not failed, failed or "every time")
    if not isinstance(spent, FailedWork):
        yield judge_times(spent["base"], spent["golden"], spent["attempt"])


def judge_times(base: Sequence[float], golden: Sequence[float], attempt: Sequence[float]) -> Criterion:
    """How much of the golden improvement was reached. Undecided when there is none on this machine."""
    if not is_faster(base, golden):
        raise Undecided(f"the golden change is not faster here: {_seconds(base)} before, {_seconds(golden)} after")
    reached = gained_share(base, golden, attempt)
    enough = reached >= read_file(TABLE, SpeedRule).least_share and rank_test(base, attempt) < LARGEST_CHANCE
    times = f"{_seconds(base)} before, {_seconds(golden)} golden, {_seconds(attempt)} attempt"
    evidence = f"{times}: {reached:.0%} of the gain"
    return gate_criterion("the work takes less time", enough, evidence).model_copy(update={"share": reached})


async def _time_trees(
    box: Sandbox, trees: Mapping[str, str], params: SpeedParams
) -> dict[str, list[float]] | FailedWork:
    """The seconds that each tree took; where noise hides what the golden change gains, over more and more rounds."""
    spent: dict[str, list[float]] = {name: [] for name in trees}
    for _ in range(ATTEMPTS_AT_TIMING):
        more = await time_in_turns(
            box, trees, params.command, build=params.suite.build, rounds=params.rounds, timeout=params.suite.timeout
        )
        if isinstance(more, FailedWork):
            return more
        spent = {name: spent[name] + seconds for name, seconds in more.items()}
        if is_faster(spent["base"], spent["golden"]):
            break
    return spent


async def _build_trees(box: Sandbox, touched: Sequence[str], params: SpeedParams) -> dict[str, str]:
    """The git trees of the attempt, the base and the golden change, each with the task's own tests."""
    await restoring.restore_protected(box, touched)
    await _lay_tests(box, params)
    attempt = await keep_tree(box)
    await restoring.exec_or_raise(box, REVERT)
    await _lay_tests(box, params)
    base = await keep_tree(box)
    restoring.output_or_raise(await apply_patch(box, params.golden.encode()))
    return {"base": base, "golden": await keep_tree(box), "attempt": attempt}


async def _lay_tests(box: Sandbox, params: SpeedParams) -> None:
    if params.deleted:
        await restoring.exec_or_raise(box, f"rm -rf -- {shlex.join(params.deleted)}")
    await lay_files(box, params.tests, params.data)


def _seconds(spent: Sequence[float]) -> str:
    return f"{median(spent):.2f} s ({min(spent):.2f}-{max(spent):.2f})"
