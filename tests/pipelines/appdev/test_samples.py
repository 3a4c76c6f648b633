"""The samples: authored queries with an application that is held to be good, and attempts that fail in other places."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from crucible.errors import SettingsError
from crucible.mining import MiningContext
from crucible.sandbox import World
from crucible.store.blobs import Blobs
from pipelines.appdev.library import load_library
from pipelines.appdev.source import choose_source, find_samples, read_sample
from pipelines.appdev.stages import judge_app_query, word_query, write_task
from pipelines.queries.judging import judge_query

ROOT = Path(__file__).parents[3] / "sample_data/appdev"
SAMPLES = find_samples(ROOT / "apps")


@pytest.mark.parametrize("folder", SAMPLES, ids=lambda folder: folder.name)
async def test_an_authored_query_is_worth_a_task(folder: Path) -> None:
    sample = read_sample(folder)
    assert len(await judge_query(sample.query, load_library(), None, 1.0)) == 10
    assert sample.solution


@pytest.mark.parametrize("folder", SAMPLES, ids=lambda folder: folder.name)
def test_an_authored_query_has_good_and_bad_attempts(folder: Path) -> None:
    names = {file.name.split(".")[1] for file in (ROOT / "attempts").glob(f"{read_sample(folder).query.id}.*.toml")}
    assert "good" in names
    assert len(names) >= 3


def test_a_folder_of_meta_queries_is_a_library_and_any_other_has_samples() -> None:
    assert choose_source("pipelines/appdev/library") == "app-queries"
    assert choose_source(str(ROOT / "apps")) == "app-samples"
    with pytest.raises(SettingsError, match=r"no folder with a query\.toml"):
        find_samples(ROOT / "attempts")


def test_a_file_that_is_no_text_is_named_with_what_to_do(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(SAMPLES[2], tmp_path / "app"))
    (folder / "good/logo.png").write_bytes(b"\x89PNG")
    with pytest.raises(SettingsError, match=r"logo\.png is no text"):
        read_sample(folder)


async def test_a_sample_becomes_a_task_that_carries_its_rubric_and_its_solution(world: World, blobs: Blobs) -> None:
    context = MiningContext(world, blobs)
    item = read_sample(SAMPLES[2])
    for stage in (word_query, judge_app_query):
        (item,) = await stage(item, context)
    (task,) = await write_task(item, context)
    assert (task.domain, task.kind, task.proven_by) == ("appdev", "frontend", "rubric")
    assert [check.verifier for check in task.checks] == ["app.execution", "app.interaction", "app.visual"]
    assert task.checks[0].params == task.checks[2].params == {"rubric": task.checks[1].params}
    assert "a task is still there after a reload" in str(task.checks[1].params)
    assert set(task.reference.files) == {f"/workspace/{name}" for name in ("index.html", "style.css", "tasks.js")}
    assert task.labels["item"] == "appdev-task-page-1"


async def test_an_interface_without_a_page_has_no_looks(world: World, blobs: Blobs) -> None:
    (task,) = await write_task(read_sample(SAMPLES[1]), MiningContext(world, blobs))
    assert [check.verifier for check in task.checks] == ["app.execution", "app.interaction"]
