"""Attempts of every shape, written in code, and a ledger that holds them judged."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from typing import Any

from crucible import parts
from crucible.errors import NothingToExport
from crucible.exporting import Judged, Ruling
from crucible.judging.judges import params_hash
from crucible.model import (
    Agent,
    Check,
    Criterion,
    Observation,
    Outcome,
    Provenance,
    Reference,
    Step,
    Task,
    Tokens,
    ToolCall,
    ToolSpec,
    Trajectory,
    Usage,
    Verdict,
)
from crucible.parts import verifier
from crucible.running.run import Run
from crucible.sandbox import Sandbox
from crucible.shards.manifest import Request
from crucible.stages import export
from crucible.store.item import Item

SHELL = ToolSpec(
    name="shell",
    does="shell",
    description="Run a command.",
    parameters={
        "type": "object",
        "properties": {"command": {"type": "string", "description": "What to run.", "x-is": "cmd"}},
        "required": ["command"],
    },
)
EXACT = '{ "command" :"printf \'%.17g\' 0.1234567890123456",\n "n": 1234567890123456789, "e": 1.50 }'
"""Arguments that no parser gives back as they were."""


@verifier("told", layer="function")
async def told(task: Task, trajectory: Trajectory, box: Sandbox) -> AsyncIterator[Criterion]:
    """Finds what the test says."""
    yield Criterion(name="told", passed=True, evidence="told")


def task(number: int = 0, **fields: Any) -> Task:
    given = {
        "domain": "swe",
        "kind": "bugfix",
        "instruction": f"Mend number {number}.",
        "checks": (Check(verifier="told"),),
        "reference": Reference(patch="the answer, which nobody may see"),
        "provenance": Provenance(source=f"git:shelf#{number}", licence="MIT", url="https://example.org/shelf"),
    }
    return Task(**given | fields)


def attempt(of: Task, *steps: Step, seed: int = 0, **fields: Any) -> Trajectory:
    agent = Agent(scaffold="native", teacher="openai", options={"model": "m"}, seed=seed)
    given = {"system": "You mend.", "prompt": of.instruction, "tools": (SHELL,), "ended": "submitted", "steps": steps}
    return Trajectory(**{"task_id": of.id, "agent": agent} | given | fields)


def call(id: str, arguments: str = '{"command": "ls"}', name: str = "shell") -> ToolCall:
    return ToolCall(id=id, name=name, arguments=arguments)


def step(thinking: str, text: str, *calls: ToolCall, says: Iterable[str] = (), **fields: Any) -> Step:
    seen = [Observation(call_id=one.id, content=f"output of {one.id}") for one in calls]
    nudges = [Observation(call_id="", content=content) for content in says]
    return Step(thinking=thinking, text=text, calls=calls, observations=(*seen, *nudges), **fields)


def shapes(of: Task) -> dict[str, Trajectory]:
    """One attempt of each shape, each with its own id."""
    sampled = Tokens(prompt_ids=(1, 2), completion_ids=(3, 4), logprobs=(-0.1, -0.2))
    clocks = {"seconds": 12.25, "usage": Usage(prompt_tokens=7, completion_tokens=3, cost_usd=0.125)}
    whole = {
        "native": (
            step("first I look", "Looking.", call("a", EXACT), tokens=sampled, **clocks),
            step("then I mend", "", call("b", '{"command": "mend \\"it\\" Grüße 🚀"}')),
        ),
        "parallel": (step("two at once", "Both.", call("a"), call("b", '{"command": "pwd"}')), step("", "Done.")),
        "malformed": (step("hasty", "", call("a", '{"command": "ls"')), step("again", "", call("b", "[1]"))),
        "mistaken": (step("hasty", "", call("a", '{"command": "ls"')), step("again", "Right.", call("b"))),
        "nudged": (
            step("I forget to call", "I am done.", says=["Go on by calling a tool."]),
            step("so I call", "", call("a")),
        ),
        "text": (
            step("I write it", '```call shell\n{"command": "ls"}\n```', call("call-0-0")),
            step("and the end", '```call submit\n{"answer": "x"}\n```', call("call-1-0", '{"answer": "x"}', "submit")),
        ),
        "hostile": (
            step(
                "<script>alert(1)</script>",
                "\x1b[2J</td>{{ 7*7 }}<|im_end|>",
                call("a", '{"command": "\\ud800\\u0000"}'),
            ),
            step("\u202enul \0 here", "ends", call("b", '{"x": ' + "[" * 5000 + "]" * 5000 + "}")),
        ),
    }
    return {
        name: attempt(of, *steps, seed=number, form="text" if name == "text" else "native")
        for number, (name, steps) in enumerate(whole.items())
    }


def verdict(of: Task, on: Trajectory, outcome: Outcome = "pass", score: float = 1.0) -> Verdict:
    check = of.checks[0]
    part = parts.find("verifier", check.verifier)
    return Verdict(
        trajectory_id=on.id,
        trajectory_digest=on.digest,
        verifier=part.name,
        version=part.version,
        params_hash=params_hash(check),
        outcome=outcome,
        score=score,
        seconds=3.5,
    )


def accepted(of: Task, on: Trajectory) -> Judged:
    found = verdict(of, on)
    ruling = Ruling(*(getattr(found, name) for name in Ruling._fields[:-1]), body=found.model_dump_json())
    return Judged.of(of, on, ruling)


def keep(run: Run, of: Task, *attempts: Trajectory, outcome: Outcome = "pass", score: float = 1.0) -> None:
    """Put a task and attempts at it into the ledger, judged."""
    run.ledger.put([Item.of("task", of, pipeline=of.domain)])
    run.ledger.put([Item.of("trajectory", one, pipeline=of.domain) for one in attempts])
    for one in attempts:
        run.ledger.keep_verdict(verdict(of, one, outcome, score))


async def export_counting(run: Run, format: str, out: Path) -> dict[str, int]:
    """Export, and count what was left out, also where that is all there is."""
    try:
        return dict((await export(run, Request(format=format), out)).counts.left_out)
    except NothingToExport as nothing:
        return nothing.left_out
