"""How long work takes over several trees, timed in turn, and when one is faster than the other.

What is measured is the processor time of everything in a box, as the kernel counts it for the box, not the clock on the
wall: other work on the machine stretches the second and hardly the first. Nothing in the box can write that number, and
work that is handed to another process is counted too. Every single timing has a box of its own: nothing that one run
leaves behind, a process or a file with the answers, is there in another.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from math import comb
from statistics import median
from typing import NamedTuple

from crucible.errors import BoxExhausted, SandboxError
from crucible.record import Record
from crucible.sandbox import Sandbox

LARGEST_CHANCE = 0.01
"""A difference that is likelier than this by chance is not believed."""
LEAST_GAIN = 0.2
"""The least share of the median that must be gained."""
LARGEST_LOG = 1 << 20
"""In bytes: of longer logs nothing is read."""
READ_NANOSECONDS = """{
cat /sys/fs/cgroup/cpuacct/cpuacct.usage || sed -n 's/^usage_usec \\(.*\\)/\\1000/p' /sys/fs/cgroup/cpu.stat
} 2>/dev/null"""
"""By either version of the kernel's groups."""


class FailedWork(Record):
    """The work did not come to a good end over a tree."""

    tree: str
    why: str


Spent = Mapping[str, Sequence[float]]
"""The seconds of every run, by tree."""


async def time_in_turns(
    trees: Mapping[str, Sandbox],
    command: str,
    *,
    rounds: int = 7,
    timeout: float = 300.0,
    is_settled: Callable[[Spent], bool] = lambda _: False,
) -> dict[str, list[float]] | FailedWork:
    """The seconds that the command took over each tree, the trees in turn, after one round that does not count, until
    more rounds would change nothing. The boxes hold the trees, built; each run is in a copy of one."""
    spent: dict[str, list[float]] = {name: [] for name in trees}
    for turn in range(rounds + 1):
        if is_settled(spent):
            break
        for name, box in trees.items():
            async with box.fork() as other:
                seconds = await time_command(other, command, timeout)
            if isinstance(seconds, str):
                return FailedWork(tree=name, why=seconds)
            if turn:
                spent[name].append(seconds)
    return spent


async def time_command(box: Sandbox, command: str, timeout: float) -> float | str:
    """The seconds of processor time that the command took; in words why it failed, if it did."""
    ending = await time_ending(box, command, timeout)
    return ending.why or ending.seconds


class Ending(NamedTuple):
    """How a timed command ended."""

    why: str
    """In words why it failed; empty when it did not."""
    seconds: float
    """The processor time until then."""
    printed: str = ""


async def time_ending(box: Sandbox, command: str, timeout: float) -> Ending:
    """Run a command to its end, whatever that is."""
    log = f"/tmp/.crucible-{secrets.token_hex(8)}"
    before = await _read_nanoseconds(box)
    try:
        done = await box.exec(f"export PYTHONDONTWRITEBYTECODE=1; ( {command} ) >{log} 2>&1", timeout=timeout)
    except BoxExhausted as spent:
        return Ending(str(spent), timeout)
    seconds = (await _read_nanoseconds(box) - before) / 1e9
    why = f"it was stopped: {done.stopped}" if done.stopped else f"it ended with code {done.code}"
    return Ending("" if done.ok else why, seconds, await _read_log(box, log))


async def _read_log(box: Sandbox, path: str) -> str:
    """What was printed; empty where it cannot be read, or is very much."""
    try:
        return (await box.read(path, limit=LARGEST_LOG)).decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""


async def _read_nanoseconds(box: Sandbox) -> int:
    """What everything in the box has taken so far. SandboxError where the engine does not tell."""
    done = await box.exec(READ_NANOSECONDS, trusted=True)
    if not done.out.strip().isdigit():
        raise SandboxError(f"the processor time of the box cannot be read: {done.err.strip()[-200:]}")
    return int(done.out)


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
