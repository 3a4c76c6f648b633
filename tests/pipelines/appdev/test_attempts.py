"""Authored attempts, judged by using what they made: each fails for what is wrong with it, and only good ones pass."""

from __future__ import annotations

import tomllib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from agents.teachers.scripted import load_script
from crucible.judging.cascade import Judging, judge
from crucible.mining import MiningContext
from crucible.model import Agent, Criterion
from crucible.running.run import open_run
from crucible.settings import Settings
from crucible.stages.attempt import attempt
from crucible.stages.services import open_services
from pipelines.appdev.source import find_samples, read_sample
from pipelines.appdev.stages import write_task

ROOT = Path(__file__).parents[3] / "sample_data/appdev"
EXPECTED = tomllib.loads((ROOT / "expected.toml").read_text("utf-8"))
SAMPLES = {read_sample(folder).query.id: folder for folder in find_samples(ROOT / "apps")}
GOOD = {"good", "another-way"}

JudgeAttempt = Callable[[str, str], Awaitable[list[Criterion]]]


def _list_attempts() -> dict[str, set[str]]:
    names = [file.name.split(".") for file in (ROOT / "attempts").glob("*.toml")]
    return {item: {name for each, name, _ in names if each == item} for item in SAMPLES}


def test_it_is_said_of_every_attempt_what_must_become_of_it() -> None:
    assert {item: names - GOOD for item, names in _list_attempts().items()} == {
        item: set(EXPECTED[item]) for item in SAMPLES
    }
    assert all(load_script(file).about for file in (ROOT / "attempts").glob("*.toml"))


@pytest_asyncio.fixture
async def judge_attempt(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[JudgeAttempt]:
    """Plays an authored attempt and judges it; gives the criteria that were not met."""
    with open_run(Settings(home=tmp_path_factory.mktemp("run"))) as run:
        async with open_services(run) as opened:
            world = await opened.world("docker")

            async def play_and_judge(item: str, name: str) -> list[Criterion]:
                (task,) = await write_task(read_sample(SAMPLES[item]), MiningContext(world, run.blobs))
                script = {"script": str(ROOT / f"attempts/{item}.{name}.toml")}
                agent = Agent(scaffold="native", teacher="scripted", options=script)
                teacher = await opened.teacher("scripted")
                made = await attempt(task, agent, teacher, world, run.blobs, services=opened)
                verdicts = [verdict async for verdict in judge(task, made, Judging(world, run.blobs, opened))]
                assert not [verdict.detail for verdict in verdicts if verdict.outcome == "error"]
                failed = [verdict for verdict in verdicts if verdict.outcome == "fail"]
                return [each for verdict in failed for each in verdict.criteria if not each.passed]

            yield play_and_judge


@pytest.mark.slow
@pytest.mark.parametrize(
    ("item", "name"),
    [("pocket-money-1", "another-way"), ("item-service-1", "syntax-error"), ("item-service-1", "result-hard-coded")],
)
async def test_an_attempt_comes_out_as_its_author_says(judge_attempt: JudgeAttempt, item: str, name: str) -> None:
    unmet = await judge_attempt(item, name)
    if name in GOOD:
        assert unmet == []
    else:
        assert any(criterion.name.startswith(EXPECTED[item][name]) for criterion in unmet)
        assert all(criterion.evidence for criterion in unmet)
