"""An OpenAI-compatible endpoint with two kinds of models: `python -m peers.endpoint` prints its address.

`does nothing`, and the other names of `peers.plays`, are policies that play a script; `local` is a small real model.
"""

from __future__ import annotations

import asyncio
import json
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from crucible import parts
from crucible.acting import Ask, Teacher
from crucible.model import Observation, Step, ToolCall, ToolSpec
from crucible.settings import Settings
from peers.live_task import TASK
from peers.plays import PLAYS, list_calls


class Handler(BaseHTTPRequestHandler):
    """Answers chat completions."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        message = answer(request["model"], request["messages"], request.get("tools", []))
        choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if "tool_calls" in message else "stop"}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        whole = {"id": "1", "object": "chat.completion", "created": 0, "model": request["model"], "usage": usage}
        body = json.dumps({**whole, "choices": [choice]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        return


def answer(model: str, messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> dict[str, Any]:
    """The next message of a policy."""
    turn = sum(message["role"] == "assistant" for message in messages)
    if model in PLAYS:
        name, arguments = list_calls(PLAYS[model][0])[turn]
        return to_message(turn, (ToolCall(id="", name=name, arguments=json.dumps(arguments)),))
    reply = asyncio.run(load_local().reply(TASK, read_ask(messages, tools)))
    return to_message(turn, reply.calls, reply.text)


def to_message(turn: int, calls: tuple[ToolCall, ...], text: str = "") -> dict[str, Any]:
    listed = [
        {
            "id": f"call-{turn}-{at}",
            "type": "function",
            "function": {"name": call.name, "arguments": call.arguments},
        }
        for at, call in enumerate(calls)
    ]
    return {"role": "assistant", "content": text} | ({"tool_calls": listed} if listed else {})


def read_ask(messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> Ask:
    """The question that these messages are. Where no tools are named, calls are written as text."""
    specs = tuple(ToolSpec(does=tool["function"]["name"], **tool["function"]) for tool in tools)
    text_tools: tuple[ToolSpec, ...] = parts.find("scaffold", "text").make(0, ()).tools
    steps: list[Step] = []
    for message in messages[2:]:
        if message["role"] == "assistant":
            calls = [ToolCall(id=call["id"], **call["function"]) for call in message.get("tool_calls") or ()]
            steps.append(Step(text=message["content"] or "", calls=tuple(calls)))
        else:
            seen = Observation(call_id=message.get("tool_call_id", ""), content=message["content"])
            steps[-1] = steps[-1].model_copy(update={"observations": (*steps[-1].observations, seen)})
    return Ask(
        system=messages[0]["content"],
        prompt=messages[1]["content"],
        steps=tuple(steps),
        tools=specs or text_tools,
        form="native" if specs else "text",
    )


@cache
def load_local() -> Teacher:
    async def load() -> Teacher:
        async with parts.find("teacher", "local").make(Settings()) as teacher:
            return teacher  # type: ignore[no-any-return]

    return asyncio.run(load())


if __name__ == "__main__":
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        print(f"http://127.0.0.1:{server.server_port}/v1", flush=True)
        server.serve_forever()
