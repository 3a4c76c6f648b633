"""ATIF: only the keys it knows, everything that was said, and arguments that can be had exactly."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from crucible.model import Agent, Step, Tokens
from crucible.running.run import Run
from crucible.shards.manifest import Request
from crucible.stages import export
from tests.exporters import attempts

KEYS = {
    "root": {"schema_version", "session_id", "trajectory_id", "agent", "steps", "final_metrics", "extra"},
    "agent": {"name", "version", "model_name", "tool_definitions"},
    "step": {
        *("step_id", "timestamp", "source", "message", "reasoning_content", "tool_calls", "observation", "metrics"),
        *("is_copied_context", "model_name", "extra"),
    },
    "call": {"tool_call_id", "function_name", "arguments"},
    "result": {"source_call_id", "content"},
    "metrics": {
        *("prompt_tokens", "completion_tokens", "cached_tokens", "cost_usd"),
        *("prompt_token_ids", "completion_token_ids", "logprobs"),
    },
}


@pytest.fixture
async def lines(run: Run, tmp_path: Path) -> dict[str, dict[str, Any]]:
    task = attempts.task()
    shapes = attempts.shapes(task)
    attempts.keep(run, task, *shapes.values())
    await export(run, Request(format="atif"), tmp_path / "out")
    [shard] = (tmp_path / "out" / "data").glob("*.jsonl")
    read = [json.loads(line) for line in shard.read_bytes().decode().split("\n") if line]
    return {name: next(one for one in read if one["trajectory_id"] == made.id) for name, made in shapes.items()}


async def test_there_are_no_keys_that_atif_does_not_know(lines: dict[str, dict[str, Any]]) -> None:
    for one in lines.values():
        assert set(one) <= KEYS["root"]
        assert set(one["agent"]) <= KEYS["agent"]
        assert [step["step_id"] for step in one["steps"]] == list(range(1, len(one["steps"]) + 1))
        for step in one["steps"]:
            assert set(step) <= KEYS["step"]
            assert set(step.get("metrics", {})) <= KEYS["metrics"] - {"cost_usd"}
            assert all(set(call) == KEYS["call"] for call in step.get("tool_calls", []))
            assert all(isinstance(call["arguments"], dict) for call in step.get("tool_calls", []))
            assert all(set(seen) == KEYS["result"] for seen in step.get("observation", {}).get("results", []))


async def test_arguments_that_a_parser_changes_are_there_as_written(lines: dict[str, dict[str, Any]]) -> None:
    assert lines["native"]["extra"]["exact_arguments"] == {"0/a": attempts.EXACT}
    assert lines["malformed"]["extra"]["exact_arguments"] == {"0/a": '{"command": "ls"', "1/b": "[1]"}


async def test_tokens_are_the_engines_own(lines: dict[str, dict[str, Any]]) -> None:
    metrics = lines["native"]["steps"][2]["metrics"]
    assert metrics["completion_token_ids"] == [3, 4]
    assert metrics["logprobs"] == [-0.1, -0.2]
    assert metrics["prompt_tokens"] == 7


async def test_each_answer_names_its_model_and_its_whole_prompt(run: Run, tmp_path: Path) -> None:
    task = attempts.task()
    first = Step(text="a", tokens=Tokens(prompt_ids=(1, 2), completion_ids=(3,)), model="m v1", finish="stop")
    second = Step(text="b", tokens=Tokens(resumed=3, prompt_ids=(4,), completion_ids=(5,)))
    agent = Agent(scaffold="native", teacher="openai", session="group-1")
    attempts.keep(run, task, attempts.attempt(task, first, second, agent=agent))
    await export(run, Request(format="atif"), tmp_path / "out")
    [shard] = (tmp_path / "out" / "data").glob("*.jsonl")
    line = json.loads(shard.read_text())
    answers = [step for step in line["steps"] if step["source"] == "agent"]
    assert [step["metrics"]["prompt_token_ids"] for step in answers] == [[1, 2], [1, 2, 3, 4]]
    assert (answers[0]["model_name"], answers[0]["extra"]) == ("m v1", {"finish_reason": "stop"})
    assert (line["session_id"], line["extra"]["harness"]) == ("group-1", "loop")


async def test_nudges_and_observations_as_text_are_the_users_steps(lines: dict[str, dict[str, Any]]) -> None:
    assert [step["source"] for step in lines["nudged"]["steps"]] == ["system", "user", "agent", "user", "agent"]
    assert [step["source"] for step in lines["text"]["steps"]] == ["system", "user", "agent", "user", "agent", "user"]
    assert lines["native"]["extra"]["verdicts"] == [{"verifier": "told", "version": 1, "outcome": "pass", "score": 1.0}]
