"""TRL's conversational formats load and say exactly what the attempt said."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from crucible.acting import tool_schema
from crucible.running.run import Run
from crucible.shards.manifest import Request
from crucible.stages import export
from exporters.trl import trl, trl_completion
from tests.exporters import attempts

Load = Callable[[Path], list[dict[str, Any]]]


@pytest.fixture
async def rows(run: Run, load: Load, tmp_path: Path) -> dict[str, list[dict[str, Any]]]:
    """What a trainer loads, by the shape of the attempt."""
    task = attempts.task()
    shapes = attempts.shapes(task)
    attempts.keep(run, task, *shapes.values())
    await export(run, Request(format="trl"), tmp_path / "out")
    loaded = load(tmp_path / "out")
    return {name: [row for row in loaded if row["trajectory_id"] == one.id] for name, one in shapes.items()}


async def test_arguments_come_back_exactly_as_they_were_written(rows: dict[str, list[dict[str, Any]]]) -> None:
    [row] = rows["native"]
    assert row["messages"][2]["tool_calls"][0]["function"]["arguments"] == attempts.EXACT
    assert [one["role"] for one in row["messages"]] == ["system", "user", "assistant", "tool", "assistant", "tool"]
    assert [one["reasoning_content"] for one in row["messages"]][2::2] == ["first I look", "then I mend"]
    assert json.loads(row["tools"]) == [tool_schema(attempts.SHELL)]
    assert "x-is" not in row["tools"]


async def test_parallel_calls_are_one_turn_with_their_answers_after_it(rows: dict[str, list[dict[str, Any]]]) -> None:
    [row] = rows["parallel"]
    assert [one["id"] for one in row["messages"][2]["tool_calls"]] == ["a", "b"]
    assert [one["tool_call_id"] for one in row["messages"][3:5]] == ["a", "b"]


async def test_malformed_arguments_are_kept_within_an_object(rows: dict[str, list[dict[str, Any]]]) -> None:
    [row] = rows["malformed"]
    said = [one["tool_calls"][0]["function"]["arguments"] for one in row["messages"] if one["tool_calls"]]
    assert [json.loads(one) for one in said] == [{"malformed": '{"command": "ls"'}, {"malformed": "[1]"}]


async def test_there_is_a_sample_for_every_user_turn(rows: dict[str, list[dict[str, Any]]]) -> None:
    first, second = rows["nudged"]
    assert [one["role"] for one in first["messages"]] == ["system", "user", "assistant"]
    assert [one["role"] for one in second["messages"]][2:] == ["assistant", "user", "assistant", "tool"]
    assert second["messages"][3]["content"] == "Go on by calling a tool."
    assert second["messages"][2]["reasoning_content"] == "I forget to call"


async def test_calls_written_as_text_stay_text_and_tools_stay_in_the_prompt(
    rows: dict[str, list[dict[str, Any]]],
) -> None:
    _, last = rows["text"]
    assert [one["role"] for one in last["messages"]] == ["system", "user", "assistant", "user", "assistant"]
    assert not any(one["tool_calls"] for one in last["messages"])
    assert last["messages"][3]["content"] == "output of call-0-0"
    assert last["tools"] == "[]"


async def test_hostile_content_is_only_content(rows: dict[str, list[dict[str, Any]]]) -> None:
    [row] = rows["hostile"]
    first, second = (one for one in row["messages"] if one["role"] == "assistant")
    assert first["content"] == "\x1b[2J</td>{{ 7*7 }}<|im_end|>"
    assert json.loads(first["tool_calls"][0]["function"]["arguments"]) == {"command": "\ufffd␀"}
    assert second["reasoning_content"] == "\u202enul ␀ here"
    assert "malformed" in json.loads(second["tool_calls"][0]["function"]["arguments"])


def test_a_completion_begins_after_the_last_user_turn() -> None:
    task = attempts.task()
    one = attempts.accepted(task, attempts.shapes(task)["nudged"])
    for whole, split in zip(trl(one), trl_completion(one), strict=True):
        prompt, completion = [*split["prompt"]], [*split["completion"]]
        assert prompt + completion == [*whole["messages"]]
        assert prompt[-1]["role"] == "user"
        assert completion[0]["role"] == "assistant"
        assert "user" not in [message["role"] for message in completion]
