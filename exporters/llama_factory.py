"""LLaMA-Factory: ShareGPT turns that alternate strictly. A row that does not is silently blanked by the trainer,
so it is refused here, and counted.

A picture is a mark in the text of its turn, and a file in the column `images`; as many marks, as many files.

Thinking, and what is said before a call, stand in the `function_call` turn's value, in front of the calls' JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TypedDict

from crucible.errors import Rejected
from crucible.exporting import Judged
from crucible.mining import BlobStore
from crucible.parts import exporter
from exporters.messages import Message, offered_tools, split_samples
from exporters.pictures import PictureFile, pack_pictures, pictures_by_turn

Turn = TypedDict("Turn", {"from": str, "value": str})
ASKING = ("human", "observation")
"""Turns at even places: what the model is asked or shown."""
ANSWERING = ("gpt", "function_call")
"""Turns at odd places: what the model says or calls."""


PICTURE_MARK = "<image>"
"""Stands where a picture is, in the text of a turn."""


class Row(TypedDict):
    """One sample."""

    conversations: list[Turn]
    images: list[PictureFile]
    system: str
    tools: str
    task_id: str
    trajectory_id: str
    sample: int


@exporter("llama-factory", needs=("blobs",))
def llama_factory(judged: Judged, *, blobs: BlobStore) -> Iterator[Row]:
    """LLaMA-Factory ShareGPT: `conversations`, `system`, `tools`, `images`; train with mask_history."""
    pictures = pictures_by_turn(judged)
    for sample in split_samples(judged, pictures=True):
        turns = _alternating_turns(_mark_pictures(sample.messages, pictures) if pictures else sample.messages)
        yield {
            "conversations": turns,
            "images": pack_pictures(pictures, _count_answered(sample.messages), blobs) if pictures else [],
            "system": judged.light.system,
            "tools": _bare_functions(offered_tools(judged.light)),
            "task_id": judged.task_id,
            "trajectory_id": judged.trajectory_id,
            "sample": sample.number,
        }


def _mark_pictures(messages: Iterable[Message], pictures: Mapping[int, Sequence[str]]) -> Iterator[Message]:
    """The messages with a mark for each picture. Rejected where a text holds what would be taken for a mark."""
    for at, message in enumerate(messages):
        if PICTURE_MARK in json.dumps(message, ensure_ascii=False):
            raise Rejected("picture_mark_in_text", f"turn {at} says {PICTURE_MARK}")
        yield {**message, "content": message["content"] + PICTURE_MARK * len(pictures.get(at, ()))}


def _count_answered(messages: Iterable[Message]) -> int:
    """How many messages there are up to the last answer: what came after it is left out, with its pictures."""
    return max((at for at, message in enumerate(messages, start=1) if message["role"] == "assistant"), default=0)


def _alternating_turns(messages: Iterable[Message]) -> list[Turn]:
    """The turns up to the last answer; answers to parallel calls are one turn."""
    groups = groupby(messages, key=lambda message: message["role"])
    turns = [turn for role, group in groups for turn in _turns(role, list(group))]
    if turns and turns[-1]["from"] in ASKING:
        turns.pop()
    for at, turn in enumerate(turns):
        if turn["from"] not in (ANSWERING if at % 2 else ASKING):
            raise Rejected("turns_do_not_alternate", f"turn {at} is {turn['from']}")
    return turns


def _turns(role: str, messages: list[Message]) -> list[Turn]:
    """The turns of neighbouring messages of one role; the system's message is a column of its own."""
    if role == "system":
        return []
    if role == "tool":
        return [{"from": "observation", "value": _join_results([message["content"] for message in messages])}]
    if role == "assistant":
        return [_answer(message) for message in messages]
    return [{"from": "human", "value": message["content"]} for message in messages]


def _join_results(contents: list[str]) -> str:
    """One result as it is; several as a JSON list, which the trainer's tool formats know how to take apart."""
    return contents[0] if len(contents) == 1 else json.dumps(contents, ensure_ascii=False)


def _answer(message: Message) -> Turn:
    thought, calls = message["reasoning_content"] or "", message["tool_calls"] or []
    if not calls:
        return {"from": "gpt", "value": _think_block(thought) + message["content"]}
    before_calls = "\n\n".join(filter(None, (thought, message["content"])))
    calls_json = ", ".join(
        f'{{"name": {json.dumps(call["function"]["name"])}, "arguments": {call["function"]["arguments"]}}}'
        for call in calls
    )
    return {
        "from": "function_call",
        "value": _think_block(before_calls) + (calls_json if len(calls) == 1 else f"[{calls_json}]"),
    }


def _think_block(thought: str) -> str:
    """The block that the trainer cuts out before it reads the JSON; it ends where it is first closed."""
    return f"<think>\n{thought.replace('</think>', '< /think>')}\n</think>\n\n" if thought else ""


def _bare_functions(offered: str) -> str:
    """The offered tools as JSON, each without the endpoint's wrapping."""
    return json.dumps([tool["function"] for tool in json.loads(offered)], ensure_ascii=False)
