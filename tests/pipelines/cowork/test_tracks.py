"""Financial questions, models and rebuilt workbooks through mining and proof, in real boxes."""

from __future__ import annotations

from pathlib import Path

import pytest

from crucible.model import Task
from crucible.proving import Proof
from crucible.running.run import open_run
from crucible.settings import Settings, SoundnessSettings
from crucible.stages.mine import mine
from crucible.stages.validate import validate
from crucible.store.lookup import list_items
from pipelines.cowork.settings import CoworkSettings

ORIGINS = ("finance", "models", "documents")
KINDS = {"finance-answer", "finance-working", "model-buyout", "rebuild-pdf"}
FEW = SoundnessSettings(repeats=1, probes=False, mutants=3)
"""What proves a task is tested elsewhere; here it matters that all of it is there."""


@pytest.mark.slow
async def test_each_track_makes_sound_tasks_whose_checks_notice_ways_of_spoiling_them(tmp_path: Path) -> None:
    sections = {"cowork": CoworkSettings(plans=1, forms=("pdf",))}
    settings = Settings(home=tmp_path, soundness=FEW, sections=sections)
    with open_run(settings) as run:
        for origin in ORIGINS:
            await mine(run, "cowork", f"sample_data/cowork/{origin}", limit=1)
        await validate(run)
        tasks = [item.record(Task) for item in list_items(run.ledger, "task")]
        proofs = [item.record(Proof) for item in list_items(run.ledger, "proof")]
    assert {task.kind for task in tasks} == KINDS
    mutants = [mutant for proof in proofs for settled in proof.settled for mutant in settled.mutants]
    assert {mutant.verifier for mutant in mutants} >= {"answer", "table"}
    assert [mutant for mutant in mutants if not mutant.caught_by] == []
