"""Answers with several calls as several turns, for chat templates that take one call in an answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import msgspec

from crucible.exporting import Judged, LightStep


def divide_calls(judged: Judged) -> Judged:
    """The attempt with at most one call in each turn: what was thought and said goes with the first, and the result of
    each follows it at once. It is learnt as if the calls had been made one after the other."""
    if all(len(step.calls) < 2 for step in judged.light.steps):
        return judged
    steps = tuple(turn for step in judged.light.steps for turn in divide_step(step))
    return replace(judged, light=msgspec.structs.replace(judged.light, steps=steps))


def divide_step(step: LightStep) -> Iterator[LightStep]:
    """The step as one turn for each of its calls. What came back for no call of it comes last."""
    if len(step.calls) < 2:
        yield step
        return
    rest, turn = step.observations, msgspec.structs.replace(step, calls=(), observations=())
    for call in step.calls[:-1]:
        results = tuple(seen for seen in rest if seen.call_id == call.id)
        rest = tuple(seen for seen in rest if seen.call_id != call.id)
        yield msgspec.structs.replace(turn, calls=(call,), observations=results)
        turn = LightStep()
    yield LightStep(calls=step.calls[-1:], observations=rest)
