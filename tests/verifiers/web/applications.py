"""Applications judged by a verifier in real boxes: their files lie in the box from the beginning."""

from __future__ import annotations

from collections.abc import Mapping

from crucible.judging.cascade import Judging, judge
from crucible.model import Agent, Check, Task, Trajectory, Verdict
from crucible.record import Record
from crucible.sandbox import Env, LaidFile
from crucible.stages.services import OpenServices


async def judge_application(
    services: OpenServices, env: Env, files: Mapping[str, str], verifier: str, params: Record
) -> Verdict:
    """The verdict of one verifier on an application of these files."""
    blobs = services.run.blobs
    laid = {path: LaidFile(blob=blobs.put(content.encode())) for path, content in files.items()}
    task = Task(
        domain="appdev",
        kind="frontend",
        instruction="Build it.",
        env=env.model_copy(update={"files": laid, "leaves": "files", "outputs": ("*",)}),
        checks=(Check(verifier=verifier, params=params.model_dump(mode="json")),),
    )
    agent = Agent(scaffold="native", teacher="scripted")
    attempt = Trajectory(task_id=task.id, agent=agent, system="", prompt="", ended="submitted")
    judging = Judging(await services.world("docker"), blobs, services)
    [verdict] = [verdict async for verdict in judge(task, attempt, judging)]
    return verdict
