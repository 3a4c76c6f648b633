"""A question with one answer: a number within the tolerance, in the unit that is asked for, and no other beside it."""

from __future__ import annotations

import json
import shlex
import tomllib
from collections.abc import AsyncIterator
from pathlib import Path
from posixpath import join

from crucible.domains import finance
from crucible.domains.finance.answers import AnswerParams, is_unit, read_answer
from crucible.model import Criterion, Task, Trajectory
from crucible.parts import verifier
from crucible.proving import Mutation
from crucible.sandbox import Sandbox
from verifiers.criteria import gate_criterion

FOLDER = Path(finance.__file__).parent
LARGEST_BYTES = 1 << 16
SLACK = 1e-9
"""Noise of floating point, in proportion: an answer that is rounded as asked may be off by exactly the tolerance."""


def list_answer_mutations(params: AnswerParams) -> list[Mutation]:
    """Each way of spoiling a right answer, as a command in the box of the good work."""
    program = shlex.quote((FOLDER / "spoil_answer.py").read_text(encoding="utf-8"))
    mutants = tomllib.loads((FOLDER / "mutants.toml").read_text(encoding="utf-8"))["mutant"]
    told = {"path": params.path, "tolerance": params.tolerance}
    return [
        Mutation(
            name=each["name"],
            command=f"printf %s {shlex.quote(json.dumps({**told, 'code': each['code']}))} | python3 -c {program}",
            criteria=tuple(each["criteria"]),
        )
        for each in mutants
    ]


@verifier("answer", layer="function", version=1, cost="seconds", mutants=list_answer_mutations)
async def answer(task: Task, trajectory: Trajectory, box: Sandbox, *, params: AnswerParams) -> AsyncIterator[Criterion]:
    """There is one answer, and it is right."""
    one = "there is one answer"
    try:
        found = read_answer(await box.read(join(task.env.workdir, params.path), limit=LARGEST_BYTES))
    except (FileNotFoundError, IsADirectoryError, ValueError) as fault:
        yield gate_criterion(one, False, f"{params.path}: {fault}"[:500])
        return
    yield gate_criterion(one, True, f"{found.value:.12g} {found.unit}"[:200])
    near = abs(found.value - params.value) <= params.tolerance + SLACK * abs(params.value)
    wanted = f"{found.value:.12g}, wanted is {params.value:.12g} give or take {params.tolerance:.3g}"
    yield Criterion(name="the value is right", passed=near, evidence=wanted)
    unit = f"'{found.unit[:80]}', wanted is '{params.unit}'"
    yield Criterion(name="the unit is right", passed=is_unit(params.unit, found.unit), evidence=unit)
