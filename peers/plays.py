"""What a scripted policy does at the task of `peers.live_task`, and the reward it must get. Imported by the tools' own
environments too, so it needs nothing but Python."""

from __future__ import annotations

import json
from collections.abc import Callable

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
