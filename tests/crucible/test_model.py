"""What identifies a task and an attempt."""

from __future__ import annotations

import pytest

from crucible.judging.steadiness import drop_entries
from crucible.model import Agent, Check, Provenance, Task

TASK = Task(
    domain="swe",
    kind="bugfix",
    instruction="Mend it.",
    checks=(Check(verifier="suite", params={"pass_to_pass": ["a", "b"]}),),
)


def changed(**fields: object) -> Task:
    return Task.model_validate(TASK.model_dump() | fields)


@pytest.mark.parametrize(
    "check",
    [
        Check(verifier="suite", params={"pass_to_pass": ["a"]}),
        Check(verifier="other", params={"pass_to_pass": ["a", "b"]}),
        Check(verifier="suite", params={"pass_to_pass": ["a", "b"]}, least=0.5),
    ],
)
def test_the_same_task_with_other_checks_has_another_id(check: Check) -> None:
    assert changed(checks=(check,)).id != TASK.id


def test_a_picture_makes_another_task_and_where_it_came_from_does_not() -> None:
    assert changed(images=("0" * 64,)).id != TASK.id
    assert changed(provenance=Provenance(source="git:x#1", author="Ada")).id == TASK.id


def test_taking_an_unsteady_test_from_the_checks_keeps_the_id() -> None:
    once = drop_entries(TASK, frozenset({"b"}))
    twice = drop_entries(once, frozenset({"a"}))
    assert once.checks[0].params != TASK.checks[0].params
    assert once.checks_hash != TASK.checks_hash
    reread = [Task.model_validate_json(task.model_dump_json()) for task in (once, twice)]
    assert [task.id for task in reread] == [TASK.id, TASK.id]


@pytest.mark.parametrize("other", [{"harness": "h"}, {"tools": ("view",)}, {"session": "s"}, {"seed": 1}])
def test_an_attempt_is_identified_by_who_makes_it(other: dict[str, object]) -> None:
    agent = Agent(scaffold="native", teacher="nop")
    assert agent.model_copy(update=other).attempt_id("t") != agent.attempt_id("t")
