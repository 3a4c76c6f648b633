"""The timed work with other numbers: who knows the answer to the very input that is timed does not know it there, or is
as slow there as before.

What the tests then say is nothing by itself: it counts only where the base and the golden change agree about it.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from random import Random
from statistics import median
from typing import NamedTuple

from crucible.domains.code.check_params import SpeedParams
from crucible.domains.code.timing import LEAST_GAIN, gained_share
from crucible.domains.code.twins import Twin

NUMBER = re.compile(r"(?<![\w.\"'])\d[\d_]*(?![\w.\"'])")
# matches: the 4 and the 1_000 of `cold * 4 + [5.5] * 1_000`
GO_TEST = re.compile(r"\b(?:Test|Benchmark)\w+")
# matches: the TestTotal of `go test -run '^TestTotal$'`


class Ended(NamedTuple):
    """How a run ended, and after how many seconds."""

    well: bool
    seconds: float


def draw_other_numbers(params: SpeedParams, twins: Sequence[Twin], random: Random) -> list[dict[str, str]]:
    """The test files twice: half of the numbers that the timed tests name, but for those that they expect by their
    twins, are one higher in the first, the others in the second. None without numbers."""
    words = shlex.split(params.command)
    names = {word.rpartition("::")[2] for word in words if "::" in word} | {*GO_TEST.findall(params.command)}
    places = [
        (path, number)
        for path, text in params.tests.items()
        for begin, end in {block for name in names for block in find_blocks(text, name)}
        for number in NUMBER.finditer(text, begin, end)
        if not any(twin.path == path and twin.start <= number.start() < twin.end for twin in twins)
    ]
    random.shuffle(places)
    halves = (places[: len(places) // 2], places[len(places) // 2 :])
    return [_raise_numbers(params.tests, half) for half in halves if half]


def _raise_numbers(files: Mapping[str, str], places: Sequence[tuple[str, re.Match[str]]]) -> dict[str, str]:
    altered = dict(files)
    for path, number in sorted(places, key=lambda place: -place[1].start()):
        text = altered[path]
        altered[path] = f"{text[: number.start()]}{int(number[0]) + 1}{text[number.end() :]}"
    return altered


def find_blocks(text: str, name: str) -> list[tuple[int, int]]:
    """Where the definition of this name begins and ends, by its indentation; none where there is none."""
    head = re.search(rf"^([ \t]*)[^\s#/].*\b{re.escape(name)}\b.*\n", text, re.MULTILINE)
    if head is None:
        return []
    end = re.compile(rf"^(?!{re.escape(head[1])}[ \t])[ \t]*\S", re.MULTILINE).search(text, head.end())
    return [(head.end(), end.start() if end else len(text))]


def explain_difference(runs: Sequence[Mapping[str, Ended]], least_share: float) -> str:
    """What tells that the attempt is not the same work in less time with other numbers; empty when nothing does."""
    shares = []
    for run in runs:
        base, golden, own = run["base"], run["golden"], run["attempt"]
        if base.well == golden.well != own.well:
            words = ("pass", "fail") if own.well else ("fail", "pass")
            return f"the tests {words[0]} over the attempt, and {words[1]} before and with the golden change"
        if golden.seconds <= (1 - LEAST_GAIN) * base.seconds:
            shares.append(gained_share([base.seconds], [golden.seconds], [own.seconds]))
    return f"{median(shares):.0%} of the gain" if shares and median(shares) < least_share else ""
