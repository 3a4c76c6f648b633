"""TRL's conversational formats load and say exactly what the attempt said."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from crucible.acting import tool_schema
from crucible.running.run import Run
from crucible.shards.manifest import Request
from crucible.stages import export
from exporters.trl import trl, trl_completion
from tests.exporters import attempts

Load = Callable[[Path], list[dict[str, Any]]]
Rows = dict[str, list[dict[str, Any]]]


@pytest.fixture
async def rows(run: Run, load: Load, tmp_path: Path) -> Rows:
    """What a trainer loads, by the shape of the attempt; prompt and completion are joined as `messages` too."""
    task = attempts.task()
    shapes = attempts.shapes(task)
    attempts.keep(run, task, *shapes.values())
    await export(run, Request(format="trl"), tmp_path / "out")
    loaded = [row | {"messages": row["prompt"] + row["completion"]} for row in load(tmp_path / "out")]
    return {name: [row for row in loaded if row["trajectory_id"] == one.id] for name, one in shapes.items()}


async def test_arguments_and_tools_are_loaded_as_objects_and_stored_as_they_were_written(
    rows: Rows, tmp_path: Path
) -> None:
    [row] = rows["native"]
    assert row["messages"][2]["tool_calls"][0]["function"]["arguments"] == json.loads(attempts.EXACT)
    assert row["tools"] == [tool_schema(attempts.SHELL)]
    assert "x-is" not in json.dumps(row["tools"])
    stored = pq.read_table(tmp_path / "out" / "data")["completion"].to_pylist()
    assert any(attempts.EXACT in message for messages in stored for message in messages)


async def test_a_message_has_nothing_that_means_nothing(rows: Rows) -> None:
    [row] = rows["native"]
    assert [sorted(message) for message in row["messages"]] == [
        *(["content", "role"] for _ in range(2)),
        ["content", "reasoning_content", "role", "tool_calls"],
        ["content", "role", "tool_call_id"],
        ["content", "reasoning_content", "role", "tool_calls"],
    ]
    assert [one.get("reasoning_content") for one in row["messages"]][2::2] == ["first I look", "then I mend"]


async def test_parallel_calls_are_one_turn_with_their_answers_after_it(rows: Rows) -> None:
    [row] = rows["parallel"]
    assert [one["id"] for one in row["messages"][2]["tool_calls"]] == ["a", "b"]
    assert [one["tool_call_id"] for one in row["messages"][3:5]] == ["a", "b"]


async def test_a_malformed_call_is_shown_and_never_completed(rows: Rows) -> None:
    [row] = rows["mistaken"]
    [call] = row["prompt"][2]["tool_calls"]
    assert call["function"]["arguments"] == {"malformed": '{"command": "ls"'}
    assert [message["role"] for message in row["prompt"]] == ["system", "user", "assistant", "tool"]
    assert [message["role"] for message in row["completion"]] == ["assistant"]
    assert rows["malformed"] == []


async def test_there_is_a_sample_for_every_user_turn_and_each_answer_is_completed_once(rows: Rows) -> None:
    first, second = rows["nudged"]
    assert [one["role"] for one in first["completion"]] == ["assistant"]
    assert [one["role"] for one in second["prompt"]] == ["system", "user", "assistant", "user"]
    assert second["prompt"][3]["content"] == "Go on by calling a tool."
    assert second["prompt"][2]["reasoning_content"] == "I forget to call"
    assert [one["reasoning_content"] for one in second["completion"]] == ["so I call"]


async def test_calls_written_as_text_stay_text_and_tools_stay_in_the_prompt(rows: Rows) -> None:
    _, last = rows["text"]
    assert [one["role"] for one in last["messages"]] == ["system", "user", "assistant", "user", "assistant"]
    assert not any("tool_calls" in one for one in last["messages"])
    assert last["messages"][3]["content"] == "output of call-0-0"
    assert last["tools"] is None


async def test_hostile_content_is_only_content(rows: Rows) -> None:
    [row] = rows["hostile"]
    [first] = row["completion"]
    assert first["content"] == "\x1b[2J</td>{{ 7*7 }}<|im_end|>"
    assert first["tool_calls"][0]["function"]["arguments"] == {"command": "\ufffd␀"}


async def test_a_number_that_no_reader_can_hold_is_malformed(run: Run, load: Load, tmp_path: Path) -> None:
    task = attempts.task()
    numbers = (2**63 - 1, 2**63, "a text of 12345678901234567890 digits")
    steps = [attempts.step("", "", attempts.call(f"c{at}", json.dumps({"n": n}))) for at, n in enumerate(numbers)]
    attempts.keep(run, task, attempts.attempt(task, *steps))
    await export(run, Request(format="trl"), tmp_path / "out")
    learnt = [message for row in load(tmp_path / "out") for message in row["completion"] if "tool_calls" in message]
    assert [one["tool_calls"][0]["function"]["arguments"]["n"] for one in learnt] == [numbers[0], numbers[2]]


@pytest.mark.parametrize("shape", ["native", "parallel", "mistaken", "nudged", "text"])
def test_no_answer_is_completed_twice_and_none_is_forgotten(shape: str) -> None:
    task = attempts.task()
    judged = attempts.accepted(task, attempts.shapes(task)[shape])
    answers = [step.text for step in judged.light.steps]
    well_formed = answers[1:] if shape == "mistaken" else answers
    for exporter in (trl, trl_completion):
        completed = [json.loads(message) for row in exporter(judged) for message in row["completion"]]
        assert [one["content"] for one in completed if one["role"] == "assistant"] == well_formed


def test_where_templates_mark_no_answers_a_completion_is_one_answer_alone() -> None:
    task = attempts.task()
    judged = attempts.accepted(task, attempts.shapes(task)["native"])
    rows = list(trl_completion(judged))
    assert [(len(row["prompt"]), len(row["completion"])) for row in rows] == [(2, 1), (4, 1)]
