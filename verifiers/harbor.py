"""The verifier `harbor`: a Harbor task's own `tests/test.sh` over the attempt's tree, in a fresh box.

what an attempt may try                   what stops it
leave a reward behind                     the reward's folder is made anew before the tests run
write the reward from the code            added lines that name its place: the reward is zero
talk the tests into a pass                altered tests, which right code fails, must not give the full reward; signs of
                                            a trick reject where none can be altered
keep a process that writes it             no process of the attempt is in a fresh box; those of the tests' run are ended
end the tests early                       no reward, no pass; a control run says whose doing it was
"""

from __future__ import annotations

from collections.abc import AsyncIterator

from crucible.domains.code.harbor import HarborParams
from crucible.errors import Undecided
from crucible.judging.fresh_boxes import FreshBoxes
from crucible.judging.grading import read_diff
from crucible.mining import BlobStore
from crucible.model import Criterion, Task, Trajectory
from crucible.parts import verifier
from crucible.sandbox import Sandbox
from verifiers.attempt_diff import added_lines
from verifiers.criteria import gate_criterion, warning_criterion
from verifiers.harbor_trial import LOGS, REWARDS, Trial, run_reference, run_tests
from verifiers.harbor_twins import judge_altered, settle_altered
from verifiers.tampering import find_tampering, list_hits


@verifier(
    "harbor",
    layer="execution",
    version=2,
    cost="minutes",
    gate=True,
    needs=("blobs", "boxes"),
    settle=settle_altered,
)
async def harbor(
    task: Task, trajectory: Trajectory, box: Sandbox, *, params: HarborParams, blobs: BlobStore, boxes: FreshBoxes
) -> AsyncIterator[Criterion]:
    """The task's own test script gives the attempt's tree its full reward."""
    diff = read_diff(trajectory, blobs)
    signs, forgeries = await find_tampering(box, diff), _find_forgeries(diff)
    decide = gate_criterion if forgeries or not params.twins else warning_criterion
    hits = [*map(str, signs), *forgeries]
    yield decide("the change leaves the test run alone", not hits, list_hits(hits) or "no sign of tampering")
    trial = await run_tests(box, params)
    log = {"log": blobs.put(trial.log.encode(errors="replace"))}
    if trial.reward is None:
        await _must_be_the_attempt(boxes, params, trial)
    reward = "no reward" if trial.reward is None else f"the reward is {trial.reward:g}"
    evidence = f"{reward}; {trial.why or 'test.sh ended'}\n{trial.log[-1500:]}"
    yield gate_criterion("the tests give the full reward", trial.is_full, evidence, attachments=log)
    if params.twins:
        yield await judge_altered(params, boxes)


def _find_forgeries(diff: bytes) -> list[str]:
    """Added lines that name the reward's place: no honest solution has business there."""
    names = (LOGS, *REWARDS)
    return [
        f"{line.path}:{line.number} names the reward: {line.text.strip()[:160]}"
        for line in added_lines(diff)
        if any(name in line.text for name in names)
    ]


async def _must_be_the_attempt(boxes: FreshBoxes, params: HarborParams, trial: Trial) -> None:
    """Run the same tests over the reference. Where they leave no reward either, nothing is known of the attempt."""
    control = await run_reference(boxes, params)
    if control.reward is None:
        raise Undecided(f"the tests leave no reward: {trial.why}; with the reference: {control.why}")
