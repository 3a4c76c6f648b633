"""The verifier `speed`: the same work in less processor time, timed in turn over the task's base, the golden change and
the attempt, each time in a box of its own. That the tests still pass is for `suite` to say, and it says so first.

what an attempt may try                   what stops it
time something else                       what is timed, and its files, come from the task
skip the work, or end early               the timed run must end well, and badly where its tests were altered
slow the base down, or keep answers       base and attempt share no box, and no two runs do
know the answer to what is timed          with other and larger numbers, lists that begin elsewhere, letters for digits
                                            it must answer as the golden change does, and be faster each time
work it out while it is built             the tests are laid only then
hand the work to another process          the kernel counts the whole box
forge the time                            it is read from the kernel by tools that the attempt cannot have replaced
be lucky on a noisy machine               processor time, several rounds in turn, a rank test
a slow machine that hides the difference  then the golden change is no faster either: more rounds, then undecided
"""

from __future__ import annotations

import re
import shlex
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from random import SystemRandom
from statistics import median

from crucible import parts
from crucible.datafile import read_file
from crucible.domains.code.altering import apply_twins, draw_twins
from crucible.domains.code.check_params import SpeedParams
from crucible.domains.code.patches import changes
from crucible.domains.code.suite import SuiteParams
from crucible.domains.code.timing import (
    LARGEST_CHANCE,
    Ending,
    FailedWork,
    Spent,
    gained_share,
    is_faster,
    rank_test,
    time_command,
    time_ending,
    time_in_turns,
)
from crucible.domains.code.twins import Twin
from crucible.errors import Undecided
from crucible.judging.fresh_boxes import FreshBoxes
from crucible.model import Criterion, Task, Trajectory
from crucible.record import Record
from crucible.sandbox import Sandbox
from verifiers.attempt_tree import read_tree
from verifiers.criteria import gate_criterion, warning_criterion
from verifiers.speed_inputs import (
    draw_other_numbers,
    enlarge_numbers,
    explain_answers,
    explain_slowness,
    has_gain,
    is_fast_beside,
    spell_digits,
    turn_lists,
)
from verifiers.tampering import find_signs, list_hits
from verifiers.timed_trees import open_tree, open_trees

TABLE = Path(__file__).with_name("speed.toml")
ATTEMPTS_AT_TIMING = 3
"""How often all rounds are taken before a golden change that is no faster leaves it undecided."""

LEAST_ROUNDS = 2
"""How many rounds are taken in any case."""

RUNS_IN_DOUBT = 5
"""How many runs decide about another input, at most."""

LONGEST_FAR_RUN = 60.0
"""In seconds: an input far from what is timed with which the base or the golden change takes longer is left out."""

OTHER_INPUTS = "other inputs take less time, too"

TWINS_NOTICED = "the timed run notices altered tests"


class SpeedRule(Record):
    """`speed.toml`: when an attempt is fast enough."""

    least_share: float
    """Of the golden improvement."""
    hopeless_share: float
    """Of the golden improvement: an attempt none of whose first runs gains as much is not timed further."""


@parts.verifier("speed", layer="execution", version=8, cost="minutes", gate=True, needs=("boxes",))
async def speed(
    task: Task, trajectory: Trajectory, box: Sandbox, *, params: SpeedParams, boxes: FreshBoxes
) -> AsyncIterator[Criterion]:
    """The attempt is faster, by a good part of what the golden change gains."""
    hits = [hit for hit in await find_signs(box, await read_tree(box)) if not hit.is_slight]
    yield warning_criterion("the change leaves the run alone", not hits, list_hits(hits) or "no sign")
    if twins := find_timed_twins(task, params):
        yield await _judge_twins(twins, params, boxes)
    spent = await _time_trees(params, boxes)
    if isinstance(spent, FailedWork) and spent.tree != "attempt":
        raise Undecided(f"the timed work fails over {spent.tree}: {spent.why}")
    failed = spent.why if isinstance(spent, FailedWork) else ""
    yield gate_criterion("the timed work comes to a good end", not failed, failed or "every time")
    if not isinstance(spent, FailedWork):
        times = judge_times(spent["base"], spent["golden"], spent["attempt"])
        yield times
        if times.passed and (others := await judge_other_inputs(params, twins, boxes)):
            yield others


async def judge_other_inputs(params: SpeedParams, twins: Sequence[Twin], boxes: FreshBoxes) -> Criterion | None:
    """Whether the attempt is as right as the golden change, and faster, where the timed tests have other inputs, near
    what is timed or far from it; None where they can have no others. An input with which one run is not clearly fast is
    timed some more: a machine may have been busy, with either tree."""
    rule = read_file(TABLE, SpeedRule)
    near = [*draw_other_numbers(params, twins, SystemRandom()), *turn_lists(params)]
    far = [*enlarge_numbers(params, twins, SystemRandom()), *spell_digits(params)]
    if not (near or far):
        return None
    for tests in (*near, *far):
        other = OtherInput(params.model_copy(update={"tests": tests}), boxes, tests in far)
        runs = [await other.time_trees(spare_base=True)]
        if explain_slowness(runs, rule.least_share):
            while not is_settled(runs, rule.hopeless_share):
                runs.append(await other.time_trees())
        if why := explain_answers(runs, _read_changed(params)) or explain_slowness(runs, rule.hopeless_share):
            return gate_criterion(OTHER_INPUTS, False, why)
    return gate_criterion(OTHER_INPUTS, True, f"{len(near) + len(far)} draws")


def is_settled(runs: Sequence[Mapping[str, Ending]], least_share: float) -> bool:
    """Whether no further run with an input could change what the median of all says."""
    slow = sum(bool(explain_slowness([run], least_share)) for run in runs)
    return len(runs) >= RUNS_IN_DOUBT or slow > RUNS_IN_DOUBT // 2


@dataclass(frozen=True)
class OtherInput:
    """The timed tests with another input."""

    params: SpeedParams
    boxes: FreshBoxes
    is_far: bool
    """Whether it is far from what is timed: then it says something only where the golden change is faster with it, too;
    elsewhere the tests may ask for what is no work of the code's."""

    async def time_trees(self, spare_base: bool = False) -> Mapping[str, Ending]:
        """One run of each tree; nothing where one cannot be built, an input far away takes too long, or nothing comes
        of it. The base, the slowest, is spared if wanted where the attempt does well beside the golden change."""
        run: dict[str, Ending] = {}
        for name in ("golden", "attempt", "base"):
            if name == "base" and spare_base and self._is_fast(run["golden"], run["attempt"]):
                return {}
            ending = await self._time(name)
            if ending is None:
                return {}
            run[name] = ending
        return {} if self.is_far and not has_gain(run) else run

    def _is_fast(self, golden: Ending, attempt: Ending) -> bool:
        least_share = read_file(TABLE, SpeedRule).least_share
        return is_fast_beside(golden, attempt, least_share, _read_changed(self.params))

    async def _time(self, name: str) -> Ending | None:
        """One run of a tree; None where it cannot be built, or takes too long with an input far away."""
        limit = self.params.suite.timeout
        longest = LONGEST_FAR_RUN if self.is_far and name != "attempt" else float("inf")
        async with open_tree(name, self.params, self.boxes) as (box, why):
            ending = None if why else await time_ending(box, self.params.command, min(longest, limit))
        return None if ending is None or ending.seconds >= longest else ending


def _read_changed(params: SpeedParams) -> list[str]:
    """The names of the files that the golden change touches."""
    return [PurePosixPath(change.path).name for change in changes(params.golden)]


def judge_times(base: Sequence[float], golden: Sequence[float], attempt: Sequence[float]) -> Criterion:
    """How much of the golden improvement was reached. Undecided when there is none on this machine."""
    if not is_faster(base, golden):
        raise Undecided(f"the golden change is not faster here: {_seconds(base)} before, {_seconds(golden)} after")
    reached = gained_share(base, golden, attempt)
    enough = reached >= read_file(TABLE, SpeedRule).least_share and rank_test(base, attempt) < LARGEST_CHANCE
    times = f"{_seconds(base)} before, {_seconds(golden)} golden, {_seconds(attempt)} attempt"
    evidence = f"{times}: {reached:.0%} of the gain"
    return gate_criterion("the work takes less time", enough, evidence).model_copy(update={"share": reached})


def is_hopeless(spent: Spent) -> bool:
    """Whether two rounds have shown enough: even the attempt's fastest run gained next to nothing of what the golden
    change gains in every run."""
    base, golden, attempt = spent["base"], spent["golden"], spent["attempt"]
    if len(base) < LEAST_ROUNDS or max(golden) >= min(base):
        return False
    return gained_share(base, golden, [min(attempt)]) < read_file(TABLE, SpeedRule).hopeless_share


def find_timed_twins(task: Task, params: SpeedParams) -> list[Twin]:
    """The alterations of the task's tests that the timed run must notice: those of tests that are timed."""
    suites = [SuiteParams.model_validate(check.params) for check in task.checks if check.verifier == "suite"]
    return [
        twin
        for suite in suites
        for twin in suite.proven_twins
        if twin.path in params.tests and any(_is_timed(test, params.command) for test in twin.touched)
    ]


def _is_timed(test: str, command: str) -> bool:
    """Whether the command names the test, by its id or, in a pattern of Go's, by its name."""
    return test in shlex.split(command) or test.rpartition("::")[2] in re.findall(r"\w+", command)


async def _judge_twins(twins: Sequence[Twin], params: SpeedParams, boxes: FreshBoxes) -> Criterion:
    """Whether the timed run, over the attempt, ends badly when its tests ask for what right code does not do: one that
    ends before the work is done does not notice. It counts only where the golden change, with the same draw, does."""
    tests = apply_twins(params.tests, draw_twins(twins, SystemRandom()))
    altered = params.model_copy(update={"tests": tests})
    async with open_tree("attempt", altered, boxes) as (box, _):
        ended = await time_command(box, params.command, params.suite.timeout)
    if isinstance(ended, str):
        return gate_criterion(TWINS_NOTICED, True, ended)
    async with open_tree("golden", altered, boxes) as (box, _):
        golden = await time_command(box, params.command, params.suite.timeout)
    evidence = f"it ends well, whatever the tests ask for; with the golden change: {golden}"
    return gate_criterion(TWINS_NOTICED, not isinstance(golden, str), evidence)


async def _time_trees(params: SpeedParams, boxes: FreshBoxes) -> dict[str, list[float]] | FailedWork:
    """The seconds that each tree took; where noise hides what the golden change gains, over more and more rounds."""
    async with open_trees(params, boxes) as trees:
        return trees if isinstance(trees, FailedWork) else await _time_until_clear(trees, params)


async def _time_until_clear(trees: Mapping[str, Sandbox], params: SpeedParams) -> dict[str, list[float]] | FailedWork:
    spent: dict[str, list[float]] = {name: [] for name in trees}
    for _ in range(ATTEMPTS_AT_TIMING):
        more = await time_in_turns(
            trees, params.command, rounds=params.rounds, timeout=params.suite.timeout, is_settled=is_hopeless
        )
        if isinstance(more, FailedWork):
            return more
        spent = {name: spent[name] + seconds for name, seconds in more.items()}
        if is_faster(spent["base"], spent["golden"]):
            break
    return spent


def _seconds(spent: Sequence[float]) -> str:
    return f"{median(spent):.2f} s ({min(spent):.2f}-{max(spent):.2f})"
