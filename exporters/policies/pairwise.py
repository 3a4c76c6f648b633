"""The policy `pairwise`: a judge compares the attempts two by two, by how they were made and by what came of them.

Each pair is shown in both orders; a judge that changes its mind with the order has no preference. The comparisons are
items of the ledger: a run that was stopped asks only what it has not asked yet. From them Bradley and Terry's model
gives every attempt a strength on each axis, and the mean of the two decides.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path
from string import Template
from typing import Literal

from crucible.asking import Judge, ask
from crucible.choosing import Candidate, Facts, Ranking
from crucible.facts import COMPARISON, Comparison
from crucible.mining import BlobStore
from crucible.parts import policy
from crucible.record import Record, digest

Axis = Literal["trajectory", "artifact"]
AXES: dict[Axis, str] = {
    "trajectory": "how the work was done, step by step (sound reasoning, no detours, no luck)",
    "artifact": "what the work left behind (correct, complete, no more than was asked for)",
}
QUESTION = Path(__file__).with_name("pairwise.md")
SHOWN_CHARS = 12_000
"""So much of an attempt is shown, its beginning and its end."""
ROUNDS = 200
"""Of the strengths' computation; with so few attempts it settles long before."""


class Preference(Record):
    """A judge's answer."""

    better: Literal["first", "second", "neither"]
    evidence: str


@policy("pairwise", needs=("judge", "facts", "blobs", "identify"))
async def by_pairs(
    candidates: Sequence[Candidate], *, judge: Judge, facts: Facts, blobs: BlobStore, identify: Callable[[str], str]
) -> Ranking:
    """The one that a judge prefers to the others first, by trajectory and artifact; needs the service `judge`."""
    strengths: dict[str, float] = {candidate.id: 0.0 for candidate in candidates}
    for axis in AXES:
        pairs = [
            _compare(axis, left, right, judge=judge, facts=facts, blobs=blobs, who=identify("judge"))
            for left, right in combinations(sorted(candidates, key=lambda each: each.id), 2)
        ]
        for id, strength in fit_strengths(list(strengths), await asyncio.gather(*pairs)).items():
            strengths[id] += strength / len(AXES)
    for candidate in sorted(candidates, key=lambda each: -round(strengths[each.id], 9)):
        yield candidate, f"strength {strengths[candidate.id]:+.3f}"


def fit_strengths(ids: Sequence[str], comparisons: Sequence[Comparison]) -> dict[str, float]:
    """Bradley and Terry's strengths, as logarithms around 0. No preference is half a win for each; every attempt also
    draws once with an average one, so that whoever always wins has a finite strength."""
    worth = dict.fromkeys(ids, 1.0)
    wins = {id: 0.5 + sum(_points(one, id) for one in comparisons) for id in ids}
    for _ in range(ROUNDS):
        worth = {
            id: wins[id]
            / (1 / (worth[id] + 1) + sum(1 / (worth[id] + worth[other]) for other in _met(id, comparisons)))
            for id in ids
        }
    return {id: math.log(value) for id, value in worth.items()}


def _points(one: Comparison, id: str) -> float:
    if id not in (one.first, one.second):
        return 0.0
    return 0.5 if one.better == "neither" else float(id == (one.first if one.better == "first" else one.second))


def _met(id: str, comparisons: Sequence[Comparison]) -> list[str]:
    """Whom an attempt was compared with."""
    return [one.second if one.first == id else one.first for one in comparisons if id in (one.first, one.second)]


async def _compare(
    axis: Axis, left: Candidate, right: Candidate, *, judge: Judge, facts: Facts, blobs: BlobStore, who: str
) -> Comparison:
    """What is known of the pair, or what the judge says of it in both orders."""
    id = f"{left.judged.task_id}-{COMPARISON}-{digest(axis, left.id, right.id, who)[:16]}"
    known = await facts.recall(COMPARISON, id, Comparison)
    if known is not None:
        return known
    shown = [_show(axis, candidate, blobs) for candidate in (left, right)]
    instruction = left.judged.task.instruction
    there = await ask(judge, _question(axis, instruction, *shown), (), Preference)
    back = await ask(judge, _question(axis, instruction, *reversed(shown)), (), Preference)
    swapped = {"first": "second", "second": "first", "neither": "neither"}[back.better]
    agreed = there.better if there.better == swapped else "neither"
    evidence = there.evidence if agreed == there.better else "the order in which they were shown decided"
    fact = Comparison(
        task_id=left.judged.task_id,
        axis=axis,
        first=left.id,
        second=right.id,
        better=agreed,
        evidence=evidence,
        judge=who,
    )
    await facts.keep(COMPARISON, id, fact, left.judged.task_id)
    return fact


def _question(axis: Axis, instruction: str, first: str, second: str) -> str:
    words = {"axis": AXES[axis], "instruction": _clip(instruction), "first": first, "second": second}
    return Template(QUESTION.read_text("utf-8")).substitute(words)


def _show(axis: Axis, candidate: Candidate, blobs: BlobStore) -> str:
    if axis == "artifact":
        artifacts = candidate.judged.trajectory.artifacts
        left = [f"{name}:\n{_as_text(blobs.get(digest))}" for name, digest in sorted(artifacts.items())]
        return _clip("\n\n".join(left) or "nothing was left behind")
    steps = candidate.judged.light.steps
    lines = [[step.thinking, step.text, *(f"{call.name} {call.arguments}" for call in step.calls)] for step in steps]
    return _clip("\n".join(line for step in lines for line in step if line) or "nothing was said or done")


def _as_text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return f"{len(data)} bytes that are no text"


def _clip(text: str) -> str:
    half = SHOWN_CHARS // 2
    return text if len(text) <= SHOWN_CHARS else f"{text[:half]}\n... left out ...\n{text[-half:]}"
