"""Plays the exported task through SkyRL-gym's environment: `python -m peers.skyrl.check FOLDER`."""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path

import pyarrow.parquet as pq
import skyrl_gym

from peers.plays import ask_real_policy, list_calls, try_plays, try_real_policy, write_call


def main(folder: Path) -> None:
    shards = folder / "live" / "skyrl"
    sys.path.insert(0, str(shards))
    from crucible_env import register_environment  # it lies beside the shards

    register_environment()
    [row] = pq.read_table(shards / "data").to_pylist()

    def play(commands: tuple[str, ...]) -> float:
        """As SkyRL's generator drives an environment: make, init, step until it is done, close."""
        env = skyrl_gym.make(row["env_class"], env_config={}, extras={**row, "max_turns": 10})
        conversation, _ = env.init(row["prompt"])
        assert [message["role"] for message in conversation] == ["system", "user"]
        for call in list_calls(commands):
            step = env.step(write_call(*call))
        env.close()
        assert step["done"], "the attempt was handed in"
        return float(step["reward"])

    def act() -> tuple[int, float]:
        env = skyrl_gym.make(row["env_class"], env_config={}, extras={**row, "max_turns": 3})
        conversation, _ = env.init(row["prompt"])
        step = {"done": False}
        while not step["done"]:
            text = ask_real_policy(conversation)["content"]
            step = env.step(text)
            conversation += [{"role": "assistant", "content": text}, *step["observations"]]
        env.close()
        return env.turns, float(step["reward"])

    tool = f"skyrl-gym {version('skyrl-gym')}"
    try_plays(tool, "skyrl", play)
    try_real_policy(tool, "skyrl", act)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
