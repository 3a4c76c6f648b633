"""Out as a SWE-bench row and in again: the same instruction, patch, tests and lists, and it proves itself again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from crucible.mining import ImportPlace, MiningContext
from crucible.model import Task, Trajectory
from crucible.running.run import Run, open_run
from crucible.sandbox import World
from crucible.settings import Settings, SoundnessSettings
from crucible.shards.manifest import Request
from crucible.stages import export, validate, verify
from crucible.stages.import_tasks import import_tasks
from crucible.store.funnel import count_funnel
from crucible.store.lookup import list_items, trajectory_verdicts
from pipelines.swe.environment.stage import prepare_environment
from pipelines.swe.model import PullRequest
from pipelines.swe.rewards.stage import build_reward
from pipelines.swe.routes.stage import route
from tests.exporters import attempts

pytestmark = pytest.mark.slow

SAMPLE = Path("sample_data/swe/shelf")


@pytest.fixture
def run(tmp_path: Path, settings: Settings) -> Iterator[Run]:
    """Its blobs are the world's: an image may have to be made of them."""
    soundness = SoundnessSettings(repeats=1, probes=False)
    with open_run(Settings(home=tmp_path / "home", blobs=settings.blobs, soundness=soundness)) as opened:
        yield opened


async def mined(pull: PullRequest, run: Run, world: World) -> Task:
    context = MiningContext(world=world, blobs=run.blobs, repeats=1)
    [routed] = await route(pull, context)
    [placed] = await prepare_environment(routed, context)
    [built] = await build_reward(placed, context)
    return built.task


async def test_a_task_comes_back_from_its_row(
    run: Run, world: World, pulls: dict[int, PullRequest], tmp_path: Path
) -> None:
    task = await mined(pulls[7], run, world)
    attempts.keep(run, task, attempts.attempt(task))
    done = await export(run, Request(format="swe-bench"), tmp_path / "out")
    assert done.counts.rows == 1
    [file] = (tmp_path / "out" / "data").iterdir()
    row = json.loads(file.read_text())
    assert (row["repo"], row["instance_id"]) == ("shelf", "shelf-7")
    assert row["patch"] == pulls[7].patch
    assert row["test_patch"] == pulls[7].test_patch
    assert row["problem_statement"] == pulls[7].statement
    await import_tasks(run, "swe-bench", ImportPlace(file, SAMPLE))
    [back] = [item.record(Task) for item in list_items(run.ledger, "draft")]
    assert back.id == task.id
    assert (back.instruction, back.reference, back.checks) == (task.instruction, task.reference, task.checks)
    assert back.env == task.env
    assert back.provenance.source == "swe-bench:shelf-7"
    tally = await validate(run)
    assert (tally.done, tally.dropped, tally.errors) == (1, 0, 0), count_funnel(run.ledger)
    await predictions_are_played_and_judged(run, back, tmp_path / "predictions.jsonl")


async def predictions_are_played_and_judged(run: Run, task: Task, file: Path) -> None:
    told = {"right": task.reference.patch, "empty": "", "wrong": "diff --git a/x b/x\nnothing\n"}
    rows = [{"instance_id": "shelf-7", "model_name_or_path": name, "model_patch": told[name]} for name in told]
    file.write_text("\n".join(map(json.dumps, [*rows, {"instance_id": "nobody-1", "model_patch": ""}])))
    done = await import_tasks(run, "predictions", ImportPlace(file))
    assert [(stage.stage, stage.done, stage.dropped) for stage in done.stages] == [
        ("predictions.read", 3, 1),
        ("rollout", 3, 0),
    ]
    await verify(run)
    played = [item.record(Trajectory) for item in list_items(run.ledger, "trajectory")]
    fates = {one.agent.options["model"]: [v.outcome for v in trajectory_verdicts(run.ledger, one.id)] for one in played}
    assert (fates["right"], fates["empty"], fates["wrong"]) == (["pass"], ["fail"], ["fail"])
