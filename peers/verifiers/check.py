"""Plays the exported task through verifiers: `python -m peers.verifiers.check FOLDER`.

`ENDPOINT` is the address of `peers.endpoint`, whose models are the policies.
"""

from __future__ import annotations

import asyncio
import os
import sys
from importlib.metadata import version
from operator import itemgetter
from pathlib import Path
from typing import Any

from peers.plays import PLAYS, try_plays, try_real_policy

ROOT = Path(__file__).parents[2]


def main(folder: Path) -> None:
    sys.path[:] = [str(folder / "live" / "verifiers"), *(place for place in sys.path if Path(place).resolve() != ROOT)]
    tool = f"verifiers {version('verifiers')}"
    names = {commands: name for name, (commands, _) in PLAYS.items()}
    try_plays(tool, "verifiers", lambda commands: rollout(names[commands])["reward"])
    try_real_policy(tool, "verifiers", lambda: itemgetter("turns", "reward")(rollout("local", max_turns=3)))


def rollout(model: str, max_turns: int = 10) -> dict[str, Any]:
    """One episode of verifiers' own environment with this model."""
    import verifiers.v1 as vf  # the library: our own folder of that name is off the path by now

    agent = {"runtime": {"type": "subprocess"}, "max_turns": max_turns}
    config = vf.resolve_env_config({"taskset": {"id": "crucible-tasks"}, "agent": agent})
    env = vf.load_environment(config)
    [task] = list(env.taskset)
    client = vf.EvalClientConfig(base_url=os.environ["ENDPOINT"], api_key_var="NO_KEY")
    context = vf.ModelContext(model=model, client=client)

    async def run() -> Any:
        async with env.serving():
            return await env.run_slot(env.slots(task)[0], context)

    [trace] = asyncio.run(run()).traces
    if trace.errors:
        raise RuntimeError(trace.errors[-1].message)
    return {"reward": trace.reward, "turns": trace.num_turns}


if __name__ == "__main__":
    main(Path(sys.argv[1]))
