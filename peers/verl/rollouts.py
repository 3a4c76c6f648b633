"""Plays the exported task through verl's agent loop and reward function. The policies answer in tokens: some play a
script, one is a small real model."""

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
from verl.experimental.agent_loop.agent_loop import AgentLoopOutput, DictConfigWrap
from verl.utils.dataset.rl_dataset import RLHFDataset
from verl.workers.rollout.replica import TokenOutput

from peers.plays import ask_real_policy, list_calls, try_plays, try_real_policy, write_call
from peers.tiny import make_tokenizer, read_template

TOKENS = 20_000
"""How long a prompt and a rollout may be: a token is a byte."""
SHELL = {
    "type": "function",
    "function": {
        "name": "shell",
        "description": "Run a shell command.",
        "parameters": {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]},
    },
}


class Policy:
    """Answers a rollout as verl's engines do, each time with one call."""

    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = tokenizer
        self.sampled: list[int] = []

    async def generate(self, prompt_ids: list[int], **request: Any) -> TokenOutput:
        name, arguments = await asyncio.to_thread(self.choose_call, self.tokenizer.decode(prompt_ids))
        call = json.dumps({"name": name, "arguments": arguments})
        text = f"I act.\n<tool_call>\n{call}\n</tool_call><|im_end|>"
        ids = self.tokenizer.encode(text, add_special_tokens=False)
        self.sampled += ids
        return TokenOutput(token_ids=ids, log_probs=[-0.5] * len(ids))

    def choose_call(self, prompt: str) -> tuple[str, Any]:
        """What a small real model calls when it is shown this text."""
        messages = [{"role": "system", "content": "You mend programs."}, {"role": "user", "content": prompt[-2000:]}]
        [call] = ask_real_policy(messages, [SHELL])["tool_calls"]
        return call["function"]["name"], json.loads(call["function"]["arguments"])


class ScriptedPolicy(Policy):
    """Makes the calls of a script."""

    def __init__(self, tokenizer: Any, commands: tuple[str, ...]) -> None:
        super().__init__(tokenizer)
        self.calls = list_calls(commands)

    def choose_call(self, prompt: str) -> tuple[str, Any]:
        return self.calls.pop(0)


def try_rollouts(folder: Path) -> None:
    """Print a line for everything that was tried of the RL rows."""
    shards = folder / "live" / "verl-rl"
    sys.path.insert(0, str(shards))
    from crucible_loop import CrucibleLoop, compute_score  # it lies beside the shards

    tool = f"verl {version('verl')}"
    [row] = pq.read_table(shards / "data").to_pylist()

    def judge_answer(commands: tuple[str, ...]) -> float:
        text = "\n\n".join(write_call(*call) for call in list_calls(commands))
        truth = row["reward_model"]["ground_truth"]
        return float(compute_score(row["data_source"], text, truth, row["extra_info"]))

    with tempfile.TemporaryDirectory() as scratch:
        tokenizer = AutoTokenizer.from_pretrained(make_tokenizer(read_template("qwen3"), Path(scratch)))

        def play(commands: tuple[str, ...]) -> float:
            return asyncio.run(roll_out(CrucibleLoop, ScriptedPolicy(tokenizer, commands), row)).reward_score

        def act() -> tuple[int, float]:
            output = asyncio.run(roll_out(CrucibleLoop, Policy(tokenizer), row, turns=3))
            return output.num_turns, output.reward_score

        print(json.dumps({"tool": tool, "format": "verl-rl", "template": "qwen3", **load_rows(shards, tokenizer)}))
        try_plays(f"{tool} agent loop", "verl-rl", play)
        try_real_policy(f"{tool} agent loop", "verl-rl", act)
    try_plays(f"{tool} compute_score", "verl-rl", judge_answer)


def load_rows(shards: Path, tokenizer: Any) -> dict[str, object]:
    """Load the rows as verl does."""
    settings = OmegaConf.create({"max_prompt_length": TOKENS, "prompt_key": "prompt", "return_raw_chat": True})
    files = [str(path) for path in sorted((shards / "data").glob("train-*.parquet"))]
    item = RLHFDataset(files, tokenizer, settings)[0]
    return {"ok": item["agent_name"] == "crucible", "seen": f"loads; its agent loop is {item['agent_name']}"}


async def roll_out(loop: Any, policy: Policy, row: dict[str, Any], turns: int = 10) -> AgentLoopOutput:
    """A rollout; what is trained of it are exactly the tokens that the policy sampled."""
    limits = {"prompt_length": TOKENS, "response_length": TOKENS}
    settings = {**limits, "multi_turn": {"format": "hermes", "max_assistant_turns": turns}}
    made = loop(
        trainer_config=DictConfigWrap(OmegaConf.create({"actor_rollout_ref": {"rollout": settings}})),
        server_manager=policy,
        tokenizer=policy.tokenizer,
        processor=None,
        dataset_cls=RLHFDataset,
        data_config=DictConfigWrap(OmegaConf.create({})),
        hf_model_type="qwen3",
    )
    output: AgentLoopOutput = await made.run({}, raw_prompt=row["prompt"], reward_model=row["reward_model"])
    pairs = zip(output.response_ids, output.response_mask, strict=True)
    assert [token for token, is_trained in pairs if is_trained] == policy.sampled, "trained is what was sampled"
    assert 0 in output.response_mask, "what the tools said is part of the conversation"
    return output
