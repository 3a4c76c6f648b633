"""LLaMA-Factory: ShareGPT turns that alternate strictly. A row that does not is silently blanked by the trainer,
so it is refused here, and counted.

A picture is a mark in the text of its turn, and a file in the column `images`; as many marks, as many files.

The value of a `function_call` turn is thinking, text, and the calls' JSON between marks: without the marks the trainer
takes everything before the JSON for thinking. It trains on every answer, so that a row is a whole attempt.
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
from exporters.messages import Call, Message, offered_tools, whole_conversation
from exporters.pictures import PictureFile, pack_pictures, pictures_by_turn

Turn = TypedDict("Turn", {"from": str, "value": str})
ASKING = ("human", "observation")
"""Turns at even places: what the model is asked or shown."""
ANSWERING = ("gpt", "function_call")
"""Turns at odd places: what the model says or calls."""


PICTURE_MARK = "<image>"
"""Stands where a picture is, in the text of a turn."""


CALLS_BEGIN, CALLS_END = "<tool_call>", "</tool_call>"
"""Stand around the JSON of an answer's calls."""


class Row(TypedDict):
    """One sample."""

    conversations: list[Turn]
    images: list[PictureFile]
    system: str
    tools: str


@exporter("llama-factory", needs=("blobs",))
def llama_factory(judged: Judged, *, blobs: BlobStore) -> Iterator[Row]:
    """LLaMA-Factory ShareGPT, a row for each attempt: its default mask_history: false trains every answer once.

    Trained is every `gpt` and `function_call` turn, thinking included (`mask_history: true` would train the last one
    only). Attempts with a call that is not JSON are left out: nothing masks one answer. The template `glm4` takes
    one call in an answer: export with --one-call-per-turn. `dataset_info.json` stands beside the shards.
    """
    pictures, messages = pictures_by_turn(judged), whole_conversation(judged)
    yield {
        "conversations": _alternating_turns(_mark_pictures(messages, pictures) if pictures else messages),
        "images": pack_pictures(pictures, len(messages), blobs) if pictures else [],
        "system": judged.light.system,
        "tools": _bare_functions(offered_tools(judged.light) or "[]"),
    }


def _mark_pictures(messages: Iterable[Message], pictures: Mapping[int, Sequence[str]]) -> Iterator[Message]:
    """The messages with a mark for each picture. Rejected where a text holds what would be taken for a mark."""
    for at, message in enumerate(messages):
        if PICTURE_MARK in json.dumps(message, ensure_ascii=False):
            raise Rejected("picture_mark_in_text", f"turn {at} says {PICTURE_MARK}")
        yield {**message, "content": message["content"] + PICTURE_MARK * len(pictures.get(at, ()))}


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
    said = _think_block(thought) + message["content"]
    if not calls:
        return {"from": "gpt", "value": said}
    if CALLS_BEGIN in said:
        raise Rejected("call_mark_in_text", f"an answer says {CALLS_BEGIN} before its calls")
    separator = "\n" if message["content"] else ""
    return {"from": "function_call", "value": f"{said}{separator}{CALLS_BEGIN}{_calls_json(calls)}{CALLS_END}"}


def _calls_json(calls: Sequence[Call]) -> str:
    """One call as an object, several as a list. What would be taken for the mark at their end is escaped."""
    objects = ", ".join(
        f'{{"name": {json.dumps(call["function"]["name"])}, "arguments": {call["function"]["arguments"]}}}'
        for call in calls
    )
    return (objects if len(calls) == 1 else f"[{objects}]").replace(CALLS_END, CALLS_END.replace("<", "\\u003c"))


def _think_block(thought: str) -> str:
    """The block that the trainer cuts out before it reads the JSON; it ends where it is first closed."""
    return f"<think>\n{thought.replace('</think>', '< /think>')}\n</think>\n\n" if thought else ""


def _bare_functions(offered: str) -> str:
    """The offered tools as JSON, each without the endpoint's wrapping."""
    return json.dumps([tool["function"] for tool in json.loads(offered)], ensure_ascii=False)
