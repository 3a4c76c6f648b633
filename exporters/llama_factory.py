"""LLaMA-Factory: ShareGPT turns that alternate strictly. A row that does not is silently blanked by the trainer,
so it is refused here, and counted.

Thinking, and what is said before a call, stand in the `function_call` turn's value, in front of the calls' JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TypedDict

from crucible.errors import Rejected
from crucible.exporting import Accepted
from crucible.parts import exporter
from exporters.messages import Message, samples, tools

Turn = TypedDict("Turn", {"from": str, "value": str})
TAGS = {"user": "human", "tool": "observation"}
ASKING, ANSWERING = ("human", "observation"), ("gpt", "function_call")


class Row(TypedDict):
    """One sample."""

    conversations: list[Turn]
    system: str
    tools: str
    task_id: str
    trajectory_id: str
    sample: int


@exporter("llama-factory")
def llama_factory(one: Accepted) -> Iterator[Row]:
    """LLaMA-Factory ShareGPT: `conversations`, `system`, `tools`; train with mask_history."""
    for sample in samples(one):
        yield {
            "conversations": _alternating(sample.messages),
            "system": one.light.system,
            "tools": _functions(tools(one.light)),
            "task_id": one.task_id,
            "trajectory_id": one.trajectory_id,
            "sample": sample.number,
        }


def _alternating(messages: Iterable[Message]) -> list[Turn]:
    """The turns up to the last answer; answers to parallel calls are one turn."""
    turns = [turn for role, some in groupby(messages, key=lambda one: one["role"]) for turn in _turns(role, list(some))]
    if turns and turns[-1]["from"] in ASKING:
        turns.pop()
    for at, turn in enumerate(turns):
        if turn["from"] not in (ANSWERING if at % 2 else ASKING):
            raise Rejected("turns_do_not_alternate", f"turn {at} is {turn['from']}")
    return turns


def _turns(role: str, messages: list[Message]) -> list[Turn]:
    if role == "system":
        return []
    if role == "tool":
        return [{"from": "observation", "value": _results([one["content"] for one in messages])}]
    if role == "assistant":
        return [_answer(one) for one in messages]
    return [{"from": TAGS[role], "value": one["content"]} for one in messages]


def _results(contents: list[str]) -> str:
    """One result as it is; several as a JSON list, which the trainer's tool formats know how to take apart."""
    return contents[0] if len(contents) == 1 else json.dumps(contents, ensure_ascii=False)


def _answer(message: Message) -> Turn:
    thought, calls = message["reasoning_content"] or "", message["tool_calls"] or []
    if not calls:
        return {"from": "gpt", "value": _think(thought) + message["content"]}
    said = "\n\n".join(filter(None, (thought, message["content"])))
    written = ", ".join(
        f'{{"name": {json.dumps(call["function"]["name"])}, "arguments": {call["function"]["arguments"]}}}'
        for call in calls
    )
    return {"from": "function_call", "value": _think(said) + (written if len(calls) == 1 else f"[{written}]")}


def _think(thought: str) -> str:
    """The block that the trainer cuts out before it reads the JSON; it ends where it is first closed."""
    return f"<think>\n{thought.replace('</think>', '< /think>')}\n</think>\n\n" if thought else ""


def _functions(offered: str) -> str:
    """Bare functions, without the endpoint's wrapping."""
    return json.dumps([tool["function"] for tool in json.loads(offered)], ensure_ascii=False)
