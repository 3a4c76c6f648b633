"""Every format is read again by what reads it, and every conversation renders through two families' templates."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from crucible import parts
from crucible.model import Check, Reference, Task, Trajectory
from crucible.running.run import Run
from crucible.shards.manifest import Request
from crucible.stages import export
from tests.exporters import attempts
from tests.exporters.rendering import FAMILIES, rendered, row_messages, row_tools

Load = Callable[[Path], list[dict[str, Any]]]
Rows = list[dict[str, Any]]

TABLES = [part for part in parts.every("exporter") if part.shape == "parquet" and not part.pairs]
PARQUET = [part.name for part in TABLES if part.name != "harbor-parquet"]  # which takes what a suite judges
CONVERSATIONS = ["trl", "trl-completion", "axolotl", "verl-sft", "prime-rl"]
EVERY_ANSWER = ["trl-vision", "llama-factory", "prime-rl"]
"""Formats whose trainers train on every answer that they are shown."""
MALFORMED = ["malformed", "mistaken", "hostile"]
"""Attempts with a call that is not JSON; in the first there is no other."""
THOUGHTS = ["first I look", "then I mend"]


@pytest.fixture
def shapes(run: Run) -> dict[str, Trajectory]:
    """Every shape of attempt, accepted."""
    task = attempts.task()
    made = attempts.shapes(task)
    attempts.keep(run, task, *made.values())
    return made


async def exported(run: Run, load: Load, out: Path, format: str) -> Rows:
    await export(run, Request(format=format), out)
    return load(out)


@pytest.mark.parametrize("format", PARQUET)
async def test_every_table_loads_and_holds_every_attempt_or_task(
    run: Run, load: Load, shapes: dict[str, Trajectory], tmp_path: Path, format: str
) -> None:
    rows = await exported(run, load, tmp_path / "out", format)
    if parts.find("exporter", format).per == "task":
        assert len(rows) == 1
    else:
        unfit = MALFORMED if format in EVERY_ANSWER else MALFORMED[: format != "critic"]
        assert {row["trajectory_id"] for row in rows} == {one.id for name, one in shapes.items() if name not in unfit}
    assert "the answer, which nobody may see" not in json.dumps(rows)


@pytest.mark.parametrize("format", CONVERSATIONS)
async def test_every_conversation_renders(
    run: Run, load: Load, shapes: dict[str, Trajectory], tmp_path: Path, format: str
) -> None:
    rows = await exported(run, load, tmp_path / "out", format)
    for row, family in product(rows, FAMILIES):
        said = row_messages(row)
        text = rendered(family, said, row_tools(row))
        assert "None" not in text
        places = [text.find(message["content"]) for message in said]
        assert -1 not in places
        if row["trajectory_id"] == shapes["native"].id and len(said) > 3:
            assert 'mend \\"it\\" Grüße 🚀' in text
            assert (family == "headers") or all(thought in text for thought in THOUGHTS)


async def test_thinking_before_the_last_user_turn_is_kept_in_storage_and_dropped_by_the_template(
    run: Run, load: Load, shapes: dict[str, Trajectory], tmp_path: Path
) -> None:
    rows = await exported(run, load, tmp_path / "out", "trl")
    first, second = (
        rendered("chatml", row_messages(row), []) for row in rows if row["trajectory_id"] == shapes["nudged"].id
    )
    assert "I forget to call" in first
    assert "I forget to call" not in second
    assert "so I call" in second


async def test_axolotl_trains_on_the_answers_after_the_last_user_turn(
    run: Run, load: Load, shapes: dict[str, Trajectory], tmp_path: Path
) -> None:
    rows = await exported(run, load, tmp_path / "out", "axolotl")
    flags = {(row["trajectory_id"], row["sample"]): [turn["training"] for turn in row["messages"]] for row in rows}
    assert flags[shapes["nudged"].id, 0] == [False, False, True]
    assert flags[shapes["nudged"].id, 1] == [False, False, False, False, True]
    assert flags[shapes["native"].id, 0] == [False, False, True, False, True]
    assert flags[shapes["mistaken"].id, 0] == [False, False, False, False, True]


async def test_verl_is_told_for_every_message_whether_it_is_trained_on(
    run: Run, load: Load, shapes: dict[str, Trajectory], tmp_path: Path
) -> None:
    rows = await exported(run, load, tmp_path / "out", "verl-sft")
    assert all(len(row["messages"]) == len(row["training"]) for row in rows)
    flags = {(row["trajectory_id"], row["sample"]): row["training"] for row in rows}
    assert flags[shapes["mistaken"].id, 0] == [False, False, False, False, True]
    assert [row["enable_thinking"] for row in rows if row["trajectory_id"] == shapes["parallel"].id] == [True]


async def test_llama_factory_turns_alternate_and_its_calls_are_json_after_the_thinking(
    run: Run, load: Load, shapes: dict[str, Trajectory], tmp_path: Path
) -> None:
    rows = await exported(run, load, tmp_path / "out", "llama-factory")
    for row in rows:
        tags = [turn["from"] for turn in row["conversations"]]
        assert len(tags) % 2 == 0
        assert set(tags[::2]) <= {"human", "observation"}
        assert set(tags[1::2]) <= {"gpt", "function_call"}
        for turn in row["conversations"]:
            if turn["from"] == "function_call":
                calls_of(turn["value"])
    [native] = [row for row in rows if row["trajectory_id"] == shapes["native"].id]
    called = native["conversations"][1]["value"]
    assert called.startswith("<think>\nfirst I look\n</think>\n\nLooking.\n<tool_call>{")
    assert attempts.EXACT in called
    [parallel] = [row for row in rows if row["trajectory_id"] == shapes["parallel"].id]
    assert [one["name"] for one in calls_of(parallel["conversations"][1]["value"])] == ["shell", "shell"]
    [nudged] = [row for row in rows if row["trajectory_id"] == shapes["nudged"].id]
    assert [turn["from"] for turn in nudged["conversations"]] == ["human", "gpt", "human", "function_call"]
    assert json.loads(parallel["conversations"][2]["value"]) == ["output of a", "output of b"]


def calls_of(value: str) -> Any:
    """The calls as the trainer finds them: the first text between the marks."""
    return json.loads(value.partition("<tool_call>")[2].partition("</tool_call>")[0])


async def test_llama_factory_finds_the_calls_whatever_they_say(run: Run, load: Load, tmp_path: Path) -> None:
    task = attempts.task()
    tricky = {"command": "echo '</tool_call>' <tool_call>"}
    steps = (attempts.step("a </think> b", "", attempts.call("a", json.dumps(tricky))),)
    attempts.keep(run, task, attempts.attempt(task, *steps))
    marked = attempts.step("", "I write <tool_call>", attempts.call("a"))
    attempts.keep(run, task, attempts.attempt(task, marked, seed=1))
    done = await export(run, Request(format="llama-factory"), tmp_path / "out")
    [row] = load(tmp_path / "out")
    value = row["conversations"][1]["value"]
    assert calls_of(value)["arguments"] == tricky
    assert value.count("</think>") == 1
    assert done.counts.left_out == {"call_mark_in_text": 1}


async def test_reinforcement_rows_tell_the_prompt_and_how_to_judge(
    run: Run, load: Load, shapes: dict[str, Trajectory], tmp_path: Path
) -> None:
    [verl] = await exported(run, load, tmp_path / "verl", "verl-rl")
    [sky] = await exported(run, load, tmp_path / "sky", "skyrl")
    assert [turn["role"] for turn in verl["prompt"]] == ["system", "user"]
    task = Task.model_validate_json(verl["reward_model"]["ground_truth"])
    assert (task.checks, task.reference, verl["agent_name"]) == ((Check(verifier="told"),), Reference(), "crucible")
    assert (sky["env_class"], sky["prompt"]) == ("crucible", verl["prompt"])
    assert sky["reward_spec"]["ground_truth"] == verl["reward_model"]["ground_truth"]
    assert sky["extra_info"]["task_id"] == shapes["native"].task_id


async def test_two_answers_in_a_row_are_refused_where_turns_must_alternate(run: Run, tmp_path: Path) -> None:
    task = attempts.task()
    attempts.keep(run, task, attempts.attempt(task, attempts.step("", "One."), attempts.step("", "Two.")))
    assert await attempts.export_counting(run, "llama-factory", tmp_path / "out") == {"turns_do_not_alternate": 1}
