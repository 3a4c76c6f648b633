"""Tests in other languages than Python are asked about other inputs, too: small projects (`projects/*.toml`) in real
boxes."""

from __future__ import annotations

from pathlib import Path

import pytest

from crucible.datafile import read_file
from crucible.domains.code.suite import SuiteParams
from crucible.judging.fresh_boxes import FreshBoxes
from crucible.proving import Settled
from crucible.sandbox import World
from crucible.store.blobs import Blobs
from tests.verifiers.attempts import judge_script, unmet_criteria
from tests.verifiers.written_projects import WrittenProject, make_task
from verifiers.siblings.alone import find_interpreter
from verifiers.siblings.judging import NAME
from verifiers.siblings.settling import settle_siblings

PROJECTS = {file.stem: file for file in sorted((Path(__file__).parent / "projects").glob("*.toml"))}


class Project(WrittenProject):
    """One with a right attempt, a table of what its tests ask, and one that is right only while it is tested."""

    right: str
    table: str
    tested: str = ""


async def settle(params: SuiteParams, boxes: FreshBoxes) -> Settled:
    """Siblings alone, of every test."""
    siblings = await settle_siblings(params, boxes)
    assert {each.kind for each in siblings} >= {"near", "larger"}
    assert len({each.test for each in siblings}) == len(params.fail_to_pass)
    assert all(each.runs_alone for each in siblings) == bool(find_interpreter(params.suite))
    return Settled(params={"siblings": [each.model_dump(mode="json") for each in siblings]})


@pytest.mark.slow
@pytest.mark.parametrize("name", PROJECTS)
async def test_who_knows_what_the_tests_ask_is_not_right(name: str, world: World, blobs: Blobs) -> None:
    project = read_file(PROJECTS[name], Project)
    task = await make_task(project, settle, world, blobs)
    cheats = [script for script in (project.table, project.tested) if script]
    for script, unmet in ((project.right, []), *((script, [NAME]) for script in cheats)):
        [verdict] = await judge_script(task, script, world, blobs)
        assert [each for each in unmet_criteria(verdict) if "leaves" not in each] == unmet, verdict.detail
