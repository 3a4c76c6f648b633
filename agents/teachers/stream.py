"""A streamed answer put together again: thinking, text, calls, tokens and usage, whatever the endpoint calls them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from agents.text import clean
from crucible.acting import Reply
from crucible.model import Tokens, ToolCall, Usage

Hide = Callable[[str], str]
"""Takes secrets out of a text."""


@dataclass
class PartialCall:
    """A call of which pieces have arrived."""

    id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass
class StreamedAnswer:
    """What has arrived of one answer so far."""

    thinking: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    calls: dict[int, PartialCall] = field(default_factory=dict)
    prompt_ids: list[int] = field(default_factory=list)
    completion_ids: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    usage: Usage | None = None
    model: str = ""
    """Who answers, and the endpoint's fingerprint of the version where it gives one."""
    finish: str = ""
    """Why the endpoint stopped writing. Without that the connection was cut, however politely."""

    def add_chunk(self, chunk: Any) -> None:
        """Add one chunk of the stream. It may have no choices: the last one often carries only the usage."""
        if chunk.usage is not None:
            self.usage = _to_usage(chunk.usage)
        if name := getattr(chunk, "model", None):
            self.model = " ".join(filter(None, (name, getattr(chunk, "system_fingerprint", None))))
        self.prompt_ids += _extra_field(chunk, "prompt_token_ids") or []
        for choice in chunk.choices or ():
            self._add_choice(choice)

    def count_characters(self) -> int:
        """How many characters have arrived, for an estimate of what they cost."""
        calls = sum(len(call.name) + len(call.arguments) for call in self.calls.values())
        return calls + sum(map(len, self.text)) + sum(map(len, self.thinking))

    def to_reply(self, usage: Usage, hide: Hide) -> Reply:
        """The answer as a record, its texts passed through `hide`."""
        return Reply(
            thinking=clean(hide("".join(self.thinking))),
            text=clean(hide("".join(self.text))),
            calls=tuple(_to_tool_call(self.calls[index], hide) for index in sorted(self.calls)),
            usage=usage,
            tokens=self._tokens(),
            model=clean(hide(self.model)),
            finish=clean(self.finish),
        )

    def _add_choice(self, choice: Any) -> None:
        self.finish = self.finish or choice.finish_reason or ""
        if choice.delta is not None:
            self.thinking.append(_thinking_text(choice.delta))
            self.text.append(choice.delta.content or "")
            for piece in choice.delta.tool_calls or ():
                self._add_call_piece(piece)
        sampled = (choice.logprobs and choice.logprobs.content) or ()
        self.logprobs += [token.logprob for token in sampled]
        ids = [_extra_field(token, "id") for token in sampled]
        self.completion_ids += _extra_field(choice, "token_ids") or [id for id in ids if id is not None]

    def _add_call_piece(self, piece: Any) -> None:
        call = self.calls.setdefault(piece.index or 0, PartialCall())
        call.id = call.id or piece.id or ""
        if piece.function is not None:
            call.name += piece.function.name or ""
            call.arguments += piece.function.arguments or ""

    def _tokens(self) -> Tokens:
        return Tokens(
            prompt_ids=tuple(self.prompt_ids),
            completion_ids=tuple(self.completion_ids),
            logprobs=tuple(self.logprobs),
        )


def _thinking_text(delta: Any) -> str:
    """The thinking in one piece of an answer. It may come under three names at once; the first one counts."""
    for name in ("reasoning_content", "reasoning"):
        if isinstance(thinking := _extra_field(delta, name), str):
            return thinking
    details = _extra_field(delta, "reasoning_details") or ()
    return "".join(part.get("text") or part.get("summary") or "" for part in details if isinstance(part, dict))


def _extra_field(record: Any, name: str) -> Any:
    """A field that the endpoint sent and the `openai` library does not know; None when it is not there."""
    return (record.model_extra or {}).get(name)


def _to_tool_call(call: PartialCall, hide: Hide) -> ToolCall:
    return ToolCall(id=clean(call.id), name=clean(call.name), arguments=clean(hide(call.arguments)) or "{}")


def _to_usage(usage: Any) -> Usage:
    details = usage.prompt_tokens_details
    return Usage(
        prompt_tokens=usage.prompt_tokens or 0,
        completion_tokens=usage.completion_tokens or 0,
        cached_tokens=(details and details.cached_tokens) or 0,
    )
