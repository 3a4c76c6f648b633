"""The judge on a real HTTP endpoint: its own settings, its votes, its budget."""

from __future__ import annotations

from base64 import b64decode
from pathlib import Path

import pytest
from pydantic import SecretStr

from crucible.acting import Ask, TeacherSettings
from crucible.asking import ask, count_usage
from crucible.errors import BudgetSpent, ServiceMissing
from crucible.model import Task
from crucible.record import Record
from crucible.running.run import open_run
from crucible.running.settings_layers import load_settings
from crucible.settings import Settings
from crucible.stages.services import open_services
from services.judge.settings import JudgeSettings, identify_judge, judge_endpoint
from tests.agents.endpoint import Endpoint, saying
from tests.agents.test_pictures import PNG


class Verdict(Record):
    """What the judge is asked for."""

    blue: bool
    evidence: str


YES, NO = saying('{"blue": true, "evidence": "the sky"}'), saying('{"blue": false, "evidence": "the sea"}')


def settings_of(home: Path, judge: JudgeSettings, teacher: TeacherSettings = TeacherSettings()) -> Settings:  # noqa: B008
    return Settings(home=home, teacher=teacher, sections={"judge": judge})


async def test_three_votes_decide_by_majority_and_all_are_counted(tmp_path: Path) -> None:
    async with Endpoint((YES, NO, YES)) as endpoint:
        options = JudgeSettings(base_url=endpoint.url, model="wise", temperature=0.7, votes=3)
        with open_run(settings_of(tmp_path, options)) as run:
            async with open_services(run) as services:
                with count_usage() as meter:
                    verdict = await ask(await services.get("judge"), "Is it blue?", (), Verdict)
    assert verdict.blue
    assert {request.body["model"] for request in endpoint.requests} == {"wise"}
    assert [request.body["temperature"] for request in endpoint.requests] == [0.7] * 3
    assert sorted(request.body["seed"] for request in endpoint.requests) == [0, 1, 2]
    assert meter.usage.completion_tokens == 60


async def test_the_judge_sees_the_pictures_of_a_question(tmp_path: Path) -> None:
    async with Endpoint((YES,)) as endpoint:
        options = JudgeSettings(base_url=endpoint.url, model="wise")
        with open_run(settings_of(tmp_path, options)) as run:
            picture = run.blobs.put(PNG)
            async with open_services(run) as services:
                assert (await ask(await services.get("judge"), "Is it blue?", (picture,), Verdict)).blue
    [_, asked] = endpoint.requests[0].body["messages"]
    assert [part["type"] for part in asked["content"]] == ["text", "image_url"]
    assert b64decode(asked["content"][1]["image_url"]["url"].partition(",")[2]) == PNG


async def test_without_an_endpoint_of_its_own_the_teachers_is_asked(tmp_path: Path) -> None:
    async with Endpoint((NO,)) as endpoint:
        teacher = TeacherSettings(base_url=endpoint.url, model="teacher", api_key=SecretStr("secret-key"))
        settings = settings_of(tmp_path, JudgeSettings(teacher="openai"), teacher)
        with open_run(settings) as run:
            async with open_services(run) as services:
                assert not (await ask(await services.get("judge"), "Is it blue?", (), Verdict)).blue
    assert endpoint.requests[0].body["model"] == "teacher"
    assert endpoint.requests[0].headers["authorization"] == "Bearer secret-key"


async def test_the_judge_spends_no_more_than_its_own_limit(tmp_path: Path) -> None:
    async with Endpoint((YES,)) as endpoint:
        options = JudgeSettings(base_url=endpoint.url, model="wise", budget_usd=0.001, price_out=1_000_000)
        with open_run(settings_of(tmp_path, options)) as run:
            async with open_services(run) as services:
                with pytest.raises(BudgetSpent, match="the judge") as spent:
                    await ask(await services.get("judge"), "Is it blue?", (), Verdict)
    assert "judge.budget_usd" in spent.value.remedy


async def test_teacher_and_judge_spend_the_same_money(tmp_path: Path) -> None:
    task = Task(domain="none", kind="paint", instruction="Paint it.")
    async with Endpoint((YES,)) as endpoint:  # an answer has 20 tokens, so it costs two cents
        priced = {"price_out": 1_000.0, "max_tokens": 20}
        teacher = TeacherSettings(base_url=endpoint.url, model="pupil", budget_usd=0.05, **priced)
        judge = JudgeSettings(base_url=endpoint.url, model="wise", price_out=1_000.0)
        with open_run(settings_of(tmp_path, judge, teacher)) as run:
            async with open_services(run) as services:
                await ask(await services.get("judge"), "Is it blue?", (), Verdict)
                await (await services.teacher("openai")).reply(task, Ask(system="", prompt="Paint it."))
                assert run.purse.spent == pytest.approx(0.04)
                with pytest.raises(BudgetSpent, match="the judge") as spent:
                    await ask(await services.get("judge"), "Is it blue?", (), Verdict)
                assert "teacher.budget_usd" in spent.value.remedy
                with pytest.raises(BudgetSpent):
                    await (await services.teacher("openai")).reply(task, Ask(system="", prompt="Paint it."))
    assert len(endpoint.requests) == 2


async def test_without_settings_nobody_judges(tmp_path: Path) -> None:
    with open_run(Settings(home=tmp_path)) as run:
        async with open_services(run) as services:
            assert await services.get_if_configured("judge") is None
            with pytest.raises(ServiceMissing):
                await services.get("judge")


def test_the_identity_holds_what_answers_depend_on_and_no_key(tmp_path: Path) -> None:
    one = settings_of(tmp_path, JudgeSettings(base_url="http://a/v1", model="m", api_key=SecretStr("k1")))
    key = settings_of(tmp_path, JudgeSettings(base_url="http://a/v1", model="m", api_key=SecretStr("k2"), budget_usd=1))
    votes = settings_of(tmp_path, JudgeSettings(base_url="http://a/v1", model="m", votes=3))
    assert identify_judge(one) == identify_judge(key) != identify_judge(votes)


def test_a_file_sets_the_judge(here: Path) -> None:
    (here / "crucible.toml").write_text('[judge]\nbase_url = "http://b/v1"\nmodel = "m"\nvotes = 3\n')
    endpoint = judge_endpoint(load_settings().settings)
    assert (endpoint.base_url, endpoint.model) == ("http://b/v1", "m")
