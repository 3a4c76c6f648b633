"""Controls for work that could know the right code by how it is written: the same code in other words, and the right
code with faults in it. Each is shown by running the change's own tests."""

from __future__ import annotations

import shlex
import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from crucible.domains.code.mutate.edit import Mutant
from crucible.domains.code.patches import changes
from crucible.domains.code.suite import SuiteParams, find_runner, run_suite
from crucible.errors import Rejected
from crucible.mining import MiningContext
from crucible.record import Record
from crucible.sandbox import Sandbox
from pipelines.swe.model import Built
from pipelines.swe.paths import sort_of
from pipelines.swe.rewards.measure import apply_or_reject, lay_tests, run_whole_suite
from pipelines.swe.transforms.faults import (
    COMMIT_ALL,
    Places,
    choose_mutants,
    limit_patience,
    run_or_reject,
    run_without_fault,
)
from pipelines.swe.transforms.limits import load_limits
from pipelines.swe.transforms.rewrite import Depth, rewrite_file
from pipelines.swe.transforms.rewrite.beside import Run, write_beside

DEPTHS: tuple[Depth, ...] = ("both", "beside", "deep", "light")
"""What is tried, the stronger first."""


class Rewrite(Record):
    """Code in other words, as a patch, and how much of it is."""

    patch: str
    depth: Depth


async def find_rewrite(box: Sandbox, built: Built, others: Mapping[str, str]) -> Rewrite:
    """The patch that puts the change's files into other words, over the merged state that the box holds, so that
    every test that passes goes on passing. `others` are versions by path that may stand beside them. Rejected where
    there is none."""
    texts = await read_changed_files(box, built)
    async with box.fork() as other:
        before = await run_whole_suite(other, built.candidate)
    passing = [test for test in before.outcomes if before.passed(test)]
    for depth in DEPTHS:
        files = _rewrite_files(texts, depth, others)
        async with box.fork() as other:
            patch = await write_patch(other, files) if files else ""
            after = await run_whole_suite(other, built.candidate) if patch else None
        if after is not None and after.complete and all(map(after.maintains, passing)):
            return Rewrite(patch=patch, depth=depth)
    raise Rejected("no_rewrite", "the change's files cannot be put into other words")


async def rewrite_fault(box: Sandbox, built: Built, mutant: Mutant, depth: Depth) -> str:
    """The patch that puts the change's files into other words where one has a fault, over the merged state with it. The
    right version may stand beside it."""
    right = await read_changed_files(box, built)
    async with box.fork() as other:
        await other.write(mutant.path, mutant.text.encode())
        await run_or_reject(other, COMMIT_ALL)
        return await write_patch(other, _rewrite_files(await read_changed_files(other, built), depth, right))


def _rewrite_files(texts: Mapping[str, str], depth: Depth, others: Mapping[str, str]) -> dict[str, str]:
    """Those of the files that can be put into other words, so."""
    written = {path: rewrite_file(path, text, depth, others.get(path, "")) for path, text in texts.items()}
    return {path: text for path, text in written.items() if text is not None}


async def rewrite_wrong_code(built: Built, context: MiningContext) -> tuple[str, ...]:
    """Patches that make the task's tree the right one in other words, in which the functions as they were give the
    answers: all of them, with those of the right ones dropped; and only those that the right ones do not give, too.
    None of which the change's own tests do not tell from right code, the last with every test."""
    wrong = await _write_wrong(built, context, "both") or await _write_wrong(built, context, "one")
    apart = await _write_wrong(built, context, "apart") if wrong else ""
    return tuple(patch for patch in (wrong, apart) if patch)


async def _write_wrong(built: Built, context: MiningContext, run: Run) -> str:
    """One such patch; empty where it is not told from right code."""
    async with context.world.open(built.candidate.env) as box:
        before = await read_changed_files(box, built)
        await apply_or_reject(box, built.candidate.pull.patch)
        right = await read_changed_files(box, built)
        wrong = {
            path: write_beside(path, text, before.get(path, ""), own_acts=False, run=run)
            for path, text in right.items()
            if run != "apart" or path.endswith(".py")
        }
        for path, text in wrong.items():
            written = rewrite_file(path, text, "deep") or text if text else None
            await box.write(path, (written or right[path]).encode())
        await run_or_reject(box, "git add -A")
        patch = await run_or_reject(box, "git diff --cached --full-index HEAD")
        return patch if any(wrong.values()) and await _is_noticed(box, built, by_all=run == "apart") else ""


async def _is_noticed(box: Sandbox, built: Built, by_all: bool) -> bool:
    """Whether tests that must start to pass fail, one or all, and the others come to their end."""
    await lay_tests(box, built.tests)
    report = await run_whole_suite(box, built.candidate)
    failed = [report.outcomes.get(test) == "failed" for test in built.fail_to_pass]
    return report.complete and not report.broken and (all if by_all else any)(failed)


def list_old_tests(built: Built) -> tuple[str, ...]:
    """The tests that passed before the change: those that are in the repository."""
    suites = [SuiteParams.model_validate(check.params) for check in built.task.checks if check.verifier == "suite"]
    return tuple(test for suite in suites for test in suite.pass_to_pass)


async def read_changed_files(box: Sandbox, built: Built) -> dict[str, str]:
    """The source files of the change, by path, as the box has them."""
    texts: dict[str, str] = {}
    for path in sorted(change.path for change in changes(built.candidate.pull.patch)):
        try:
            texts |= {path: (await box.read(path)).decode()} if sort_of(path) == "source" else {}
        except (OSError, ValueError):
            continue  # deleted by the change, or no text
    return texts


async def write_patch(box: Sandbox, files: Mapping[str, str]) -> str:
    """Write files into a box; the patch that does the same over the box's last commit."""
    for path, text in files.items():
        await box.write(path, text.encode())
    return await run_or_reject(box, f"git diff --full-index -- {shlex.join(files)}")


class Noticed(NamedTuple):
    """A fault as a patch, and who notices it. The first of several are those that say most."""

    by_old_tests: bool
    """Whether tests that passed before the change do."""
    missed: int
    """How many of the tests that shall notice it do not."""
    besides: int
    """How many other tests of the change do."""
    patch: str


class Wanted(NamedTuple):
    """Which faults are wanted."""

    seed: str
    by: tuple[str, ...]
    """Tests of which some must notice a fault."""
    only: Places | None = None
    """Lines in which it is put; None: anywhere in the change's files."""
    besides: str = ""
    """A text that no file is to have."""


async def find_noticed_mutants(box: Sandbox, built: Built, wanted: Wanted) -> tuple[str, ...]:
    """Patches that each put a fault over the merged state that the box holds: a few that the wanted tests notice. Where
    there are several that no test from before the change does, no others: who only tests what was tested notices those;
    a single one good tests may miss. Where it can be, the right code stands beside the fault."""
    started = time.monotonic()
    _, seen = await run_without_fault(box, built.candidate)
    seconds = time.monotonic() - started
    right = await read_changed_files(box, built)
    own = {path: range(1, text.count("\n") + 2) for path, text in right.items()}
    added = {change.path: {number for number, _ in change.added} for change in changes(built.candidate.pull.patch)}
    chosen = await choose_mutants(box, built, wanted.seed, seen, own if wanted.only is None else wanted.only)
    mutants = [mutant for mutant in chosen if mutant.text != wanted.besides]
    mutants.sort(key=lambda mutant: mutant.line not in added.get(mutant.path, ()))  # in the change's own lines first
    tried = [await _try_mutant(box, built, mutant, wanted.by, seconds) for mutant in mutants[: load_limits().tries]]
    noticed = sorted((found for found in tried if found), key=lambda found: found[:3])
    new = [found for found in noticed if not found.by_old_tests]
    noticed = new if len(new) > 1 else noticed
    return tuple(found.patch for found in noticed[: load_limits().mutants])


async def _try_mutant(box: Sandbox, built: Built, mutant: Mutant, by: Sequence[str], seconds: float) -> Noticed | None:
    """The fault, where some of these tests fail with it. None where it does not compile or comes to no end."""
    right = (await read_changed_files(box, built)).get(mutant.path, "")
    for text in (write_beside(mutant.path, mutant.text, right), mutant.text):
        if text is not None and (found := await _try_text(box, built, mutant.path, text, by, seconds)):
            return found
    return None


async def _try_text(
    box: Sandbox, built: Built, path: str, text: str, by: Sequence[str], seconds: float
) -> Noticed | None:
    suite = limit_patience(built.candidate, seconds).suite
    runner = find_runner(suite.runner)
    old = list_old_tests(built)
    async with box.fork() as other:
        patch = await write_patch(other, {path: text})
        report = await run_suite(other, runner, suite, runner.paths((*built.fail_to_pass, *old, *by)))
    failed = {test for test, state in report.outcomes.items() if state == "failed"}
    if not report.complete or report.broken or not failed & {*by}:
        return None
    besides = len(failed & {*built.fail_to_pass} - {*by})
    return Noticed(bool(failed & {*old}), len({*by} - failed), besides, patch)
