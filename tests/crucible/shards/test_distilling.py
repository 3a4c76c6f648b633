"""Prompt distillation: sections are left out by seed, and a row says which."""

from __future__ import annotations

from agents.scaffolds import build_scaffold
from crucible.exporting import Judged
from crucible.model import Agent, Step, Task, Trajectory
from crucible.shards.attempt_columns import attempt_columns
from crucible.shards.distilling import drop_sections

SCAFFOLD = build_scaffold("builder", 3)


def _judged(instruction: str = "x", system: str = SCAFFOLD.system, scaffold: str = "builder") -> Judged:
    task = Task(domain="appdev", kind="frontend", instruction=instruction)
    agent = Agent(scaffold=scaffold, teacher="openai", seed=3)
    fields = {"system": system, "prompt": "Build it.", "steps": (Step(text="Built."),), "ended": "submitted"}
    return Judged.of(task, Trajectory.model_validate({"task_id": task.id, "agent": agent, **fields}))


def test_the_whole_prompt_has_every_section_once() -> None:
    assert list(SCAFFOLD.sections) == ["specification", "plan", "craft", "self-test"]
    assert all(SCAFFOLD.system.count(text) == 1 for text in SCAFFOLD.sections.values())


def test_sections_that_are_dropped_are_gone_and_told() -> None:
    distilled = drop_sections(_judged(), 0.5, seed=1)
    assert 0 < len(distilled.dropped_sections) < 4
    for name, text in SCAFFOLD.sections.items():
        assert (text in distilled.light.system) == (name not in distilled.dropped_sections)
    assert distilled.trajectory.system == distilled.light.system
    assert "\n\n\n" not in distilled.light.system


def test_the_seed_and_the_attempt_decide_what_is_dropped() -> None:
    assert drop_sections(_judged(), 0.5, 1) == drop_sections(_judged(), 0.5, 1)
    drawn = {drop_sections(_judged(str(number)), 0.5, 1).dropped_sections for number in range(30)}
    assert len(drawn) > 5
    assert len({drop_sections(_judged(), 0.5, seed).dropped_sections for seed in range(30)}) > 5


def test_all_or_nothing_can_be_dropped() -> None:
    assert drop_sections(_judged(), 1.0, 0).dropped_sections == ("specification", "plan", "craft", "self-test")
    assert drop_sections(_judged(), 0.0, 0).dropped_sections == ()


def test_a_prompt_without_sections_stays_as_it_is() -> None:
    for judged in (_judged(system="Be brief."), _judged(scaffold="bash"), _judged(scaffold="gone")):
        assert drop_sections(judged, 1.0, 0) == judged


def test_a_row_says_what_was_dropped() -> None:
    distilled = drop_sections(_judged(), 1.0, 0)
    row = attempt_columns(distilled, characters=0, tokens=None, patch=None)
    assert row["dropped_sections"] == ["specification", "plan", "craft", "self-test"]
