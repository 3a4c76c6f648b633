"""Plays the exported task through verl's agent loop and reward function, with a policy whose tokens are scripted."""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from omegaconf import OmegaConf
from transformers import AutoTokenizer
from verl.experimental.agent_loop.agent_loop import DictConfigWrap
from verl.utils.dataset.rl_dataset import RLHFDataset
from verl.workers.rollout.replica import TokenOutput

from peers.plays import list_calls, try_plays, write_call
from peers.tiny import make_tokenizer, read_template

ROLLOUT = {
    "prompt_length": 20_000,
    "response_length": 20_000,
    "multi_turn": {"format": "hermes", "max_assistant_turns": 10},
}


class ScriptedServer:
    """Answers a rollout with the tokens of a script."""

    def __init__(self, tokenizer: Any, answers: list[str]) -> None:
        self.answers = [tokenizer.encode(answer, add_special_tokens=False) for answer in answers]
        self.said = list(self.answers)

    async def generate(self, **request: Any) -> TokenOutput:
        ids = self.answers.pop(0)
        return TokenOutput(token_ids=ids, log_probs=[-0.5] * len(ids))


def try_rollouts(folder: Path) -> None:
    """Print a line for everything that was tried of the RL rows."""
    shards = folder / "live" / "verl-rl"
    sys.path.insert(0, str(shards))
    from crucible_loop import CrucibleLoop, compute_score  # it lies beside the shards

    tool = f"verl {version('verl')}"
    [row] = pq.read_table(shards / "data").to_pylist()
    truth = row["reward_model"]["ground_truth"]

    def judge_answer(commands: tuple[str, ...]) -> float:
        text = "\n\n".join(write_call(*call) for call in list_calls(commands))
        return float(compute_score(row["data_source"], text, truth, row["extra_info"]))

    with tempfile.TemporaryDirectory() as scratch:
        tokenizer = AutoTokenizer.from_pretrained(make_tokenizer(read_template("qwen3"), Path(scratch)))
        print(json.dumps({"tool": tool, "format": "verl-rl", "template": "qwen3", **load_rows(shards, tokenizer)}))

        def play(commands: tuple[str, ...]) -> float:
            return asyncio.run(roll_out(CrucibleLoop, tokenizer, row, commands))

        try_plays(f"{tool} agent loop", "verl-rl", play)
    try_plays(f"{tool} compute_score", "verl-rl", judge_answer)


def load_rows(shards: Path, tokenizer: Any) -> dict[str, object]:
    """Load the rows as verl does."""
    settings = OmegaConf.create({"max_prompt_length": 20_000, "prompt_key": "prompt", "return_raw_chat": True})
    files = [str(path) for path in sorted((shards / "data").glob("train-*.parquet"))]
    item = RLHFDataset(files, tokenizer, settings)[0]
    return {"ok": item["agent_name"] == "crucible", "seen": f"loads; its agent loop is {item['agent_name']}"}


async def roll_out(loop: Any, tokenizer: Any, row: dict[str, Any], commands: tuple[str, ...]) -> float:
    """The reward of a scripted rollout; what is trained of it are exactly the tokens of the policy's answers."""
    calls = [json.dumps({"name": name, "arguments": arguments}) for name, arguments in list_calls(commands)]
    server = ScriptedServer(tokenizer, [f"I act.\n<tool_call>\n{call}\n</tool_call><|im_end|>" for call in calls])
    trainer = DictConfigWrap(OmegaConf.create({"actor_rollout_ref": {"rollout": ROLLOUT}}))
    made = loop(
        trainer_config=trainer,
        server_manager=server,
        tokenizer=tokenizer,
        processor=None,
        dataset_cls=RLHFDataset,
        data_config=DictConfigWrap(OmegaConf.create({})),
        hf_model_type="qwen3",
    )
    output = await made.run({}, raw_prompt=row["prompt"], reward_model=row["reward_model"])
    pairs = zip(output.response_ids, output.response_mask, strict=True)
    trained = [token for token, is_trained in pairs if is_trained]
    assert trained == [token for answer in server.said for token in answer], (
        "other tokens are trained than were sampled"
    )
    assert output.num_turns > len(calls), "what the tools said is part of the conversation"
    return float(output.reward_score)
