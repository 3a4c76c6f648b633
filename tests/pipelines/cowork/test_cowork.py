"""The pipeline of office work, end to end on a sample: mined, proven, attempted and judged in real boxes."""

from __future__ import annotations

from pathlib import Path

import pytest

from crucible.judging.cascade import overall_outcome
from crucible.model import Agent, Task, Trajectory
from crucible.proving import Proof
from crucible.running.run import Run, open_run
from crucible.settings import DockerSettings, Settings, SoundnessSettings
from crucible.stages.mine import mine
from crucible.stages.rollout import enqueue, work_queue
from crucible.stages.validate import validate
from crucible.stages.verify import verify
from crucible.store.lookup import list_items, trajectory_verdicts
from pipelines.cowork.settings import CoworkSettings

pytestmark = pytest.mark.slow

SEEDS = Path("sample_data/cowork/workbooks")


async def test_a_workbook_becomes_tasks_whose_checks_notice_every_way_of_spoiling_it(tmp_path: Path) -> None:
    settings = Settings(
        home=tmp_path,
        docker=DockerSettings(pool=0),
        soundness=SoundnessSettings(repeats=1),
        sections={"cowork": CoworkSettings(walks=1)},
    )
    with open_run(settings) as run:
        for name in ("library-budget", "not-a-workbook"):
            await mine(run, "cowork", str(SEEDS / f"{name}.xlsx"))
        await validate(run)
        tasks = [item.record(Task) for item in list_items(run.ledger, "task")]
        proofs = [item.record(Proof) for item in list_items(run.ledger, "proof")]
        assert [task.difficulty.hint_level for task in tasks] in ([0, 1], [1, 0])
        assert {proof.mutation_score for proof in proofs} == {1.0}
        outcomes = await attempt(run, tasks[0])
    assert outcomes == {"oracle": "pass", "nop": "fail"}


async def attempt(run: Run, task: Task) -> dict[str, str]:
    """What becomes of the right workbook and of the untouched one."""
    enqueue(run, [(task, Agent(scaffold="native", teacher=name)) for name in ("oracle", "nop")])
    await work_queue(run)
    await verify(run)
    return {
        trajectory.agent.teacher: overall_outcome(trajectory_verdicts(run.ledger, trajectory.id))
        for item in list_items(run.ledger, "trajectory")
        for trajectory in [item.record(Trajectory)]
    }
