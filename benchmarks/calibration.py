"""Eight attempts at a task, calibrated, beside one attempt and its tests: `python -m benchmarks.calibration`.

The solver writes its script after as long as a model takes to answer. Both are timed in the same run, on the same task
and with images and boxes as they are by then; each calibration has a session of its own, so that nothing is reused.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from rich.console import Console
from rich.table import Table

from agents.teachers.player import Player, open_player
from agents.translation import Call, Turn
from crucible import parts
from crucible.acting import Ask, TeacherRun
from crucible.domains.terminal.comparing import Case, Demand, ScriptParams
from crucible.domains.terminal.scenes import Effect, Entry, Scene
from crucible.model import Check, Task
from crucible.parts import teacher
from crucible.running.run import Run, open_run
from crucible.sandbox import Env, Recipe
from crucible.settings import Settings
from crucible.stages.calibrate import calibrate
from crucible.store.item import Item

ATTEMPTS = 8
WANTED = 3.0
ANSWER_SECONDS = 2.0
"""What a model takes for one answer; a hosted one seldom takes less."""
WRITE = "sleep {seconds}; printf 'sort names.txt\\n' > solution.sh"


@teacher("benchmark.solver")
def solver(settings: TeacherRun) -> AbstractAsyncContextManager[Player]:
    """Solves the task in one step that takes as long as an answer of a model."""

    def play(task: Task, ask: Ask) -> list[Turn]:
        write = Call(tool="shell", arguments={"command": WRITE.format(seconds=ANSWER_SECONDS)})
        return [Turn(calls=(write,))]

    return open_player(play, settings)


def make_task() -> Task:
    """Names are to be printed in order, in three folders."""
    cases = tuple(
        Case(
            scene=Scene(entries={"names.txt": Entry(text=text)}),
            expected=Effect(
                code=0, out="".join(sorted(text.splitlines(True))), entries={"names.txt": Entry(text=text)}
            ),
            hidden=number == 2,
        )
        for number, text in enumerate(("b\na\n", "d\nc\n", "z\ny\n"))
    )
    params = ScriptParams(demands=(Demand(about="output", sentence="It prints the names in order."),), cases=cases)
    return Task(
        domain="terminal",
        kind="script",
        instruction="It prints the names in order.",
        env=Env(recipe=Recipe(packages=("bash",)), leaves="layer"),
        checks=(Check(verifier="script-effects", params=params.model_dump(mode="json")),),
    )


async def measure(run: Run, attempts: int, session: str) -> float:
    """Seconds of a calibration with so many attempts, all of which must be solved."""
    started = time.monotonic()
    done = await calibrate(run, "benchmark.solver", attempts, session=session)
    assert [row.passed for row in done.tasks] == [f"{attempts} of {attempts}"], done
    return time.monotonic() - started


async def main() -> None:
    parts.find("env", "docker")
    with tempfile.TemporaryDirectory() as name, open_run(Settings(home=Path(name))) as run:
        run.ledger.put([Item.of("task", make_task(), pipeline="terminal")])
        await measure(run, 1, "warm")
        one = await measure(run, 1, "one")
        eight = await measure(run, ATTEMPTS, "eight")
    table = Table("what", "seconds", "against", "", "ratio", "wanted", box=None)
    ratio = eight / one
    verdict = f"under {WANTED}" if ratio < WANTED else f"NOT under {WANTED}"
    table.add_row(f"{ATTEMPTS} attempts", f"{eight:.1f}", "one attempt", f"{one:.1f}", f"{ratio:.2f}", verdict)
    Console().print(table)


if __name__ == "__main__":
    asyncio.run(main())
