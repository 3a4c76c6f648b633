"""The sample repositories: what becomes of every pull request is written in `samples.toml`, and is so.

Together they show every reason of the filter table, every route and every recipe writer: who adds one adds a sample.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest
import pytest_asyncio
from pydantic import Field

from crucible import parts
from crucible.datafile import read_file, read_row, read_rows
from crucible.errors import Rejected
from crucible.judging.cascade import Judging
from crucible.judging.soundness import list_probes, prove
from crucible.mining import MiningContext, Pipeline
from crucible.model import Agent, Task, Trajectory
from crucible.record import Record
from crucible.running.run import Run, open_run
from crucible.settings import Settings, SoundnessSettings
from crucible.stages.attempt import attempt
from crucible.stages.mine import open_mining
from crucible.stages.services import open_services
from crucible.stages.validate import PROBE_STOPS
from pipelines.swe.filters.stage import filter_pull_request, rules
from pipelines.swe.model import Built, PullRequest
from pipelines.swe.paths import patterns_of, sort_of
from pipelines.swe.recipes import WRITERS, propose_plans
from pipelines.swe.recipes.tree import tree_at
from pipelines.swe.repository import history
from pipelines.swe.repository.git import git
from pipelines.swe.routes.stage import choose_route, route
from pipelines.swe.settings import SourceSettings
from tests.verifiers.attempts import judge_script, script_of, unmet_criteria
from tests.verifiers.test_projects import PROJECTS, Project
from verifiers.newtests import is_test
from verifiers.siblings.judging import NAME

HERE = Path(__file__).parent
FOLDER = Path("sample_data/swe")

Collected = dict[str, dict[int, PullRequest]]


class Sample(Record):
    """One row of `samples.toml`."""

    name: str
    language: str
    runner: str
    tip: str
    fates: dict[int, str]
    drafts: dict[int, str] = Field(default_factory=dict)
    dropped: dict[int, str] = Field(default_factory=dict)
    fixed: dict[int, int] = Field(default_factory=dict)
    proven: int = 0
    probed: bool = False
    cheats: dict[str, str] = Field(default_factory=dict)
    knowing: str = ""

    @property
    def folder(self) -> Path:
        return FOLDER / self.name


class Elsewhere(Record):
    """Reasons that no sample's history shows, and where they are shown."""

    not_merged: str
    statement_short: str
    benchmark_instance: str


@cache
def samples() -> dict[str, Sample]:
    return {sample.name: sample for sample in read_rows(HERE / "samples.toml", "samples", Sample)}


def names(*, drafted: bool = False) -> list[str]:
    return [name for name, sample in samples().items() if sample.drafts or not drafted]


@pytest_asyncio.fixture(scope="session")
async def collected(no_world: MiningContext) -> Collected:
    """The pull requests of every sample, by number."""
    read = parts.find("source", "git").make
    return {
        name: {pull.number: pull async for pull in read(str(sample.folder), no_world)}
        for name, sample in samples().items()
    }


async def fate(pull: PullRequest, context: MiningContext) -> str:
    """The route that is taken, or why none is."""
    try:
        [kept] = await filter_pull_request(pull, context)
        [candidate] = await route(kept, context)
    except Rejected as why:
        return why.reason
    return candidate.route.kind


def test_every_written_history_is_in_the_table() -> None:
    assert {file.parent.name for file in FOLDER.glob("*/history.toml")} == set(samples())


@pytest.mark.parametrize("name", names())
def test_a_sample_is_the_same_repository_everywhere(name: str, tmp_path: Path) -> None:
    repo = history.build_repository(samples()[name].folder, tmp_path / "built.git")
    git(repo, "fsck", "--strict", "--no-dangling")
    assert git(repo, "rev-parse", "HEAD").decode().strip() == samples()[name].tip


@pytest.mark.parametrize("name", names())
async def test_every_pull_request_meets_its_fate(name: str, collected: Collected, no_world: MiningContext) -> None:
    pulls = collected[name]
    assert {number: await fate(pull, no_world) for number, pull in sorted(pulls.items())} == samples()[name].fates


async def test_a_list_that_names_a_sample_keeps_it_out(tmp_path: Path, collected: Collected) -> None:
    held = tmp_path / "held-out.jsonl"
    held.write_text('{"repo": "crumb", "number": 2}\n')
    context = MiningContext(None, None, settings=Settings(sections={"sources": SourceSettings(lists=(str(held),))}))  # type: ignore[arg-type]
    assert [await fate(collected["crumb"][number], context) for number in (2, 3)] == ["benchmark_instance", "feature"]


def test_every_reason_of_the_filters_occurs() -> None:
    shown = {reason for sample in samples().values() for reason in sample.fates.values()}
    elsewhere = set(read_row(HERE / "samples.toml", "elsewhere", Elsewhere).model_dump())
    assert {rule.reason for rule in rules()} - shown == elsewhere


async def test_every_router_wins_somewhere(collected: Collected) -> None:
    won = {kind for pulls in collected.values() for pull in pulls.values() if (kind := _chosen(pull))}
    assert won == {part.name for part in parts.every("router") if part.make.__module__.startswith("pipelines.")}


def _chosen(pull: PullRequest) -> str:
    try:
        return choose_route(pull).kind
    except Rejected:
        return ""


@pytest.mark.parametrize("name", names())
def test_the_writer_of_its_language_has_a_plan(name: str, tmp_path: Path) -> None:
    repo = history.build_repository(samples()[name].folder, tmp_path / "built.git")
    first = git(repo, "rev-list", "--max-parents=0", "HEAD").decode().strip()
    tree = tree_at(repo, first)
    planned = propose_plans(tree, [path for path in tree.paths if sort_of(path) == "source"])
    assert {plan.language for plan in planned[:1]} == {samples()[name].language}
    assert samples()[name].runner in {plan.suite.runner for plan in planned}


def test_every_recipe_writer_has_a_sample() -> None:
    assert {sample.language for sample in samples().values()} == set(WRITERS)


def test_every_cheat_that_is_made_for_other_frameworks_than_pytest_is_tried() -> None:
    made = {part.name.removeprefix("probe.") for part in list_probes() if part.runners and "pytest" not in part.runners}
    tried = {cheat for sample in samples().values() for cheat in sample.cheats}
    tried |= {
        probe for file in PROJECTS.values() for cheat in read_file(file, Project).cheats for probe in cheat.probes
    }
    assert made <= tried


@pytest.mark.parametrize("name", names())
async def test_its_tests_are_tests_for_the_verifier_of_tests_too(name: str, collected: Collected) -> None:
    files = [file for pull in collected[name].values() for file in pull.files]
    for file in files:
        assert file.sort != "test" or is_test(file.path, patterns_of("test")), file.path


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    with open_run(Settings(home=tmp_path, soundness=SoundnessSettings(repeats=1))) as opened:
        yield opened


@pytest_asyncio.fixture
async def context(run: Run) -> AsyncIterator[MiningContext]:
    async with open_mining(run, swe()) as opened:
        yield opened


def swe() -> Pipeline:
    made: Pipeline = parts.find("pipeline", "swe").make()
    return made


async def built(pull: PullRequest, context: MiningContext) -> Built | str:
    """The draft with what it was made from, or the reason why there is none."""
    made: Sequence[Record] = [pull]
    try:
        for stage in swe().stages[:-1]:
            made = [one for item in made for one in await stage.work(item, context)]
    except Rejected as why:
        return why.reason
    [draft] = made
    assert isinstance(draft, Built)
    return draft


@pytest.mark.slow
@pytest.mark.parametrize("name", names(drafted=True))
async def test_a_sample_becomes_drafts_and_one_is_proven_and_withstands_the_cheats_of_its_framework(
    name: str, collected: Collected, run: Run, context: MiningContext
) -> None:
    sample, pulls = samples()[name], collected[name]
    numbers = (*sample.drafts, *sample.dropped)
    made = dict(zip(numbers, await asyncio.gather(*(built(pulls[number], context) for number in numbers)), strict=True))
    kinds = {number: one if isinstance(one, str) else one.task.kind for number, one in made.items()}
    assert kinds == sample.drafts | sample.dropped
    drafts = {number: one for number, one in made.items() if isinstance(one, Built)}
    assert {number: len(one.fail_to_pass) for number, one in drafts.items() if one.fail_to_pass} == sample.fixed
    assert {one.candidate.suite.runner for one in drafts.values()} == {sample.runner}
    draft = drafts[sample.proven].task
    task = await proven(draft, run, context, probes=sample.probed)
    assert task.id == draft.id  # it may have gained twins
    by_suite = task.model_copy(update={"checks": [check for check in task.checks if check.verifier == "suite"]})
    tried = {script_of(cheat): unmet for cheat, unmet in sample.cheats.items()}
    tried |= {sample.knowing: NAME} if sample.knowing else {}
    for script, unmet in tried.items():
        [verdict] = await judge_script(by_suite, script, context.world, run.blobs)
        assert (verdict.outcome, unmet_criteria(verdict)[-1]) == ("fail", unmet), (script, verdict.detail)


async def proven(task: Task, run: Run, context: MiningContext, probes: bool) -> Task:
    """Oracle passes, nop fails; with probes, cheats fail as well."""
    async with open_services(run) as opened:

        async def play(task: Task, agent: Agent) -> Trajectory:
            teacher = await opened.teacher(agent.teacher)
            return await attempt(task, agent, teacher, context.world, run.blobs, PROBE_STOPS)

        return (await prove(task, play, Judging(context.world, run.blobs), repeats=1, probes=probes)).task
