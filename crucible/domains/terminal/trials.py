"""Runs a script in scenes within a box, and observes what it did there, out of the script's reach."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import NamedTuple

from crucible.domains.terminal.scenes import Effect, Scene, pack_scenes, read_entries
from crucible.errors import SandboxError
from crucible.sandbox import Done, Sandbox

FOLDER = "/tmp/scenes"
"""Where the scenes lie in the box."""
SECONDS = 10.0
"""How long a script may take in one scene."""
ENVIRONMENT = "LC_ALL=C.UTF-8 TZ=UTC"


class Trial(NamedTuple):
    """A script to be run in a scene."""

    script: str
    """Its path in the box."""
    scene: Scene
    leaves_processes: bool = False
    """Whether what it left running has to end before the next: a server holds its port."""


class Outcome(NamedTuple):
    """What a trial came to: the effect, and how the command itself ended."""

    effect: Effect
    done: Done


async def run_trials(box: Sandbox, trials: Sequence[Trial], seconds: float = SECONDS) -> list[Outcome]:
    """Run each script in a scene of its own, one after the other; what they leave is looked at when none runs any more,
    through the engine."""
    await _lay_scenes(box, [trial.scene for trial in trials])
    runs = []
    for number, trial in enumerate(trials):
        runs.append(await _run(box, trial.script, number, seconds))
        if trial.leaves_processes:
            await box.end_processes()
    await box.end_processes()
    remains = await box.collect()
    archive = remains.archive
    return [
        Outcome(
            Effect(
                code=done.code,
                out=done.out,
                entries=read_entries(archive, f"{FOLDER}/{number}") if archive is not None else {},
            ),
            done,
        )
        for number, done in enumerate(runs)
    ]


async def _lay_scenes(box: Sandbox, scenes: Sequence[Scene]) -> None:
    archive = f"{FOLDER}.tar"
    await box.write(archive, pack_scenes(scenes))
    clear = f"chmod -R u+rwX {FOLDER} 2>/dev/null; rm -rf {FOLDER}"
    unpack = f"mkdir -p {FOLDER} && tar -C {FOLDER} -xpf {archive} && rm {archive}"
    done = await box.exec(f"{clear}; {unpack}", timeout=60)
    if not done.ok:
        raise SandboxError(f"the scenes cannot be laid: {done.err[-300:]}")


async def _run(box: Sandbox, script: str, number: int, seconds: float) -> Done:
    command = f"cd {FOLDER}/{number} && {ENVIRONMENT} bash {shlex.quote(script)} < {FOLDER}/{number}.in"
    return await box.exec(command, timeout=seconds)
