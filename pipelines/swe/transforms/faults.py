"""Faults that the tests notice: the merged state of a pull request, with one fault that breaks a few of its tests."""

from __future__ import annotations

import shlex
import time
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager

from crucible.domains.code.coverage import Lines, can_trace, run_traced
from crucible.domains.code.mutate import can_mutate, list_mutants
from crucible.domains.code.mutate.edit import Mutant
from crucible.domains.code.patches import changes
from crucible.domains.code.suite import Report, find_runner
from crucible.errors import Rejected
from crucible.mining import MiningContext
from crucible.record import Record
from crucible.sandbox import Sandbox
from pipelines.swe.model import Built, Candidate
from pipelines.swe.paths import sort_of
from pipelines.swe.rewards.measure import apply_or_reject, lay_tests, run_whole_suite
from pipelines.swe.transforms.limits import load_limits

COMMIT_ALL = "git add -A && git -c user.name=x -c user.email=x@x commit -q --no-verify --allow-empty -m x"
LARGEST_SOURCE = 200_000
"""Characters of a file: no fault is looked for in a larger one."""

Places = Mapping[str, Collection[int]]
"""Line numbers by path."""


class Fault(Record):
    """A fault, the tests it breaks, and the patches that put it in and take it out."""

    mutant: Mutant
    broken: tuple[str, ...]
    patch: str
    undo: str
    log: str


@asynccontextmanager
async def open_merged(built: Built, context: MiningContext) -> AsyncIterator[Sandbox]:
    """A box with the change and its tests, committed."""
    async with context.world.open(built.candidate.env) as box:
        await apply_or_reject(box, built.candidate.pull.patch)
        await lay_tests(box, built.tests)
        await run_or_reject(box, COMMIT_ALL)
        yield box


async def find_noticed_fault(
    built: Built, context: MiningContext, seed: str, only: Places | None = None, spared: Collection[str] = ()
) -> Fault:
    """A fault that breaks some tests, none of those to be spared and not too many, in the given lines (anywhere, when
    none are given). Rejected when none of those that are tried is such."""
    async with open_merged(built, context) as box:
        started = time.monotonic()
        healthy, seen = await run_without_fault(box, built.candidate)
        candidate = limit_patience(built.candidate, time.monotonic() - started)
        passing = {test for test in healthy.outcomes if healthy.passed(test)}
        for mutant in (await choose_mutants(box, built, seed, seen, only))[: load_limits().tries]:
            fault = await _try_mutant(box, candidate, mutant, passing)
            if fault is not None and not {*fault.broken} & {*spared}:
                return fault
    raise Rejected("no_fault_found", f"none of {load_limits().tries} faults breaks some tests and not most of them")


def limit_patience(candidate: Candidate, seconds: float) -> Candidate:
    """The candidate with a timeout not much longer than the seconds that its tests took without a fault: many a fault
    is a loop without an end."""
    limit = min(candidate.suite.timeout, load_limits().patience * seconds + load_limits().patience_seconds)
    return candidate.model_copy(update={"suite": candidate.suite.model_copy(update={"timeout": limit})})


async def choose_mutants(
    box: Sandbox, built: Built, seed: str, seen: Lines | None, only: Places | None
) -> list[Mutant]:
    """Faults in lines that tests execute (`seen`) and that are wanted (`only`), those in files of the change first, one
    of each file in turn."""
    own = {change.path for change in changes(built.candidate.pull.patch)}
    paths = [path for path in await _source_paths(box) if _is_among(seen, path) and _is_among(only, path)]
    queues = []
    for path in sorted(paths, key=lambda path: (path not in own, path)):
        text = (await box.read(path)).decode("utf-8", "replace")
        faults = list_mutants(path, text, seed) if len(text) < LARGEST_SOURCE else []
        queues.append([fault for fault in faults if all(_is_among(lines, path, fault.line) for lines in (seen, only))])
    return [queue[turn] for turn in range(load_limits().tries) for queue in queues if turn < len(queue)]


def _is_among(places: Places | None, path: str, line: int = 0) -> bool:
    """Whether a file, or one line of it, is among the places; everything is when no places are given."""
    return places is None or (line in places.get(path, ()) if line else bool(places.get(path)))


async def run_without_fault(box: Sandbox, candidate: Candidate) -> tuple[Report, Lines | None]:
    """What passes before any fault is there, and which lines are executed, where that can be seen."""
    paths = await _source_paths(box)
    runner = find_runner(candidate.suite.runner)
    report, seen = Report(), None
    if can_trace(candidate.suite, paths):
        async with box.fork() as other:
            report, seen = await run_traced(other, runner, candidate.suite, paths)
    if seen is None:
        async with box.fork() as other:
            report = await run_whole_suite(other, candidate)
    if not report.complete or report.broken:
        raise Rejected("tests_do_not_run", report.broken or report.why)
    return report, seen


async def _try_mutant(box: Sandbox, candidate: Candidate, mutant: Mutant, passing: set[str]) -> Fault | None:
    """The fault that a mutant is; None when it breaks no test or too many, or when the tests do not come to an end."""
    async with box.fork() as other:
        await other.write(mutant.path, mutant.text.encode())
        patch = await run_or_reject(other, f"git diff --full-index -- {shlex.quote(mutant.path)}")
        undo = await run_or_reject(other, f"git diff -R --full-index -- {shlex.quote(mutant.path)}")
        report = await run_whole_suite(other, candidate)
    broken = tuple(sorted(test for test in passing if report.outcomes.get(test) == "failed"))
    few = 0 < len(broken) <= max(1, load_limits().broken_share * len(passing))
    if not report.complete or report.broken or not few:
        return None
    return Fault(mutant=mutant, broken=broken, patch=patch, undo=undo, log=report.log)


async def _source_paths(box: Sandbox) -> list[str]:
    """The source files of the tree in which faults can be put."""
    listed = (await run_or_reject(box, "git ls-files -z")).split("\0")
    return [path for path in listed if path and sort_of(path) == "source" and can_mutate(path)]


async def run_or_reject(box: Sandbox, command: str) -> str:
    """What a command prints. Rejected when it fails in this tree."""
    done = await box.exec(command)
    if not done.ok:
        raise Rejected("transform_failed", f"{command[:60]}: {done.err.strip()[-200:]}")
    return done.out
