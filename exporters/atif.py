"""ATIF 1.8: trajectories as JSON lines. Verdicts ride in `extra`, for ATIF itself has no reward.

Timestamps and costs are left out: the same ledger gives the same bytes. Where parsing arguments loses something
(spaces, the digits of a number, everything when they are malformed), their exact text is in `extra.exact_arguments`.
Pictures are parts of a message or a result, as data URLs, so that a line needs nothing beside it.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator, Sequence

from crucible.acting import tool_schema
from crucible.exporting import Judged
from crucible.mining import BlobStore
from crucible.model import Step, ToolCall, Trajectory
from crucible.parts import exporter
from crucible.record import Json
from crucible.token_ids import whole_prompts
from exporters.messages import parse_arguments
from exporters.pictures import picture_parts

VERSION = "ATIF-v1.8"
Object = dict[str, Json]


@exporter("atif", shape="jsonl", needs=("blobs",))
def atif(judged: Judged, *, blobs: BlobStore) -> Iterator[Object]:
    """ATIF 1.8 JSON lines, with token ids and logprobs where the endpoint gave them."""
    steps = list(_numbered_steps(judged.trajectory, blobs))
    yield {
        "schema_version": VERSION,
        "session_id": judged.trajectory.agent.session or judged.trajectory_id,
        "trajectory_id": judged.trajectory_id,
        "agent": _agent(judged.trajectory),
        "steps": list(steps),
        "extra": {
            "task_id": judged.task_id,
            "form": judged.trajectory.form,
            "harness": judged.trajectory.agent.harness,
            "ended": judged.trajectory.ended,
            "verdicts": [_verdict(judged, number) for number in range(len(judged.verdicts))],
            "exact_arguments": _exact_arguments(judged.trajectory),
        },
    }


def _agent(trajectory: Trajectory) -> Object:
    agent = trajectory.agent
    tools: list[Json] = [tool_schema(tool) for tool in trajectory.tools] if trajectory.form == "native" else []
    model = str(agent.options.get("model") or agent.teacher)
    return {"name": agent.scaffold, "version": str(agent.seed), "model_name": model, "tool_definitions": tools}


def _verdict(judged: Judged, number: int) -> Object:
    verdict = judged.verdicts[number]
    return {
        "verifier": verdict.verifier,
        "version": verdict.version,
        "outcome": verdict.outcome,
        "score": verdict.score,
    }


def _numbered_steps(trajectory: Trajectory, blobs: BlobStore) -> Iterator[Object]:
    for number, step in enumerate(_steps(trajectory, blobs), start=1):
        yield {"step_id": number, **step}


def _steps(trajectory: Trajectory, blobs: BlobStore) -> Iterator[Object]:
    if trajectory.system:
        yield {"source": "system", "message": trajectory.system}
    yield {"source": "user", "message": _content(trajectory.prompt, trajectory.images, blobs)}
    for step, prompt_ids in zip(trajectory.steps, whole_prompts(trajectory.steps), strict=True):
        is_text = trajectory.form == "text"
        yield _answer(step, is_text, prompt_ids, blobs)
        for observation in step.observations:
            if is_text or not observation.call_id:
                yield {"source": "user", "message": _content(observation.content, observation.images, blobs)}


def _answer(step: Step, is_text: bool, prompt_ids: Sequence[int], blobs: BlobStore) -> Object:
    """The agent's turn; where calls stay within its text (`is_text`) they are not listed beside it."""
    turn: Object = {"source": "agent", "message": step.text}
    if step.thinking:
        turn["reasoning_content"] = step.thinking
    if step.calls and not is_text:
        turn["tool_calls"] = [_tool_call(call) for call in step.calls]
        answers = [answer for answer in step.observations if answer.call_id]
        turn["observation"] = {
            "results": [
                {"source_call_id": answer.call_id, "content": _content(answer.content, answer.images, blobs)}
                for answer in answers
            ]
        }
    if step.model:
        turn["model_name"] = step.model
    if step.finish:
        turn["extra"] = {"finish_reason": step.finish}
    return turn | ({"metrics": metrics} if (metrics := _metrics(step, prompt_ids)) else {})


def _content(text: str, images: Sequence[str], blobs: BlobStore) -> Json:
    """The text as it is, or parts where there are pictures."""
    if not images:
        return text
    pictures: list[Json] = [
        {"type": "image", "source": {"media_type": kind, "path": f"data:{kind};base64,{b64encode(data).decode()}"}}
        for kind, data in picture_parts(images, blobs)
    ]
    return [{"type": "text", "text": text}, *pictures]


def _tool_call(call: ToolCall) -> Object:
    parsed = parse_arguments(call.arguments)
    given: Json = parsed if parsed is not None else {"malformed": call.arguments}
    return {"tool_call_id": call.id, "function_name": call.name, "arguments": given}


def _metrics(step: Step, prompt_ids: Sequence[int]) -> Object:
    """Counts and tokens, never the cost; what is not known is left out."""
    counts = {
        "prompt_tokens": step.usage.prompt_tokens,
        "completion_tokens": step.usage.completion_tokens,
        "cached_tokens": step.usage.cached_tokens,
    }
    tokens: Object = {
        "prompt_token_ids": list(prompt_ids),
        "completion_token_ids": list(step.tokens.completion_ids),
        "logprobs": list(step.tokens.logprobs),
    }
    return {**{name: n for name, n in counts.items() if n}, **{name: ids for name, ids in tokens.items() if ids}}


def _exact_arguments(trajectory: Trajectory) -> Object:
    """By step and call, the arguments that do not come back from their mapping as they were."""
    return {
        f"{number}/{call.id}": call.arguments
        for number, step in enumerate(trajectory.steps)
        for call in step.calls
        if trajectory.form == "native" and not _survives_parsing(call)
    }


def _survives_parsing(call: ToolCall) -> bool:
    parsed = parse_arguments(call.arguments)
    return parsed is not None and json.dumps(parsed, ensure_ascii=False) == call.arguments
