"""What exports carry for policies that act: complete folders, and adapters that get the server's reward.

The libraries themselves are not installed here; `make peers` tries the same files in them. What its environments are
made of is recorded below for SkyRL-gym, as its release 0.4.0 has it; verl's reward functions are plain functions.
"""

from __future__ import annotations

import ast
import asyncio
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import pytest_asyncio

from crucible.model import Check, Reference, Task
from crucible.running.run import Run
from crucible.sandbox import Env
from crucible.shards.manifest import Request
from crucible.stages import export
from crucible.store.item import Item
from tests.crucible.episodes.trainer import READY, TOKEN, load_file, serving
from tests.flows import toy as toy  # registers the world without a machine

SUM = Task(
    domain="toy",
    kind="sum",
    instruction="Twice 3?",
    env=Env(name="toy-world"),
    checks=(Check(verifier="toy-knows", params={"want": "6"}),),
    reference=Reference(answer="6"),
)
ACTING = ["skyrl", "verifiers", "verl-rl"]


class BaseTextEnv:
    """SkyRL-gym's base class, as far as an environment sees it."""

    def __init__(self) -> None:
        self.turns, self.max_turns = 0, 1


@pytest.fixture
def libraries(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The recorded part of SkyRL-gym, and the client beside the rows, where the adapters import them from."""
    registry: dict[str, Any] = {}
    base, registration = ModuleType("skyrl_gym.envs.base_text_env"), ModuleType("skyrl_gym.envs.registration")
    base.BaseTextEnv = BaseTextEnv  # type: ignore[attr-defined]
    registration.registry = registry  # type: ignore[attr-defined]
    registration.register = lambda id, entry_point: registry.update({id: entry_point})  # type: ignore[attr-defined]
    for module in (base, registration):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(sys.modules, "crucible_client", load_file(READY / "crucible_client.py"))
    return registry


@pytest_asyncio.fixture
async def served(run: Run, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[str]:
    async with serving(run) as url:
        monkeypatch.setenv("EPISODES_URL", url)
        monkeypatch.setenv("EPISODES_TOKEN", TOKEN)
        yield url


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "shards"


async def export_row(run: Run, format: str, out: Path) -> dict[str, Any]:
    """The one row of an export."""
    import pyarrow.parquet as pq

    run.ledger.put([Item.of("task", SUM, pipeline="toy")])
    await export(run, Request(format=format), out)
    [row] = pq.read_table(out / "data").to_pylist()
    return dict(row)


def submit(answer: str) -> str:
    return f"<think>Hm.</think>\n```call submit\n{json.dumps({'answer': answer})}\n```"


@pytest.mark.parametrize("format", ACTING)
async def test_an_export_carries_all_that_its_policies_need(run: Run, out: Path, format: str) -> None:
    row = await export_row(run, format, out)
    place = {"skyrl": row.get("reward_spec"), "verl-rl": row.get("reward_model"), "verifiers": row}[format]
    task = Task.model_validate_json((place or {}).get("ground_truth") or row["task"])
    assert (task.env, task.checks, task.reference) == (SUM.env, SUM.checks, Reference())
    names = {file.name for file in (READY / format).iterdir()}
    assert "crucible_client.py" in names
    assert all((out / name).is_file() and not (out / name).is_symlink() for name in names)


def test_the_client_needs_nothing_but_python() -> None:
    tree = ast.parse((READY / "crucible_client.py").read_text())
    imports = [
        name.name.partition(".")[0] for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names
    ]
    assert imports
    assert set(imports) <= sys.stdlib_module_names
    assert not any(isinstance(node, ast.ImportFrom) for node in ast.walk(tree))


@pytest.mark.parametrize(("answer", "worth"), [("6", 1.0), ("7", 0.0)])
async def test_an_environment_of_skyrl_gives_the_reward_of_our_checks(
    run: Run, out: Path, libraries: dict[str, Any], served: str, answer: str, worth: float
) -> None:
    row = await export_row(run, "skyrl", out)
    adapter: Any = load_file(out / "crucible_env.py")
    adapter.register_environment()

    def roll_out() -> tuple[dict[str, Any], dict[str, Any]]:
        env = libraries[row["env_class"]](env_config={}, extras={**row, "max_turns": 5})
        conversation, _ = env.init(row["prompt"])
        assert [message["role"] for message in conversation] == ["system", "user"]
        first, last = env.step("I do nothing yet."), env.step(submit(answer))
        env.close()
        return first, last

    first, last = await asyncio.to_thread(roll_out)
    assert (first["done"], first["reward"], first["observations"][0]["role"]) == (False, 0.0, "user")
    assert (last["done"], last["reward"], last["metadata"]["ended"]) == (True, worth, "submitted")


async def test_an_environment_of_skyrl_is_judged_when_its_turns_are_used_up(
    run: Run, out: Path, libraries: dict[str, Any], served: str
) -> None:
    row = await export_row(run, "skyrl", out)
    adapter: Any = load_file(out / "crucible_env.py")

    def roll_out() -> dict[str, Any]:
        env = adapter.CrucibleEnv(extras={**row, "max_turns": 1})
        env.init(row["prompt"])
        return dict(env.step("I think about it."))

    last = await asyncio.to_thread(roll_out)
    assert (last["done"], last["reward"], last["metadata"]["ended"]) == (True, 0.0, "silent")


@pytest.mark.parametrize(("answer", "worth"), [("6", 1.0), ("7", 0.0)])
async def test_verl_s_reward_function_carries_out_what_is_written_in_one_answer(
    run: Run, out: Path, libraries: dict[str, Any], served: str, answer: str, worth: float
) -> None:
    row = await export_row(run, "verl-rl", out)
    adapter: Any = load_file(out / "crucible_loop.py")
    truth = row["reward_model"]["ground_truth"]
    reward = await asyncio.to_thread(
        adapter.compute_score, row["data_source"], submit(answer), truth, row["extra_info"]
    )
    assert reward == worth
