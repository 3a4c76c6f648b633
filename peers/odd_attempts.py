"""A small made-up ledger with every odd case, exported in every format: `python -m peers.odd_attempts FOLDER`. In the
folder `one-call` lie the same exports with one call in each turn, for chat templates that take no more.

Whatever an agent says, is told or is shown holds a word of its own, so that a check can count what is trained:
`said-...` is learnt exactly once, `seen-...` never, `wrong-...` stands in a call that is not JSON.
"""

from __future__ import annotations

import asyncio
import struct
import sys
import zlib
from pathlib import Path

from crucible import parts
from crucible.errors import NothingToExport
from crucible.judging.judges import params_hash
from crucible.model import Agent, Check, Observation, Step, Task, ToolCall, ToolSpec, Trajectory, Verdict
from crucible.running.run import Run, open_run
from crucible.settings import Settings
from crucible.shards.manifest import Request
from crucible.stages import export
from crucible.store.item import Item

ONE_CALL = "one-call"
"""The folder of the exports that have one call in each turn."""
CHECK = Check(verifier="suite")
SHELL = ToolSpec(
    name="shell",
    does="shell",
    description="Run a command.",
    parameters={"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]},
)
SUBMIT = ToolSpec(name="submit", does="submit", description="Hand in.", parameters={"type": "object", "properties": {}})


def main(folder: Path) -> None:
    with open_run(Settings(home=folder / "home")) as run:
        for name, steps in odd_cases().items():
            keep_attempt(run, name, steps)
            keep_attempt(run, name, (Step(text="wrong-turn-0-text"),), passed=False)
        for part in parts.every("exporter"):
            export_if_any(run, Request(format=part.name), folder / part.name)
            if part.shape == "parquet" and part.per == "trajectory":
                export_if_any(run, Request(format=part.name, one_call_per_turn=True), folder / ONE_CALL / part.name)
    export_pictures(folder)


def export_pictures(folder: Path) -> None:
    """A ledger of its own for pictures, which few formats and models take."""
    with open_run(Settings(home=folder / "home-of-pictures")) as run:
        [shown, answered] = say("shown", 0, calls=1), say("shown", 1)
        picture = run.blobs.put(make_picture())
        seen = shown.observations[0].model_copy(update={"images": (picture,)})
        keep_attempt(run, "shown", (shown.model_copy(update={"observations": (seen,)}), answered))
        asyncio.run(export(run, Request(format="trl-vision"), folder / "trl-vision"))


def make_picture(side: int = 64) -> bytes:
    """A grey square, as PNG."""
    header = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    lines = zlib.compress((b"\0" + b"\x80" * side) * side)
    chunks = [
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in ((b"IHDR", header), (b"IDAT", lines), (b"IEND", b""))
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def export_if_any(run: Run, request: Request, out: Path) -> None:
    """Export, where the format has a place for any of the attempts."""
    try:
        asyncio.run(export(run, request, out))
    except NothingToExport as nothing:
        print(request.format, nothing)


def odd_cases() -> dict[str, tuple[Step, ...]]:
    """The attempts' steps by what is odd in them."""
    return {
        "plain": (say("plain", 0, calls=1), say("plain", 1, calls=1), say("plain", 2)),
        "parallel": (say("parallel", 0, calls=2), say("parallel", 1)),
        "silent": (say("silent", 0, calls=1, thinks=False), say("silent", 1, calls=1)),
        "nudged": (
            say("nudged", 0, nudge=True),
            say("nudged", 1, calls=1),
            say("nudged", 2, nudge=True),
            say("nudged", 3),
        ),
        "malformed": (say("malformed", 0, calls=1), call_wrongly("malformed", 1), say("malformed", 2, calls=1)),
        "text": (say("text", 0, nudge=True), say("text", 1, nudge=True), say("text", 2)),
    }


def say(case: str, turn: int, *, calls: int = 0, thinks: bool = True, nudge: bool = False) -> Step:
    """One answer: thinking, text and calls, each with a word of its own, and what comes back."""
    made = tuple(
        ToolCall(id=f"call-{turn}-{n}", name="shell", arguments=f'{{"command": "said-{case}-{turn}-call{n}"}}')
        for n in range(calls)
    )
    seen = tuple(Observation(call_id=call.id, content=f"seen-{case}-{turn}-{n}") for n, call in enumerate(made))
    if nudge:
        seen += (Observation(call_id="", content=f"seen-{case}-{turn}-nudge"),)
    thinking = f"said-{case}-{turn}-thought" if thinks else ""
    return Step(thinking=thinking, text=f"said-{case}-{turn}-text", calls=made, observations=seen)


def call_wrongly(case: str, turn: int) -> Step:
    """An answer whose call is not JSON."""
    call = ToolCall(id=f"call-{turn}-0", name="shell", arguments=f'{{"command": "wrong-{case}-{turn}')
    seen = Observation(call_id=call.id, content=f"seen-{case}-{turn}-0")
    return Step(
        thinking=f"wrong-{case}-{turn}-thought", text=f"wrong-{case}-{turn}-text", calls=(call,), observations=(seen,)
    )


def keep_attempt(run: Run, case: str, steps: tuple[Step, ...], passed: bool = True) -> None:
    """Put a task and a judged attempt at it into the ledger."""
    task = Task(domain="swe", kind="bugfix", instruction=f"seen-{case}-instruction", checks=(CHECK,))
    agent = Agent(scaffold=case, teacher="openai", options={"model": "made-up"}, seed=int(passed))
    form = "text" if case == "text" else "native"
    attempt = Trajectory(
        task_id=task.id,
        agent=agent,
        system=f"seen-{case}-system",
        prompt=task.instruction,
        tools=(SHELL, SUBMIT),
        form=form,
        steps=steps,
        ended="submitted",
    )
    suite = parts.find("verifier", CHECK.verifier)
    run.ledger.put([Item.of("task", task, pipeline="swe"), Item.of("trajectory", attempt, pipeline="swe")])
    run.ledger.keep_verdict(
        Verdict(
            trajectory_id=attempt.id,
            trajectory_digest=attempt.digest,
            verifier=suite.name,
            version=suite.version,
            params_hash=params_hash(CHECK),
            outcome="pass" if passed else "fail",
            score=float(passed),
        )
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
