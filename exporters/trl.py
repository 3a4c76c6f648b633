"""TRL's conversational formats: a prompt, and the completion that is learnt.

Messages are JSON, which the card declares: `datasets` hands them over as mappings without nulls, and so they reach the
chat template.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from crucible.exporting import JsonText, Judged
from crucible.parts import exporter
from exporters.json_messages import json_messages
from exporters.messages import offered_tools, split_samples


class Completion(TypedDict):
    """One sample, divided where learning begins."""

    prompt: list[JsonText]
    completion: list[JsonText]
    tools: JsonText | None


@exporter("trl")
def trl(judged: Judged) -> Iterator[Completion]:
    """TRL prompt and completion, a row for each user turn: train with assistant_only_loss=True.

    Trained are the answers in `completion`, thinking and calls included: TRL masks the prompt by default, and the tool
    results with that setting. Every answer of an attempt is in one completion only. A call that is not JSON is shown
    in prompts and never completed. It takes a chat template whose answers TRL can mark (Qwen, GLM, DeepSeek, Nemotron,
    and any with `generation` marks); for others there is `trl-completion`.
    """
    for sample in split_samples(judged, unbroken=True):
        yield _divided_row(judged, json_messages(sample.messages), sample.learnt[0])


@exporter("trl-completion")
def trl_completion(judged: Judged) -> Iterator[Completion]:
    """TRL prompt and completion, a row for each answer: for chat templates without `generation` marks.

    Trained is the completion, which is one answer, thinking and calls included. Every answer of an attempt is one
    completion; all that came before it is its prompt, so that an attempt of many steps becomes many long rows. A call
    that is not JSON is shown in prompts and never completed.
    Llama 3.1's template takes one call in an answer: export with --one-call-per-turn. DeepSeek-V3's takes arguments as
    text only, and raises.
    """
    for sample in split_samples(judged, unbroken=True):
        messages = json_messages(sample.messages)
        for at in sample.learnt:
            yield _divided_row(judged, messages[: at + 1], at)


def _divided_row(judged: Judged, messages: list[str], prompt: int) -> Completion:
    return {
        "prompt": messages[:prompt],
        "completion": messages[prompt:],
        "tools": offered_tools(judged.light),
    }
