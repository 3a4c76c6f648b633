"""What a scripted policy does at the task of `peers.live_task`, and the reward it must get. Imported by the tools' own
environments too, so it needs nothing but Python."""

from __future__ import annotations

import json
import os
import urllib.request
from collections.abc import Callable
from typing import Any

FORMATS = ("skyrl", "verl-rl", "verifiers")

PLAYS: dict[str, tuple[tuple[str, ...], float]] = {
    "mends": (("cat calc.py", "sed -i 's/ + 1$//' calc.py"), 1.0),
    "does nothing": (("ls",), 0.0),
    "rewrites the tests": (("printf 'def test_double():\\n    pass\\n' > tests/test_calc.py",), 0.0),
}
"""By name: the commands it runs, one in each answer, and the reward that this is worth."""


def list_calls(commands: tuple[str, ...]) -> list[tuple[str, dict[str, str]]]:
    """The calls of a policy that runs these commands and hands in."""
    return [*(("shell", {"command": command}) for command in commands), ("submit", {})]


def write_call(name: str, arguments: dict[str, str]) -> str:
    """A call in the text of an answer, as the scaffold `text` has it."""
    return f"I think.\n\n```call {name}\n{json.dumps(arguments)}\n```"


def try_plays(tool: str, format: str, play: Callable[[tuple[str, ...]], float]) -> None:
    """Print a line for each play: whether the tool's rollout got the reward that it must."""
    for name, (commands, wanted) in PLAYS.items():
        try:
            reward = play(commands)
            found = {"ok": reward == wanted, "seen": f"reward {reward}"}
        except Exception as fault:  # the tool's own refusal is the finding
            found = {"ok": False, "seen": f"{type(fault).__name__}: {fault}"[:300]}
        print(json.dumps({"tool": tool, "format": format, "template": name, **found}), flush=True)


def try_real_policy(tool: str, format: str, play: Callable[[], tuple[int, float]]) -> None:
    """Print a line for a rollout of a small real model: it came to its end and was judged, whatever it is worth."""
    try:
        turns, reward = play()
        found = {"ok": turns > 0, "seen": f"{turns} turns, reward {reward}"}
    except Exception as fault:  # the tool's own refusal is the finding
        found = {"ok": False, "seen": f"{type(fault).__name__}: {fault}"[:300]}
    print(json.dumps({"tool": tool, "format": format, "template": "SmolLM2-135M", **found}), flush=True)


def ask_real_policy(messages: list[dict[str, Any]], tools: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    """The next message of the small real model of `peers.endpoint`."""
    body = json.dumps({"model": "local", "messages": messages, "tools": tools or []}).encode()
    request = urllib.request.Request(f"{os.environ['ENDPOINT']}/chat/completions", body)
    with urllib.request.urlopen(request, timeout=600) as answer:
        message: dict[str, Any] = json.load(answer)["choices"][0]["message"]
    return message
