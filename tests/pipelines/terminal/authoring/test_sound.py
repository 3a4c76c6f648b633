"""What a model wrote goes the way of every other draft: it is proven, or it is no task."""

from __future__ import annotations

from pathlib import Path

import pytest

from crucible.acting import TeacherSettings
from crucible.model import Task
from crucible.running.run import open_run
from crucible.settings import Settings, SoundnessSettings
from crucible.stages.mine import find_pipeline, refine
from crucible.stages.validate import validate
from crucible.store.item import Item
from crucible.store.lookup import list_items
from pipelines.terminal.settings import TerminalSettings
from tests.agents.endpoint import Endpoint, saying
from tests.pipelines.terminal.written import thread, written


@pytest.mark.slow
async def test_a_thread_without_commands_becomes_sound_tasks_by_a_model_and_its_repairs_are_kept(
    tmp_path: Path,
) -> None:
    broken = saying(written(solution="cut -d' ' -f1 sales.txt"))
    async with Endpoint((broken, saying(written()))) as endpoint:
        settings = Settings(
            home=tmp_path,
            soundness=SoundnessSettings(repeats=2),
            teacher=TeacherSettings(base_url=endpoint.url, model="writer"),
            sections={"terminal": TerminalSettings(teacher="openai")},
        )
        with open_run(settings) as run:
            run.ledger.put([Item.of("raw", thread(), pipeline="terminal")], "terminal.select")
            await refine(run, find_pipeline("terminal"))
            proven = await validate(run)
            tasks = [item.record(Task) for item in list_items(run.ledger, "task")]
    assert (proven.done, proven.dropped, proven.errors) == (4, 0, 0)
    assert sorted(task.difficulty.hint_level for task in tasks) == [1, 2, 3, 4]
    assert {task.difficulty.repair_rounds for task in tasks} == {1}
    assert {task.provenance.source for task in tasks} == {"stack-exchange:x.example#1"}
