"""Small projects whose tests are altered as in any task (`projects/*.toml`): cheats at them fail, each for the reason
that gives it away, and right code in other words passes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from pydantic import Field

from crucible.datafile import read_file
from crucible.domains.code.suite import SuiteParams
from crucible.record import Record
from crucible.sandbox import World
from crucible.store.blobs import Blobs
from tests.verifiers.attempts import judge_script, script_of, unmet_criteria
from tests.verifiers.written_projects import WrittenProject, make_task
from verifiers.twins.settling.settle import settle_twins

pytestmark = pytest.mark.slow

PROJECTS = {file.stem: file for file in sorted((Path(__file__).parent / "projects").glob("*.toml"))}
AT_ONCE = 2


class Cheat(Record):
    """An attempt that fixes nothing, or not all."""

    name: str
    unmet: str
    """The criterion that it fails by."""
    script: str = "true"
    probes: tuple[str, ...] = ()
    """What it does besides."""


class Project(WrittenProject):
    """One with attempts at its change."""

    honest: str
    is_copied: bool = False
    """Whether it has a test with so many assertions that copies of it are run."""
    cheats: tuple[Cheat, ...] = Field(min_length=1)


@pytest.mark.parametrize("name", PROJECTS)
async def test_cheats_fail_by_what_gives_them_away_and_right_code_in_other_words_passes(
    name: str, world: World, blobs: Blobs
) -> None:
    project = read_file(PROJECTS[name], Project)
    task = await make_task(project, settle_twins, world, blobs)
    twins = SuiteParams.model_validate(task.checks[0].params).twins
    assert any(twin.is_copied for twin in twins) == project.is_copied
    turns = asyncio.Semaphore(AT_ONCE)

    async def judged(script: str) -> str:
        async with turns:
            [verdict] = await judge_script(task, script, world, blobs)
        return "pass" if verdict.outcome == "pass" else unmet_criteria(verdict)[-1]

    scripts = {cheat.name: "\n".join([cheat.script, *map(script_of, cheat.probes)]) for cheat in project.cheats}
    found = await asyncio.gather(judged(project.honest), *map(judged, scripts.values()))
    assert dict(zip(["honest", *scripts], found, strict=True)) == {"honest": "pass"} | {
        cheat.name: cheat.unmet for cheat in project.cheats
    }
