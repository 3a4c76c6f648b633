"""A streamed answer put together again: thinking, text, calls, tokens and usage, whatever the endpoint calls them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from agents.text import clean
from crucible.acting import Reply
from crucible.model import Tokens, ToolCall, Usage

Hide = Callable[[str], str]


@dataclass
class PartialCall:
    """A call of which pieces have arrived."""

    id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass
class Answer:
    """What has arrived so far."""

    thinking: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    calls: dict[int, PartialCall] = field(default_factory=dict)
    prompt_ids: list[int] = field(default_factory=list)
    completion_ids: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    usage: Usage | None = None
    finished: bool = False
    """The endpoint said why it stopped. Without that the connection was cut, however politely."""

    def take(self, chunk: Any) -> None:
        """One chunk. Its choices may be empty: the last one often carries only the usage."""
        if chunk.usage is not None:
            self.usage = _usage(chunk.usage)
        self.prompt_ids += _extra(chunk, "prompt_token_ids") or []
        for choice in chunk.choices or ():
            self._choice(choice)

    def received(self) -> int:
        """Characters so far, for an estimate of what they cost."""
        calls = sum(len(call.name) + len(call.arguments) for call in self.calls.values())
        return calls + sum(map(len, self.text)) + sum(map(len, self.thinking))

    def reply(self, usage: Usage, hide: Hide) -> Reply:
        """The answer as a record."""
        return Reply(
            thinking=clean(hide("".join(self.thinking))),
            text=clean(hide("".join(self.text))),
            calls=tuple(_call(self.calls[index], hide) for index in sorted(self.calls)),
            usage=usage,
            tokens=self._tokens(),
        )

    def _choice(self, choice: Any) -> None:
        self.finished = self.finished or choice.finish_reason is not None
        if choice.delta is not None:
            self.thinking.append(_thinking(choice.delta))
            self.text.append(choice.delta.content or "")
            for piece in choice.delta.tool_calls or ():
                self._piece(piece)
        sampled = (choice.logprobs and choice.logprobs.content) or ()
        self.logprobs += [token.logprob for token in sampled]
        named = [_extra(token, "id") for token in sampled]
        self.completion_ids += _extra(choice, "token_ids") or [one for one in named if one is not None]

    def _piece(self, piece: Any) -> None:
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


def _thinking(delta: Any) -> str:
    """The same thought comes under up to three names; it is taken once."""
    for name in ("reasoning_content", "reasoning"):
        if isinstance(said := _extra(delta, name), str):
            return said
    details = _extra(delta, "reasoning_details") or ()
    return "".join(one.get("text") or one.get("summary") or "" for one in details if isinstance(one, dict))


def _extra(record: Any, name: str) -> Any:
    """A field the library does not know of."""
    return (record.model_extra or {}).get(name)


def _call(call: PartialCall, hide: Hide) -> ToolCall:
    return ToolCall(id=clean(call.id), name=clean(call.name), arguments=clean(hide(call.arguments)) or "{}")


def _usage(usage: Any) -> Usage:
    details = usage.prompt_tokens_details
    return Usage(
        prompt_tokens=usage.prompt_tokens or 0,
        completion_tokens=usage.completion_tokens or 0,
        cached_tokens=(details and details.cached_tokens) or 0,
    )
