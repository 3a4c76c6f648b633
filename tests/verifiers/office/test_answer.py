"""An answer is one number in one unit: authored answers to a sample question, right and wrong in every way we know."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from crucible.domains.finance.answers import AnswerParams
from crucible.mining import MiningContext
from crucible.model import Agent, Criterion, Task, Trajectory
from crucible.proving import Mutation
from crucible.sandbox import Env, World
from crucible.store.blobs import Blobs
from pipelines.cowork.finance.model import Dataset
from pipelines.cowork.finance.plans import list_plans
from pipelines.cowork.finance.questions import ask_question, read_tables
from pipelines.cowork.finance.source import finance_files
from pipelines.cowork.finance.writing import make_answer_task
from tests.agents.directory import DirectoryBox
from verifiers.office.answer import answer, list_answer_mutations

SAMPLES = Path("sample_data/cowork/finance")
QUESTIONS: list[dict[str, Any]] = tomllib.loads((SAMPLES / "attempts.toml").read_text())["question"]
PARAMS = AnswerParams(value=12.3456, unit="EUR million", tolerance=0.005)
TASK = Task(domain="cowork", kind="finance-answer", instruction="how much", env=Env(workdir="", leaves="files"))
ATTEMPT = Trajectory(
    task_id=TASK.id, agent=Agent(scaffold="native", teacher="x"), system="", prompt="", ended="submitted"
)


async def judge(params: AnswerParams, box: DirectoryBox) -> dict[str, Criterion]:
    return {criterion.name: criterion async for criterion in answer(TASK, ATTEMPT, box, params=params)}


async def find_params(question: dict[str, Any], context: MiningContext) -> AnswerParams:
    """What is asked of the answer to a sample question."""
    sets = [each async for each in finance_files(str(SAMPLES), context) if isinstance(each, Dataset)]
    [dataset] = [each for each in sets if each.name == question["set"]]
    [plan] = [plan for plan in list_plans() if plan.name == question["plan"]]
    [check] = make_answer_task(ask_question(plan, dataset, read_tables(dataset, context)), 0).checks
    return AnswerParams.model_validate(check.params)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["plan"])
async def test_authored_answers_are_judged_as_they_deserve(
    question: dict[str, Any], world: World, blobs: Blobs, tmp_path: Path
) -> None:
    params = await find_params(question, MiningContext(world=world, blobs=blobs))
    for name, attempt in question["attempt"].items():
        (tmp_path / "answer.json").write_text(attempt["answer"])
        criteria = await judge(params, DirectoryBox(tmp_path))
        assert all(each.passed for each in criteria.values()) is attempt["passes"], f"{name}: {criteria}"


async def test_no_answer_is_no_pass(tmp_path: Path) -> None:
    [one] = (await judge(PARAMS, DirectoryBox(tmp_path))).values()
    assert one.gate
    assert not one.passed


@pytest.mark.parametrize("digits", [400, 5000])
async def test_a_number_beyond_all_measure_is_a_wrong_answer_and_no_broken_machine(digits: int, tmp_path: Path) -> None:
    (tmp_path / "answer.json").write_text(f'{{"value": {"9" * digits}, "unit": "EUR million"}}')
    [one] = (await judge(PARAMS, DirectoryBox(tmp_path))).values()
    assert not one.passed


@pytest.mark.parametrize("mutation", list_answer_mutations(PARAMS), ids=lambda mutation: mutation.name)
async def test_each_spoilt_answer_is_noticed_by_what_is_about_it(mutation: Mutation, tmp_path: Path) -> None:
    (tmp_path / "answer.json").write_text(json.dumps({"value": 12.35, "unit": "EUR million"}))
    box = DirectoryBox(tmp_path)
    assert all(each.passed for each in (await judge(PARAMS, box)).values())
    done = await box.exec(mutation.command)
    assert done.ok, done.err
    unmet = {name for name, each in (await judge(PARAMS, box)).items() if not each.passed}
    assert unmet == set(mutation.criteria)
