"""Pictures are written where a format has a place for them, and refused with a reason where it has none."""

from __future__ import annotations

import ast
import json
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from crucible import parts
from crucible.exporting import Judged
from crucible.model import Observation, Step, Task, ToolCall, Trajectory
from crucible.running.run import Run
from exporters.pictures import has_pictures
from tests.agents.test_pictures import OTHER, PNG
from tests.exporters import attempts

Load = Callable[[Path], list[dict[str, Any]]]

VISION = ("trl-vision", "llama-factory", "atif")
TEXT_ONLY = sorted(
    part.name
    for part in parts.every("exporter")
    if part.name not in VISION and not part.pairs and not part.name.startswith("test")
)


def seeing(run: Run, task: Task, form: str = "native") -> Trajectory:
    """An attempt at a task with a picture, in which a tool shows another one, the last thing it does is unseen."""
    other = run.blobs.put(OTHER)
    calls = (ToolCall(id="a", name="shell"), ToolCall(id="b", name="view", arguments='{"path": "x.png"}'))
    seen = (Observation(call_id="a", content="ran"), Observation(call_id="b", content="x.png", images=(other,)))
    look = Step(thinking="I look", text="looking", calls=calls, observations=seen)
    last = Observation(call_id="c", content="Submitted.", images=(other,))
    done = Step(text="done", calls=(ToolCall(id="c", name="submit"),), observations=(last,))
    return attempts.attempt(task, look, done, images=task.images, form=form)


@pytest.fixture
def task(run: Run) -> Task:
    return attempts.task(images=(run.blobs.put(PNG),))


async def exported(run: Run, task: Task, trajectory: Trajectory, format: str, out: Path) -> dict[str, int]:
    attempts.keep(run, task, trajectory)
    return await attempts.export_counting(run, format, out)


async def test_trl_vision_has_a_place_and_a_file_for_every_picture_up_to_the_last_answer(
    run: Run, task: Task, tmp_path: Path
) -> None:
    assert await exported(run, task, seeing(run, task), "trl-vision", tmp_path / "out") == {}
    [row] = pq.read_table(tmp_path / "out" / "data").to_pylist()
    messages = [json.loads(message) for message in row["messages"]]
    places = [[part["type"] for part in message["content"]] for message in messages]
    assert [message["role"] for message in messages] == ["system", "user", "assistant", "tool", "tool", "assistant"]
    assert places == [["text"], ["text", "image"], ["text"], ["text"], ["text", "image"], ["text"]]
    assert [picture["bytes"] for picture in row["images"]] == [PNG, OTHER]
    assert row["images"][0]["path"].endswith(".png")
    assert '{"name": "images", "list": "image"}' in (tmp_path / "out" / "README.md").read_text()


@pytest.mark.parametrize("form", ["native", "text"])
async def test_llama_factory_has_as_many_marks_as_files(
    run: Run, load: Load, task: Task, tmp_path: Path, form: str
) -> None:
    assert await exported(run, task, seeing(run, task, form), "llama-factory", tmp_path / "out") == {}
    for row in load(tmp_path / "out"):
        marks = sum(turn["value"].count("<image>") for turn in row["conversations"])
        assert len(row["images"]) == marks > 0
        assert row["images"][0]["bytes"] == PNG


async def test_a_text_that_would_be_taken_for_a_picture_is_refused(run: Run, task: Task, tmp_path: Path) -> None:
    hostile = seeing(run, task).model_copy(update={"prompt": "an <image> tag"})
    assert await exported(run, task, hostile, "llama-factory", tmp_path / "out") == {"picture_mark_in_text": 1}


async def test_atif_carries_the_pictures_within_its_lines(run: Run, task: Task, tmp_path: Path) -> None:
    await exported(run, task, seeing(run, task), "atif", tmp_path / "out")
    [shard] = (tmp_path / "out" / "data").glob("*.jsonl")
    steps = json.loads(shard.read_text())["steps"]
    text, picture = steps[1]["message"]
    assert (text["type"], picture["type"], picture["source"]["media_type"]) == ("text", "image", "image/png")
    assert b64decode(picture["source"]["path"].partition(",")[2]) == PNG
    results = steps[2]["observation"]["results"]
    assert results[0]["content"] == "ran"
    assert b64decode(results[1]["content"][1]["source"]["path"].partition(",")[2]) == OTHER


@pytest.mark.parametrize("format", TEXT_ONLY)
async def test_a_format_without_pictures_refuses_them_with_a_reason(
    run: Run, task: Task, tmp_path: Path, format: str
) -> None:
    assert await exported(run, task, seeing(run, task), format, tmp_path / "out") == {"has_pictures": 1}


async def test_a_picture_that_is_gone_is_a_reason(run: Run, tmp_path: Path) -> None:
    task = attempts.task(images=("0" * 64,))
    assert await exported(run, task, seeing(run, task), "trl-vision", tmp_path / "out") == {"picture_gone": 1}


def test_an_attempt_that_only_speaks_of_images_has_none() -> None:
    task = attempts.task()
    step = Step(text='{"images": ["x"]}', observations=(Observation(call_id="", content='"images":'),))
    assert not has_pictures(Judged.of(task, attempts.attempt(task, step)))


def test_the_script_puts_pictures_of_tools_results_into_their_turns() -> None:
    place_pictures = read_function("place_pictures")
    shown = {"role": "tool", "content": [{"type": "text", "text": "a"}, {"type": "image"}]}
    asked = {"role": "user", "content": [{"type": "image"}]}
    placed = place_pictures({"messages": [[asked, shown]], "images": [["first", "second"]]})
    assert placed["images"] == [[]], "TRL would look for places of its own"
    [[first, second]] = placed["messages"]
    assert first["content"] == [{"type": "image", "image": "first"}]
    assert second["content"][1] == {"type": "image", "image": "second"}


def read_function(name: str) -> Any:
    """A function of the script beside the shards, which as a whole would train."""
    script = Path(__file__).parents[2] / "exporters" / "ready" / "trl-vision" / "train_with_trl.py"
    found = [node for node in ast.parse(script.read_text()).body if isinstance(node, ast.FunctionDef)]
    names: dict[str, Any] = {}
    exec(compile(ast.Module(found, []), str(script), "exec"), names)
    return names[name]
