"""verifiers' taskset and harness for these rows: a policy that acts in Crucible's boxes.

    PYTHONPATH=. vf-eval crucible-tasks --model MODEL --env.agent.runtime.type subprocess

EPISODES_URL and EPISODES_TOKEN say where `crucible episodes` listens. The harness is a loop in this process: it asks
the model through verifiers' endpoint, and has Crucible carry out the calls. A fault there is an error of the rollout:
it is never a reward of 0.
"""

import asyncio
import json
import urllib.error
import urllib.request
from pathlib import Path

import pyarrow.parquet as pq
from crucible_client import Episode

import verifiers.v1 as vf

__all__ = ["CrucibleHarness", "CrucibleTaskset"]


class CrucibleData(vf.TaskData):
    """The task of one row."""

    task: str
    """What the server opens and judges by, as JSON."""


class CrucibleTask(vf.Task[CrucibleData]):
    """Worth what Crucible's checks say."""

    @property
    def key(self):
        return self.data.id

    @vf.reward
    async def crucible(self, trace: vf.Trace) -> float:
        return trace.info["crucible"]["reward"]

    @vf.metric
    async def passed(self, trace: vf.Trace) -> float:
        return float(trace.info["crucible"]["outcome"] == "pass")


class CrucibleTasksetConfig(vf.TasksetConfig):
    """Where the rows are."""

    folder: Path = Path(__file__).resolve().parent
    """The folder of the export."""
    split: str = "train"


class CrucibleTaskset(vf.Taskset[CrucibleTask, CrucibleTasksetConfig]):
    """The rows of an export."""

    def load(self):
        for file in sorted((self.config.folder / "data").glob(f"{self.config.split}-*.parquet")):
            for row in pq.read_table(file, columns=["task_id", "instruction", "task"]).to_pylist():
                data = CrucibleData(id=row["task_id"], prompt=row["instruction"], task=row["task"])
                yield CrucibleTask(data, self.config.task)


class CrucibleHarnessConfig(vf.HarnessConfig):
    """How the model is spoken to."""

    scaffold: str = ""
    """A scaffold of Crucible; empty: that of the task's domain. `text`: for models without tool calls."""
    seed: int = 0


class CrucibleHarness(vf.Harness[CrucibleHarnessConfig]):
    """Asks the model, and has the server carry out its calls, until the attempt is over."""

    APPENDS_SYSTEM_PROMPT = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(self, ctx, trace, runtime, endpoint, secret, mcp_urls, data):
        chosen = {"scaffold": self.config.scaffold, "seed": self.config.seed}
        episode = await asyncio.to_thread(Episode, task=data.task, **chosen)
        try:
            while not episode.done:
                message = await asyncio.to_thread(ask_model, endpoint, secret, ctx.model, episode)
                if message is None:
                    await asyncio.to_thread(episode.finish)
                else:
                    await asyncio.to_thread(episode.answer, message)
            trace.info["crucible"] = episode.judgement
        finally:
            await asyncio.to_thread(episode.close)
        return vf.ProgramResult(exit_code=0, stdout="", stderr="")


def ask_model(endpoint, secret, model, episode):
    """The model's next message; None where a limit of the rollout allows no more."""
    body = {"model": model, "messages": episode.messages} | ({"tools": episode.tools} if episode.tools else {})
    headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"{endpoint.rstrip('/')}/chat/completions", json.dumps(body).encode(), headers)
    try:
        with urllib.request.urlopen(request, timeout=3600) as answer:
            return json.load(answer)["choices"][0]["message"]
    except urllib.error.HTTPError as refused:
        if b"rollout stopped" in refused.read():
            return None
        raise
