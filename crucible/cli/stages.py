"""The verbs that do the work: demo, mine, validate, rollout, verify, calibrate, sample. Each wraps a stage."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Annotated

import typer

from crucible import parts
from crucible.cli.options import get_options
from crucible.errors import SettingsError
from crucible.record import Json, Record
from crucible.running.run import Run

WHICH_TASKS = "Which tasks, for example: task.kind == 'bugfix' and proof.plan == 'reference'."
NOTHING_TO_DO = {
    "validate": "no draft waits to be proven -> `crucible mine PIPELINE` makes some",
    "rollout": "no sound task waits for an attempt -> `crucible validate` proves drafts; a task that this teacher has"
    " attempted gets more attempts by --samples",
    "verify": "no attempt waits to be judged -> `crucible rollout --teacher NAME` makes some",
}
"""What a stage that had nothing to do tells, and what would give it work."""
NOTHING_NEW = "nothing new was collected -> --anew reads from the beginning, `crucible list raw` has what there is"
SET_ASIDE = 6
"""Exit code of work that came to its end, but not for every item."""


def add_to(app: typer.Typer) -> None:
    app.command(epilog="Example: crucible demo")(demo)
    app.command(epilog="Example: crucible mine swe --from ./some-clone --limit 20")(mine)
    app.command(epilog="Example: crucible validate")(validate)
    app.command(epilog="Example: crucible rollout --teacher openai --samples 4 --set teacher.model=NAME")(rollout)
    app.command(epilog="Example: crucible verify --stale")(verify)
    app.command(epilog="Example: crucible calibrate --solver openai --attempts 8")(calibrate)
    app.command(epilog="Example: crucible sample terminal --size 200 --seed 1")(sample)


def demo(context: typer.Context) -> None:
    """Run the sample data through every pipeline. In real engines, to verdicts and a report."""
    from crucible import stages

    _run_stage(context, stages.demo)


def mine(
    context: typer.Context,
    pipeline: Annotated[str, typer.Argument(help="Which pipeline; `crucible parts` lists them.")],
    origin: Annotated[str | None, typer.Option("--from", help="Where from; left out: its sample data.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="At most so many new raw items.")] = None,
    source: Annotated[str | None, typer.Option(help="Who reads it; left out: told by where it is from.")] = None,
    anew: Annotated[bool, typer.Option("--anew", help="From the beginning, not from where it stopped.")] = False,
) -> None:
    """Turn raw material into draft tasks. Every item that is dropped leaves a reason."""
    from crucible import stages

    parts.find("pipeline", pipeline)
    if source:
        parts.find("source", source)
    _run_stage(context, lambda run: stages.mine(run, pipeline, origin, limit, source, anew))


def validate(context: typer.Context) -> None:
    """Prove drafts sound. Oracle passes, nop fails, cheats fail, the same over repeated runs."""
    from crucible import stages

    _run_stage(context, stages.validate)


def rollout(
    context: typer.Context,
    teacher: Annotated[str, typer.Option(help="Who attempts; `crucible parts` lists them.")],
    samples: Annotated[int, typer.Option(min=1, help="Attempts at each task.")] = 1,
    scaffold: Annotated[str, typer.Option(help="How the teacher is spoken to.")] = "",
    option: Annotated[list[str] | None, typer.Option(help="For the teacher: key=value. Repeatable.")] = None,
    where: Annotated[str, typer.Option(help=WHICH_TASKS)] = "",
) -> None:
    """Let a teacher attempt every sound task, or those that a filter lets through."""
    from crucible import stages
    from crucible.stages.rollout import WantedAttempts

    parts.find("teacher", teacher)
    options = dict(_parse_option(text) for text in option or ())
    wanted = WantedAttempts(teacher=teacher, samples=samples, scaffold=scaffold, options=options, where=where)
    _run_stage(context, lambda run: stages.rollout(run, wanted))


def calibrate(
    context: typer.Context,
    solver: Annotated[str, typer.Option(help="The teacher whose attempts are counted.")],
    attempts: Annotated[int, typer.Option(min=1, help="At each task.")] = 4,
    where: Annotated[str, typer.Option(help=WHICH_TASKS)] = "",
    session: Annotated[str, typer.Option(help="Another name counts anew.")] = "calibration",
    option: Annotated[list[str] | None, typer.Option(help="For the solver: key=value. Repeatable.")] = None,
) -> None:
    """Measure how hard each task is. By how often a solver solves it; tasks stay as they are."""
    from crucible import stages

    parts.find("teacher", solver)
    options = dict(_parse_option(text) for text in option or ())
    _run_stage(context, lambda run: stages.calibrate(run, solver, attempts, where, session, options))


def sample(
    context: typer.Context,
    pipeline: Annotated[str, typer.Argument(help="Whose tasks; `crucible parts` lists the pipelines.")],
    size: Annotated[int, typer.Option(min=1, help="At most so many tasks.")] = 100,
    seed: Annotated[int, typer.Option(help="The same seed draws the same tasks.")] = 0,
    target: Annotated[str, typer.Option(help="The file with the shares; left out: the pipeline's own.")] = "",
    where: Annotated[str, typer.Option(help=WHICH_TASKS)] = "",
) -> None:
    """Draw sound tasks to a target. By categories and difficulty; filters then ask for `draw.kept`."""
    from crucible import stages

    line = parts.find("pipeline", pipeline).make()
    _run_stage(context, lambda run: stages.sample(run, line, size, seed, target, where))


def verify(
    context: typer.Context,
    stale: Annotated[bool, typer.Option("--stale", help="Also what an older version of a verifier judged.")] = False,
) -> None:
    """Judge attempts, cheap checks first. Every verdict carries its evidence."""
    from crucible import stages

    _run_stage(context, lambda run: stages.verify(run, stale))


def _run_stage(context: typer.Context, stage: Callable[[Run], Awaitable[Record]]) -> None:
    chosen = get_options(context)
    with chosen.run() as run:
        summary = asyncio.run(_await_stage(stage, run))
        chosen.emit(summary)
    if hint := _explain_idleness(summary):
        typer.echo(f"crucible: {hint}", err=True)
    if aside := _count_set_aside(summary):
        typer.echo(f"crucible: {aside} set aside as errors -> `crucible list --state error`, then run again", err=True)
        raise typer.Exit(SET_ASIDE)


def _explain_idleness(summary: Record) -> str:
    """Why nothing was done, where nothing was."""
    from crucible.stages.drain import Tally
    from crucible.stages.mine import Mined

    if isinstance(summary, Tally):
        return "" if summary.worked else NOTHING_TO_DO[summary.stage]
    is_idle = isinstance(summary, Mined) and not (summary.collected or any(tally.worked for tally in summary.stages))
    return NOTHING_NEW if is_idle else ""


def _count_set_aside(summary: Record) -> int:
    """How many items ended in an error, over all stages that the summary counts."""
    return sum(getattr(stage, "errors", 0) for stage in getattr(summary, "stages", (summary,)))


async def _await_stage(stage: Callable[[Run], Awaitable[Record]], run: Run) -> Record:
    return await stage(run)


def _parse_option(text: str) -> tuple[str, Json]:
    """`temperature=0.7`: the value as JSON if it is, else as text."""
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise SettingsError(f"--option {text}: expected key=value", "for example --option temperature=0.7")
    try:
        parsed: Json = json.loads(value)
    except ValueError:
        return key, value
    return key, parsed
