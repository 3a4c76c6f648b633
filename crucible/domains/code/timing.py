"""How long work takes over several trees, timed in turn in one box, and when one is faster than the other.

What is measured is the processor time of the command and its children, not the clock on the wall: other work on the
machine stretches the second and hardly the first.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from functools import cache
from math import comb
from statistics import median

from crucible.errors import BoxExhausted, SandboxError
from crucible.record import Record
from crucible.sandbox import Sandbox

LARGEST_CHANCE = 0.01
"""A difference that is likelier than this by chance is not believed."""
LEAST_GAIN = 0.2
"""The least share of the median that must be gained."""
WRITE_TREE = "git add -A && git write-tree"
SPENT = re.compile(r"(\d+)m([\d.]+)s")
# matches: 0m1.230s, four of which the shell's `times` prints: its own user and system time, then its children's


class FailedWork(Record):
    """The work did not come to a good end over a tree."""

    tree: str
    why: str


async def keep_tree(box: Sandbox) -> str:
    """Keep what is in the workdir now as a git tree; returns the tree's name."""
    done = await box.exec(WRITE_TREE, timeout=300)
    if not done.ok:
        raise SandboxError(f"the tree cannot be kept: {done.err.strip()[-200:]}")
    return done.out.strip()


async def time_in_turns(
    box: Sandbox, trees: Mapping[str, str], command: str, *, build: str = "", rounds: int = 7, timeout: float = 300.0
) -> dict[str, list[float]] | FailedWork:
    """The seconds that the command took over each tree, the trees in turn, after one round that does not count."""
    spent: dict[str, list[float]] = {name: [] for name in trees}
    for turn in range(rounds + 1):
        for name, tree in trees.items():
            seconds = await _time_tree(box, tree, command, build, timeout)
            if isinstance(seconds, str):
                return FailedWork(tree=name, why=seconds)
            if turn:
                spent[name].append(seconds)
    return spent


async def _time_tree(box: Sandbox, tree: str, command: str, build: str, timeout: float) -> float | str:
    """The seconds of processor time that the command took over one tree; in words why it failed, if it did."""
    switched = await box.exec(f"git read-tree --reset -u {shlex.quote(tree)}", timeout=300)
    if not switched.ok:
        raise SandboxError(f"the tree cannot be brought back: {switched.err.strip()[-200:]}")
    if build and not (built := await box.exec(build, timeout=timeout)).ok:
        return f"the build ended with code {built.code}"
    script = f"( {command} ) >/dev/null 2>&1; code=$?; times; exit $code"
    try:
        done = await box.exec(f"PYTHONDONTWRITEBYTECODE=1 sh -c {shlex.quote(script)}", timeout=timeout)
    except BoxExhausted as spent:
        return str(spent)
    if not done.ok:
        return f"it was stopped: {done.stopped}" if done.stopped else f"it ended with code {done.code}"
    user, system = SPENT.findall(done.out)[2:4]
    return sum(60 * int(minutes) + float(seconds) for minutes, seconds in (user, system))


def is_faster(before: Sequence[float], after: Sequence[float]) -> bool:
    """Whether the difference is both certain and large."""
    certain = max(after) < min(before) or rank_test(before, after) < LARGEST_CHANCE
    return certain and median(after) <= (1 - LEAST_GAIN) * median(before)


def gained_share(before: Sequence[float], golden: Sequence[float], own: Sequence[float]) -> float:
    """How much of the golden improvement was reached, between nothing and all of it."""
    gained, possible = median(before) - median(own), median(before) - median(golden)
    return min(1.0, max(0.0, gained / possible)) if possible > 0 else 0.0


def rank_test(before: Sequence[float], after: Sequence[float]) -> float:
    """Mann and Whitney's test, exact and one-sided: how likely `after` is this low by chance. A tie counts half
    against it, rounded up."""
    wins = sum((late > early) + (late == early) / 2 for late in after for early in before)
    ways = sum(_count_orders(len(after), len(before), count) for count in range(int(-(-wins // 1)) + 1))
    return ways / comb(len(after) + len(before), len(after))


@cache
def _count_orders(first: int, second: int, wins: int) -> int:
    """In how many orders of two groups the members of one come after members of the other so many times."""
    if wins < 0:
        return 0
    if first == 0 or second == 0:
        return int(wins == 0)
    return _count_orders(first - 1, second, wins - second) + _count_orders(first, second - 1, wins)
