"""What a critic learns from: whole conversations, and what the judges found of each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from crucible.exporting import JsonText, Judged
from crucible.parts import exporter
from exporters.json_messages import json_messages
from exporters.messages import chat_messages, offered_tools
from exporters.pictures import refuse_pictures


class Finding(TypedDict):
    """One question that a judge answered."""

    verifier: str
    criterion: str
    passed: bool


class Critique(TypedDict):
    """One attempt and what was found of it."""

    messages: list[JsonText]
    tools: JsonText | None
    findings: list[Finding]


@exporter("critic", rewards=True)
def critic(judged: Judged) -> Iterator[Critique]:
    """Conversations with what the judges found, a row for each attempt: for critics and reward models, with --judged.

    Trained is what you choose to predict: `reward`, `resolved` or `findings`. Calls that are not JSON are shown.
    """
    refuse_pictures(judged)
    yield {
        "messages": json_messages(chat_messages(judged.light)),
        "tools": offered_tools(judged.light),
        "findings": [
            {"verifier": verdict.verifier, "criterion": criterion.name, "passed": criterion.passed}
            for verdict in judged.verdicts
            for criterion in verdict.criteria
        ],
    }
