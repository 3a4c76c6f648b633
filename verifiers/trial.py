"""One run of a task's tests over a tree in a box, the same steps in the same order whatever it is run for.

The tests themselves, their twins and the controls all go through here: the code under test must not be able to tell by
a file, a folder or a process number which run it is in.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from crucible.domains.code.altering import apply_twins
from crucible.domains.code.overlay import clear_paths, lay_files, lay_inline
from crucible.domains.code.suite import Report, SuiteParams, build_suite, find_runner, run_built
from crucible.domains.code.twins import Twin
from crucible.judging.fresh_boxes import FreshBoxes
from crucible.judging.grading import read_diff
from crucible.judging.soundness import PROBES
from crucible.sandbox import Sandbox
from verifiers import restoring
from verifiers.attempt_diff import UnreadableDiff, touched_paths
from verifiers.attempt_tree import read_tree
from verifiers.protected_files import is_protected
from verifiers.tampering import Hit, find_signs
from verifiers.toolchain import find_packages

LONGEST_COMMAND = 60_000
"""Where the names of the tests take more characters, all tests are run instead of those."""


@dataclass(frozen=True)
class TrialRun:
    """What came of one run."""

    report: Report
    signs: tuple[Hit, ...] = ()
    """Lines of the attempt that reach for the test run."""
    restored: tuple[str, ...] = ()
    """Files that decide how tests run and were brought back to the base first."""
    built: frozenset[str] = frozenset()
    """Packages of the toolchain that the build wrote to."""
    written: frozenset[str] = frozenset()
    """Packages of the toolchain that the build or the tests wrote to."""


@dataclass(frozen=True)
class Trial:
    """The tests of one check, and the attempt or the reference that they are run over."""

    params: SuiteParams
    boxes: FreshBoxes

    def is_promising(self) -> bool:
        """Whether the attempt may well pass its tests: a cheat that a proof tries mostly does not, nor does a change
        that is all undone before they run, as far as its diff can be read."""
        if self.boxes.trajectory.agent.teacher.startswith(PROBES):
            return False
        diff = read_diff(self.boxes.trajectory, self.boxes.blobs)
        try:
            return any(not is_protected(path) for path in touched_paths(diff))
        except UnreadableDiff:
            return True

    async def run_attempt(self, box: Sandbox, twins: Sequence[Twin] = ()) -> TrialRun:
        """Run the tests, with these alterations, in a box with what the attempt left."""
        return await self._run(box, twins)

    async def run_attempt_again(self, twins: Sequence[Twin] = ()) -> TrialRun:
        """The same, in a box of its own."""
        async with self.boxes.open_attempt() as box:
            return await self.run_attempt(box, twins)

    async def run_reference(self, twins: Sequence[Twin] = ()) -> TrialRun:
        """Run the tests over the reference instead of the attempt, in a box that the attempt never was in. Without the
        reference they may not even compile."""
        async with self.boxes.open_reference() as box:
            return await self._run(box, twins)

    async def _run(self, box: Sandbox, twins: Sequence[Twin]) -> TrialRun:
        tree = await read_tree(box)
        signs = await find_signs(box, tree)
        restored = await restoring.restore_protected(box, tree=tree)
        await restoring.restore_inline_tests(box, tree.changed)
        params = alter_params(self.params, twins)
        await lay_tests(box, params)
        own = {*tree.base, *(path for path in tree.changed if not is_protected(path)), *params.tests, *params.data}
        failed = await build_suite(box, params.suite)
        built = await self._list_packages(box, own) if params.suite.build else frozenset()
        report = failed or await run_tests(box, params)
        return TrialRun(report, tuple(signs), restored, built, built | await self._list_packages(box, own))

    async def _list_packages(self, box: Sandbox, own: Collection[str]) -> frozenset[str]:
        """The packages of the toolchain that differ from the image; `own` are the paths of the repository."""
        return find_packages(await box.changed_paths(), self.boxes.task.env.workdir, own)


async def lay_tests(box: Sandbox, params: SuiteParams) -> None:
    """Lay the tests over the tree."""
    await clear_paths(box, params.deleted)
    await lay_files(box, params.tests, params.data)
    await lay_inline(box, params.inline)


async def run_tests(box: Sandbox, params: SuiteParams) -> Report:
    """Run those tests over a built tree that count: an attempt's own are not run."""
    runner = find_runner(params.suite.runner)
    paths = runner.paths([*params.fail_to_pass, *params.pass_to_pass])
    few = sum(map(len, paths)) < LONGEST_COMMAND
    return await run_built(box, runner, params.suite, paths if few else ())


def alter_params(params: SuiteParams, twins: Sequence[Twin]) -> SuiteParams:
    """The same tests with these alterations, in files of the same names."""
    if not twins:
        return params
    tests = apply_twins(params.tests, [twin for twin in twins if twin.path in params.tests])
    inline = apply_twins(params.inline, [twin for twin in twins if twin.path not in params.tests])
    return params.model_copy(update={"tests": tests, "inline": inline})
