"""Faults that the tests notice: the merged state of a pull request, with one fault that breaks a few of its tests."""

from __future__ import annotations

import shlex
import time
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager

from crucible.domains.code.coverage import Lines, can_trace, run_traced
from crucible.domains.code.patches import changes
from crucible.domains.code.suite import Report, find_runner
from crucible.errors import Rejected
from crucible.mining import MiningContext
from crucible.record import Record
from crucible.sandbox import Sandbox
from pipelines.swe.model import Built, Candidate
from pipelines.swe.paths import sort_of
from pipelines.swe.rewards.measure import apply, lay_over, suite_in
from pipelines.swe.transforms.limits import limits
from pipelines.swe.transforms.mutate import can_mutate, mutants
from pipelines.swe.transforms.mutate.edit import Mutant

COMMIT = "git add -A && git -c user.name=x -c user.email=x@x commit -q --no-verify --allow-empty -m x"
LARGEST = 200_000

Places = Mapping[str, Collection[int]]
"""Lines by path."""


class Fault(Record):
    """A fault, the tests it breaks, and the patches that put it in and take it out."""

    mutant: Mutant
    broken: tuple[str, ...]
    patch: str
    undo: str
    log: str


@asynccontextmanager
async def merged(built: Built, context: MiningContext) -> AsyncIterator[Sandbox]:
    """A box with the change and its tests, committed."""
    async with context.world.open(built.candidate.env) as box:
        await apply(box, built.candidate.pull.patch)
        await lay_over(box, built.tests)
        await sure(box, COMMIT)
        yield box


async def noticed(built: Built, context: MiningContext, seed: str, only: Places | None = None) -> Fault:
    """A fault that breaks some tests and not too many, in the given lines (anywhere, when none are given)."""
    async with merged(built, context) as box:
        started = time.monotonic()
        whole, seen = await _healthy(box, built.candidate)
        waiting = patient(built.candidate, time.monotonic() - started)
        passing = {test for test in whole.outcomes if whole.passed(test)}
        for mutant in (await candidates(box, built, seed, seen, only))[: limits().tries]:
            fault = await _tried(box, waiting, mutant, passing)
            if fault is not None:
                return fault
    raise Rejected("no_fault_found", f"none of {limits().tries} faults breaks some tests and not most of them")


def patient(candidate: Candidate, seconds: float) -> Candidate:
    """Waited for not much longer than the tests took without a fault: many a fault is a loop without an end."""
    limit = min(candidate.suite.timeout, limits().patience * seconds + limits().patience_seconds)
    return candidate.model_copy(update={"suite": candidate.suite.model_copy(update={"timeout": limit})})


async def candidates(box: Sandbox, built: Built, seed: str, seen: Lines | None, only: Places | None) -> list[Mutant]:
    """Faults in lines that tests execute, those in files of the change first, one of each file in turn."""
    own = {change.path for change in changes(built.candidate.pull.patch)}
    paths = [path for path in await _sources(box) if _counts(seen, path) and _counts(only, path)]
    queues = []
    for path in sorted(paths, key=lambda path: (path not in own, path)):
        text = (await box.read(path)).decode("utf-8", "replace")
        found = mutants(path, text, seed) if len(text) < LARGEST else []
        queues.append([one for one in found if _counts(seen, path, one.line) and _counts(only, path, one.line)])
    return [queue[turn] for turn in range(limits().tries) for queue in queues if turn < len(queue)]


def _counts(places: Places | None, path: str, line: int = 0) -> bool:
    """Whether the file, or the line of it, is among the places; everything is when there are none."""
    return places is None or (line in places.get(path, ()) if line else bool(places.get(path)))


async def _healthy(box: Sandbox, candidate: Candidate) -> tuple[Report, Lines | None]:
    """What passes before any fault is there, and which lines are executed, where that can be seen."""
    paths = await _sources(box)
    runner = find_runner(candidate.suite.runner)
    report, seen = Report(), None
    if can_trace(candidate.suite, paths):
        async with box.fork() as other:
            report, seen = await run_traced(other, runner, candidate.suite, paths)
    if seen is None:
        async with box.fork() as other:
            report = await suite_in(other, candidate)
    if not report.complete or report.broken:
        raise Rejected("tests_do_not_run", report.broken or report.why)
    return report, seen


async def _tried(box: Sandbox, candidate: Candidate, mutant: Mutant, passing: set[str]) -> Fault | None:
    async with box.fork() as other:
        await other.write(mutant.path, mutant.text.encode())
        patch = await sure(other, f"git diff --full-index -- {shlex.quote(mutant.path)}")
        undo = await sure(other, f"git diff -R --full-index -- {shlex.quote(mutant.path)}")
        report = await suite_in(other, candidate)
    broken = tuple(sorted(test for test in passing if report.outcomes.get(test) == "failed"))
    few = 0 < len(broken) <= max(1, limits().broken_share * len(passing))
    if not report.complete or report.broken or not few:
        return None
    return Fault(mutant=mutant, broken=broken, patch=patch, undo=undo, log=report.log)


async def _sources(box: Sandbox) -> list[str]:
    listed = (await sure(box, "git ls-files -z")).split("\0")
    return [path for path in listed if path and sort_of(path) == "source" and can_mutate(path)]


async def sure(box: Sandbox, command: str) -> str:
    """What the command prints. Rejected when it cannot be done in this tree."""
    done = await box.exec(command)
    if not done.ok:
        raise Rejected("transform_failed", f"{command[:60]}: {done.err.strip()[-200:]}")
    return done.out
