"""With templates of several families, exactly the answers are trained, each once, thinking included."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from crucible.running.run import Run
from crucible.shards.manifest import Request
from crucible.stages import export
from peers import odd_attempts
from peers.counting import list_faults, read_words
from tests.exporters.rendering import FAMILIES, rendered, row_messages, row_tools

Load = Callable[[Path], list[dict[str, Any]]]
VERL = "verl.utils.dataset.multiturn_sft_dataset"
THOUGHTLESS = ("headers",)
"""Families that have no place for thinking."""


@pytest.fixture
def odd(run: Run) -> Run:
    """A ledger with every odd case, and words that tell what must be trained."""
    for name, steps in odd_attempts.odd_cases().items():
        odd_attempts.keep_attempt(run, name, steps)
    return run


@pytest.fixture(scope="module")
def marked_turns() -> ModuleType:
    """The dataset class that comes with `verl-sft`, loaded without verl and torch."""
    path = Path(__file__).parents[2] / "exporters" / "ready" / "verl-sft" / "marked_turns.py"
    spec = importlib.util.spec_from_file_location("marked_turns", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("torch", "verl", "verl.utils", "verl.utils.dataset", VERL):
            patch.setitem(sys.modules, name, ModuleType(name))
        patch.setattr(sys.modules[VERL], "MultiTurnSFTDataset", object, raising=False)
        spec.loader.exec_module(module)
    return module


def trained_by_verl(module: ModuleType, row: dict[str, Any], family: str) -> str:
    """What the class trains, with characters for tokens."""
    marks = zip(row_messages(row), row["training"], strict=True)
    messages = [message | {"training": mark} for message, mark in marks]

    def render(some: list[dict[str, Any]], add_generation_prompt: bool = False) -> list[str]:
        return list(rendered(family, some, row_tools(row), add_generation_prompt=add_generation_prompt))

    ids = render(messages)
    return " ".join("".join(ids[start:end]) for start, end in module.find_spans(messages, ids, render))


@pytest.mark.parametrize("family", FAMILIES)
async def test_verl_trains_each_answer_once_and_nothing_else(
    odd: Run, load: Load, tmp_path: Path, marked_turns: ModuleType, family: str
) -> None:
    out = tmp_path / "out"
    await export(odd, Request(format="verl-sft"), out)
    trained = [trained_by_verl(marked_turns, row, family) for row in load(out)]
    assert list_faults(read_words(out), trained, thinking=family not in THOUGHTLESS) == []


def completions(row: dict[str, Any], family: str) -> Iterator[str]:
    """What is rendered after the prompt: all of it is trained where no answer is marked."""
    prompt = rendered(family, row["prompt"], row_tools(row), add_generation_prompt=True)
    whole = rendered(family, row["prompt"] + row["completion"], row_tools(row))
    assert whole.startswith(prompt)
    yield whole.removeprefix(prompt)


@pytest.mark.parametrize("family", FAMILIES)
async def test_a_completion_of_one_answer_holds_no_results_of_tools(
    odd: Run, load: Load, tmp_path: Path, family: str
) -> None:
    out = tmp_path / "out"
    await export(odd, Request(format="trl-completion"), out)
    trained = [text for row in load(out) for text in completions(row, family)]
    assert list_faults(read_words(out), trained, thinking=family not in THOUGHTLESS) == []


@pytest.mark.parametrize("format", ["llama-factory", "prime-rl", "trl-vision"])
async def test_where_every_answer_is_trained_each_is_shown_once_and_none_is_malformed(
    odd: Run, load: Load, tmp_path: Path, format: str
) -> None:
    out = tmp_path / "out"
    done = await export(odd, Request(format=format), out)
    words = Counter(re.findall(r"(?:said|wrong)-[a-z]+-[a-z0-9-]+", str(load(out))))
    assert done.counts.left_out == {"malformed_call": 1}
    assert set(words.values()) == {1}
    assert not [word for word in words if word.startswith("wrong-")]
