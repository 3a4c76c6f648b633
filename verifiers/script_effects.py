"""A script does in folders that its author has not seen what the reference does there."""

from __future__ import annotations

from collections.abc import AsyncIterator
from posixpath import join

from crucible.domains.terminal.comparing import Case, ScriptParams, compare_effects, ending_sentence
from crucible.domains.terminal.trials import Outcome, Trial, clear_scenes, run_trials
from crucible.model import Criterion, Task, Trajectory
from crucible.parts import verifier
from crucible.sandbox import Sandbox


@verifier("script-effects", layer="function", version=4, tidies=True)
async def script_effects(
    task: Task, trajectory: Trajectory, box: Sandbox, *, params: ScriptParams
) -> AsyncIterator[Criterion]:
    """The script ends, and prints and leaves what the reference does, in every scene."""
    script = join(task.env.workdir, params.script)
    try:
        there = (await box.stat(script)).kind == "file"
    except FileNotFoundError:
        there = False
    yield Criterion(
        name=f"{params.script} is there", passed=there, evidence=script if there else f"{script} is no file", gate=True
    )
    outcomes = await run_trials(
        box, [Trial(script, case.scene, leaves_processes=True) for case in params.cases], params.seconds
    )
    await clear_scenes(box)
    for number, (case, outcome) in enumerate(zip(params.cases, outcomes, strict=True), start=1):
        for criterion in _judge_case(number, case, outcome, params):
            yield criterion


def _judge_case(number: int, case: Case, outcome: Outcome, params: ScriptParams) -> list[Criterion]:
    """One criterion for the script's end, and one for each demand."""
    where = f"in {'a hidden folder' if case.hidden else f'example {number}'}"
    said = f"\nIt ended with code {outcome.done.code}: {outcome.done.err[-500:]}" if outcome.done.err else ""
    late = f"\nIt was stopped: {outcome.done.stopped}" if outcome.done.stopped else ""
    ended = Criterion(
        name=f"{where}: {ending_sentence(params.seconds)}",
        passed=not outcome.done.stopped,
        evidence=late.strip() or f"it ended with code {outcome.done.code}",
    )
    return [
        ended,
        *(
            Criterion(
                name=f"{where}: {difference.demand.sentence}",
                passed=not difference.evidence,
                evidence=(difference.evidence + said + late) if difference.evidence else "as the reference does",
            )
            for difference in compare_effects(case, outcome.effect, params.demands)
        ),
    ]
