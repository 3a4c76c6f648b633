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
from crucible.datafile import whole
from crucible.domains.code.check_params import SpeedParams
from crucible.domains.code.overlay import lay_files
from crucible.domains.code.timing import SIGNIFICANT, Failed, is_faster, keep_tree, rank_p, share, take_turns
from crucible.errors import Undecided
from crucible.mining import BlobStore
from crucible.model import Criterion, Task, Trajectory
from crucible.record import Record
from crucible.sandbox import Sandbox
from verifiers import diffs, protected, tampering

HERE = Path(__file__).parent

PATIENCE = 3
"""How often the rounds are taken before a golden change that is no faster leaves it undecided."""
REVERT = 'git read-tree --reset -u "$(git rev-list --max-parents=0 HEAD)"'


class Enough(Record):
    """`speed.toml`."""

    least_share: float


@parts.verifier("speed", layer="execution", version=1, cost="minutes", gate=True, needs=("blobs",))
async def speed(
    task: Task, trajectory: Trajectory, box: Sandbox, *, params: SpeedParams, blobs: BlobStore
) -> AsyncIterator[Criterion]:
    """The attempt is faster, by a good part of what the golden change gains."""
    name = trajectory.artifacts.get("diff")
    diff = blobs.get(name) if name else b""
    caught = await tampering.hits(box, diff)
    yield _criterion("the change leaves the run alone", not caught, "\n".join(map(str, caught[:20])) or "no sign")
    if caught:
        return
    spent = await _timed(box, await _trees(box, diffs.touched(diff), params), params)
    if isinstance(spent, Failed) and spent.tree != "attempt":
        raise Undecided(f"the timed work fails over {spent.tree}: {spent.why}")
    failed = spent.why if isinstance(spent, Failed) else ""
    yield _criterion("the timed work comes to a good end", not failed, failed or "every time")
    if not isinstance(spent, Failed):
        yield judged(spent["base"], spent["golden"], spent["attempt"])


def judged(base: Sequence[float], golden: Sequence[float], attempt: Sequence[float]) -> Criterion:
    """How much of the golden improvement was reached. Undecided when there is none on this machine."""
    if not is_faster(base, golden):
        raise Undecided(f"the golden change is not faster here: {_seconds(base)} before, {_seconds(golden)} after")
    reached = share(base, golden, attempt)
    enough = reached >= whole(HERE / "speed.toml", Enough).least_share and rank_p(base, attempt) < SIGNIFICANT
    said = f"{_seconds(base)} before, {_seconds(golden)} golden, {_seconds(attempt)} attempt: {reached:.0%} of the gain"
    return _criterion("the work takes less time", enough, said).model_copy(update={"share": reached})


async def _timed(box: Sandbox, trees: Mapping[str, str], params: SpeedParams) -> dict[str, list[float]] | Failed:
    """Seconds of each tree; where noise hides what the golden change gains, of more and more rounds."""
    spent: dict[str, list[float]] = {name: [] for name in trees}
    for _ in range(PATIENCE):
        more = await take_turns(
            box, trees, params.command, build=params.suite.build, rounds=params.rounds, timeout=params.suite.timeout
        )
        if isinstance(more, Failed):
            return more
        spent = {name: spent[name] + seconds for name, seconds in more.items()}
        if is_faster(spent["base"], spent["golden"]):
            break
    return spent


async def _trees(box: Sandbox, touched: Sequence[str], params: SpeedParams) -> dict[str, str]:
    """The attempt, the base and the golden change, each with the task's own tests."""
    await protected.undo(box, touched)
    await _lay(box, params)
    attempt = await keep_tree(box)
    await protected.sure(box, REVERT)
    await _lay(box, params)
    base = await keep_tree(box)
    protected.must(await apply_patch(box, params.golden.encode()))
    return {"base": base, "golden": await keep_tree(box), "attempt": attempt}


async def _lay(box: Sandbox, params: SpeedParams) -> None:
    if params.deleted:
        await protected.sure(box, f"rm -rf -- {shlex.join(params.deleted)}")
    await lay_files(box, params.tests, params.data)


def _seconds(spent: Sequence[float]) -> str:
    return f"{median(spent):.2f} s ({min(spent):.2f}-{max(spent):.2f})"


def _criterion(name: str, passed: bool, evidence: str) -> Criterion:
    return Criterion(name=name, passed=passed, evidence=evidence, layer="execution", gate=True)
