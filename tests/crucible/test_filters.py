"""Filters say what they mean, and what they cannot mean is told before anything runs."""

from __future__ import annotations

import pytest

from crucible.errors import SettingsError
from crucible.filters import parse_filter
from tests.exporters import attempts

TASK = attempts.task()
ONE = attempts.accepted(TASK, attempts.shapes(TASK)["native"])

TRUE = [
    "",
    "task.kind == 'bugfix' and task.domain != 'terminal'",
    "reward >= 0.9 and reward <= 1",
    "0 < len(trajectory.steps) < 3",
    "not trajectory.detail",
    "task.provenance.licence in ('MIT', 'Apache-2.0')",
    "'Mend' in task.instruction and task.instruction.lower().startswith('mend')",
    "trajectory.agent.options['model'] == 'm'",
    "trajectory.agent.options['nosuch'] == None",
    "any(v.verifier == 'told' and v.score == 1 for v in verdicts)",
    "all(c.name == 'shell' for s in trajectory.steps for c in s.calls if c.id)",
    "trajectory.usage.cost_usd < 1 or task.id == 'x'",
    "-reward < 0",
]
FALSE = [
    "task.kind == 'feature'",
    "reward > 1",
    "any(c.name == 'submit' for s in trajectory.steps for c in s.calls)",
    "trajectory.agent.options['nosuch'] > 3",
    "trajectory.agent.options['nosuch'].startswith('a')",
    "selection.policy == 'score'",
    "verdicts[7].score > 0",
]
WRONG = {
    "task.knd == 'bugfix'": "task: there is no field 'knd'; did you mean 'kind'? there are: domain, kind, ",
    "tsk.kind == 'x'": "there is no name 'tsk'; did you mean 'task'? there are: task, trajectory, verdicts",
    "task.kind == 3": "text is compared with a number",
    "trajectory.ended == 'submited'": "there is no value 'submited'; did you mean 'submitted'?",
    "trajectory.ended in ['steps', 'fell']": "there is no value 'fell'",
    "outcome = 'pass'": "invalid syntax",
    "reward is 1": "compare with ==",
    "task.kind.kind == 'x'": "is text and has no field 'kind'",
    "len(reward) > 1": "a number and has no length",
    "any(verdicts)": "write any(... for one in LIST)",
    "any(v.scor > 1 for v in verdicts)": "there is no field 'scor'",
    "task.instruction.upper() == 'X'": "texts have startswith, endswith, lower",
    "__import__('os').system('true')": "the functions are",
    "task.__class__.__mro__": "there is no field '__class__'",
    "(lambda: 1)()": "the functions are len, any, all",
    "[x for x in verdicts]": "is not allowed here",
    "f'{task}' == 'x'": "is not allowed here",
    "task.id == 'x' if reward else 1": "is not allowed here",
    "reward + 1 > 2": "is not allowed here",
    "(y := reward) > 1": "is not allowed here",
    "'a' * 10 ** 9 == 'x'": "is not allowed here",
    "task.env.limits['x'] == 1": "has no such key",
    "(" * 300 + ")" * 300: "",
    "x" * 20_000: "longer than",
    "reward > 1\0": "",
}


@pytest.mark.parametrize("expression", TRUE)
def test_it_holds(expression: str) -> None:
    assert parse_filter(expression)(ONE)


@pytest.mark.parametrize("expression", FALSE)
def test_it_does_not_hold(expression: str) -> None:
    assert not parse_filter(expression)(ONE)


@pytest.mark.parametrize("expression", WRONG, ids=lambda one: one[:40])
def test_what_makes_no_sense_is_refused_with_the_choices(expression: str) -> None:
    with pytest.raises(SettingsError) as told:
        parse_filter(expression)
    assert str(told.value).startswith("--where: ")
    assert WRONG[expression] in str(told.value)
