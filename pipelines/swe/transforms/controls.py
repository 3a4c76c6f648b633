"""Controls for work that could know the right code by how it is written: the same code in other words, and the right
code with faults in it. Each is shown by running the change's own tests."""

from __future__ import annotations

import shlex
import time
from collections.abc import Mapping

from crucible.domains.code.patches import changes
from crucible.domains.code.suite import find_runner, run_suite
from crucible.errors import Rejected
from crucible.record import Record
from crucible.sandbox import Sandbox
from pipelines.swe.model import Built
from pipelines.swe.paths import sort_of
from pipelines.swe.rewards.measure import run_whole_suite
from pipelines.swe.transforms.faults import (
    COMMIT_ALL,
    Places,
    choose_mutants,
    limit_patience,
    run_or_reject,
    run_without_fault,
)
from pipelines.swe.transforms.limits import load_limits
from pipelines.swe.transforms.mutate.edit import Mutant
from pipelines.swe.transforms.rewrite import Depth, rewrite_file

DEPTHS: tuple[Depth, ...] = ("deep", "light")
"""What is tried, the stronger first."""


class Rewrite(Record):
    """Code in other words, as a patch, and how much of it is."""

    patch: str
    depth: Depth


async def find_rewrite(box: Sandbox, built: Built) -> Rewrite:
    """The patch that puts the change's files into other words, over the merged state that the box holds, so that
    every test that passes goes on passing. Rejected where there is none."""
    texts = await read_changed_files(box, built)
    async with box.fork() as other:
        before = await run_whole_suite(other, built.candidate)
    passing = [test for test in before.outcomes if before.passed(test)]
    for depth in DEPTHS:
        files = _rewrite_files(texts, depth)
        async with box.fork() as other:
            patch = await write_patch(other, files) if files else ""
            after = await run_whole_suite(other, built.candidate) if patch else None
        if after is not None and after.complete and all(map(after.maintains, passing)):
            return Rewrite(patch=patch, depth=depth)
    raise Rejected("no_rewrite", "the change's files cannot be put into other words")


async def rewrite_fault(box: Sandbox, built: Built, mutant: Mutant, depth: Depth) -> str:
    """The patch that puts the change's files into other words where one has a fault, over the merged state with it."""
    async with box.fork() as other:
        await other.write(mutant.path, mutant.text.encode())
        await run_or_reject(other, COMMIT_ALL)
        return await write_patch(other, _rewrite_files(await read_changed_files(other, built), depth))


def _rewrite_files(texts: Mapping[str, str], depth: Depth) -> dict[str, str]:
    """Those of the files that can be put into other words, so."""
    written = {path: rewrite_file(path, text, depth) for path, text in texts.items()}
    return {path: text for path, text in written.items() if text is not None}


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


async def find_noticed_mutants(
    box: Sandbox, built: Built, seed: str, only: Places | None = None, besides: str = ""
) -> tuple[str, ...]:
    """Patches that each put a fault into the change's files (or into these lines alone), over the merged state that the
    box holds: a few of those that the tests which must start to pass notice, the plainest first. None makes a file the
    text `besides`."""
    started = time.monotonic()
    _, seen = await run_without_fault(box, built.candidate)
    seconds = time.monotonic() - started
    own = {path: range(1, text.count("\n") + 2) for path, text in (await read_changed_files(box, built)).items()}
    added = {change.path: {number for number, _ in change.added} for change in changes(built.candidate.pull.patch)}
    chosen = await choose_mutants(box, built, seed, seen, own if only is None else only)
    mutants = [mutant for mutant in chosen if mutant.text != besides]
    mutants.sort(key=lambda mutant: mutant.line not in added.get(mutant.path, ()))  # in the change's own lines first
    tried = [await _try_mutant(box, built, mutant, seconds) for mutant in mutants[: load_limits().tries]]
    noticed = sorted((found for found in tried if found[0]), key=lambda found: -found[0])
    return tuple(patch for _, patch in noticed[: load_limits().mutants])


async def _try_mutant(box: Sandbox, built: Built, mutant: Mutant, seconds: float) -> tuple[int, str]:
    """How many of the tests that must start to pass fail with this fault, and its patch. None where it does not compile
    or comes to no end."""
    suite = limit_patience(built.candidate, seconds).suite
    runner = find_runner(suite.runner)
    async with box.fork() as other:
        patch = await write_patch(other, {mutant.path: mutant.text})
        report = await run_suite(other, runner, suite, runner.paths(built.fail_to_pass))
    if not report.complete or report.broken:
        return 0, patch
    return sum(report.outcomes.get(test) == "failed" for test in built.fail_to_pass), patch
