"""ATIF 1.8: trajectories as JSON lines. Verdicts ride in `extra`, for ATIF itself has no reward.

Timestamps and costs are left out: the same ledger gives the same bytes. Where parsing arguments loses something
(spaces, the digits of a number, everything when they are malformed), their exact text is in `extra.exact_arguments`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from crucible.acting import offered
from crucible.exporting import Accepted
from crucible.model import Step, ToolCall, Trajectory
from crucible.parts import exporter
from crucible.record import Json
from exporters.messages import mapping

VERSION = "ATIF-v1.8"
Object = dict[str, Json]


@exporter("atif", shape="jsonl")
def atif(one: Accepted) -> Iterator[Object]:
    """ATIF 1.8 JSON lines, with token ids and logprobs where the endpoint gave them."""
    steps = list(_numbered(one.trajectory))
    yield {
        "schema_version": VERSION,
        "session_id": one.trajectory_id,
        "trajectory_id": one.trajectory_id,
        "agent": _agent(one.trajectory),
        "steps": list(steps),
        "extra": {
            "task_id": one.task_id,
            "form": one.trajectory.form,
            "ended": one.trajectory.ended,
            "verdicts": [_verdict(one, number) for number in range(len(one.verdicts))],
            "exact_arguments": _exact(one.trajectory),
        },
    }


def _agent(trajectory: Trajectory) -> Object:
    agent = trajectory.agent
    tools: list[Json] = [offered(tool) for tool in trajectory.tools] if trajectory.form == "native" else []
    model = str(agent.options.get("model") or agent.teacher)
    return {"name": agent.scaffold, "version": str(agent.seed), "model_name": model, "tool_definitions": tools}


def _verdict(one: Accepted, number: int) -> Object:
    found = one.verdicts[number]
    return {"verifier": found.verifier, "version": found.version, "outcome": found.outcome, "score": found.score}


def _numbered(trajectory: Trajectory) -> Iterator[Object]:
    for number, step in enumerate(_steps(trajectory), start=1):
        yield {"step_id": number, **step}


def _steps(trajectory: Trajectory) -> Iterator[Object]:
    if trajectory.system:
        yield {"source": "system", "message": trajectory.system}
    yield {"source": "user", "message": trajectory.prompt}
    for step in trajectory.steps:
        text = trajectory.form == "text"
        yield _answer(step, text)
        for one in step.observations:
            if text or not one.call_id:
                yield {"source": "user", "message": one.content}


def _answer(step: Step, text: bool) -> Object:
    made: Object = {"source": "agent", "message": step.text}
    if step.thinking:
        made["reasoning_content"] = step.thinking
    if step.calls and not text:
        made["tool_calls"] = [_call(call) for call in step.calls]
        seen = [one for one in step.observations if one.call_id]
        made["observation"] = {"results": [{"source_call_id": one.call_id, "content": one.content} for one in seen]}
    return made | ({"metrics": metrics} if (metrics := _metrics(step)) else {})


def _call(call: ToolCall) -> Object:
    known = mapping(call.arguments)
    given: Json = known if known is not None else {"malformed": call.arguments}
    return {"tool_call_id": call.id, "function_name": call.name, "arguments": given}


def _metrics(step: Step) -> Object:
    """Counts and tokens, never the cost; what is not known is left out."""
    counts = {
        "prompt_tokens": step.usage.prompt_tokens,
        "completion_tokens": step.usage.completion_tokens,
        "cached_tokens": step.usage.cached_tokens,
    }
    tokens: Object = {
        "prompt_token_ids": list(step.tokens.prompt_ids),
        "completion_token_ids": list(step.tokens.completion_ids),
        "logprobs": list(step.tokens.logprobs),
    }
    return {**{name: n for name, n in counts.items() if n}, **{name: ids for name, ids in tokens.items() if ids}}


def _exact(trajectory: Trajectory) -> Object:
    """By step and call, the arguments that do not come back from their mapping as they were."""
    return {
        f"{number}/{call.id}": call.arguments
        for number, step in enumerate(trajectory.steps)
        for call in step.calls
        if trajectory.form == "native" and not _survives(call)
    }


def _survives(call: ToolCall) -> bool:
    known = mapping(call.arguments)
    return known is not None and json.dumps(known, ensure_ascii=False) == call.arguments
