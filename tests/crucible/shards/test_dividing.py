"""Several calls in one answer as several turns: nothing is lost, doubled, or told before its call."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from crucible.errors import SettingsError
from crucible.exporting import LightCall, LightObservation, LightStep
from crucible.running.run import Run, open_run
from crucible.settings import Settings
from crucible.shards.dividing import divide_step
from crucible.shards.manifest import Request
from crucible.stages import export
from peers import odd_attempts
from peers.counting import WORD


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    with open_run(Settings(home=tmp_path / "home")) as opened:
        yield opened


def test_each_call_is_a_turn_with_its_own_result_and_what_was_said_goes_first() -> None:
    calls = (LightCall("a", "shell"), LightCall("b", "shell"))
    seen = (LightObservation("b", "of b"), LightObservation("", "nudge"), LightObservation("a", "of a"))
    first, second = divide_step(LightStep("thought", "text", calls, seen))
    assert first == LightStep("thought", "text", calls[:1], (seen[2],))
    assert second == LightStep("", "", calls[1:], (seen[0], seen[1]))


def test_an_answer_with_one_call_stays_as_it_is() -> None:
    step = LightStep("thought", "text", (LightCall("a", "shell"),), (LightObservation("a", "of a"),))
    assert list(divide_step(step)) == [step]


async def test_an_export_has_one_call_in_each_turn_and_every_word_once(run: Run, tmp_path: Path) -> None:
    odd_attempts.keep_attempt(run, "parallel", odd_attempts.odd_cases()["parallel"])
    await export(run, Request(format="trl", one_call_per_turn=True), tmp_path / "out")
    [row] = pq.read_table(tmp_path / "out" / "data").to_pylist()
    said = [json.loads(message) for message in row["completion"]]
    assert [len(message.get("tool_calls", ())) for message in said] == [1, 0, 1, 0, 0]
    assert [message["role"] for message in said] == ["assistant", "tool", "assistant", "tool", "assistant"]
    words = WORD.findall(json.dumps(said))
    assert len(words) == len(set(words)) == 8
    assert not row["parallel_calls"]


async def test_a_format_without_turns_is_refused(run: Run, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="no turns"):
        await export(run, Request(format="harbor", one_call_per_turn=True), tmp_path / "out")
