"""Sample posts of families without tests of their own become drafts that do not give the hidden result away."""

from __future__ import annotations

from pathlib import Path

import pytest

from crucible.domains.terminal.comparing import are_equal
from crucible.mining import MiningContext
from crucible.sandbox import World
from crucible.store.blobs import Blobs
from pipelines.terminal.drafting.executing import draft_tasks
from pipelines.terminal.model import Thread
from pipelines.terminal.posts.source import read_threads
from pipelines.terminal.selection.selecting import select_thread

FAMILIES = {
    "text": 1217,
    "archives": 4240,
    "permissions": 3551,
    "find": 3609,
    "cron": 4425,
    "services": 4437,
    "make": 4108,
    "python": 4045,
    "json": 2537,
    "debugging": 2592,
}


@pytest.fixture(scope="module")
def threads(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Thread]:
    index = tmp_path_factory.mktemp("samples")
    return {thread.number: thread for thread in read_threads(Path("sample_data/terminal/Posts.xml"), index)}


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
async def test_a_sample_of_each_family_has_three_inputs_and_a_copied_result_fails_in_the_hidden_one(
    family: str, threads: dict[int, Thread], world: World, blobs: Blobs
) -> None:
    context = MiningContext(world, blobs)
    [selected] = await select_thread(threads[FAMILIES[family]], context)
    for draft in await draft_tasks(selected, context):
        *shown, hidden = draft.cases
        assert len({case.scene.model_dump_json() for case in draft.cases}) >= 3
        assert [case.hidden for case in draft.cases] == [False] * len(shown) + [True]
        for case in shown:
            assert not are_equal(hidden, case.expected, draft.demands)
