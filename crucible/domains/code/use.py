"""Whether a task's tests use a definition: it is made void in a box of its own, and some test must then fail; and who
notices when it is there and does its work wrongly.

Code that only looks whether the definition answers at all, and does the work elsewhere, notices no fault in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from crucible.domains.code.mutate import list_mutants
from crucible.domains.code.mutate.edit import Mutant
from crucible.domains.code.overlay import clear_paths, lay_files, lay_inline
from crucible.domains.code.suite import Report, SuiteParams, find_runner, run_suite
from crucible.domains.code.voiding import definition_lines, void_definition
from crucible.sandbox import Sandbox

SUBTLE = frozenset(
    {
        *("comparison", "arithmetic", "wrong constant", "negated condition", "swapped arguments", "wrong variable"),
        *("and for or", "removed not"),
    }
)
"""Faults with which code answers, and answers wrongly."""
LEAST_SHARE = 0.25
PART_WANTED = 1 / 3
"""Of the share of faults that are noticed in the task's own change."""
LEAST_TESTS = 0.5
"""The share of a caller's tests that must notice: one that asks the new place may still refuse some input before."""


class Use(NamedTuple):
    """Whether tests notice that what a name defines does nothing any more, and which."""

    state: Literal["used", "unused", "unknown"]
    """`unknown`: the definition cannot be made void, or the code cannot be built without it."""
    noticing: frozenset[str] | None = None
    """The task's tests that fail where every test speaks for itself; None where that cannot be tried."""


class Noticing(NamedTuple):
    """Who notices faults in a definition."""

    files: Counter[str]
    """With how many of them tests of a file (in Java, of a class) fail, as the tests' ids name it."""
    faults: int
    """With how many faults the tests could be run."""
    are_all: bool
    """Whether there are no further faults."""

    @property
    def shares(self) -> dict[str, float]:
        """The share of the faults that each file notices: a quarter or more, any where all were tried. Rarer ones
        may be missed in code that is written otherwise."""
        shares = {file: count / self.faults for file, count in sorted(self.files.items())}
        return {file: share for file, share in shares.items() if self.are_all or share >= LEAST_SHARE}


@dataclass(frozen=True)
class UseTrial:
    """Runs the task's tests in copies of a box in which one definition is altered. What was run once is not run
    again: a class and its members have the same faults."""

    box: Sandbox
    params: SuiteParams
    _reports: dict[tuple[str, str, tuple[str, ...]], Report] = field(default_factory=dict)

    async def see_use(self, path: str, name: str) -> Use:
        """Whether the tests notice that what the name defines in this file does nothing any more. Where it has to end
        the whole run for that, this is tried only if no test notices that it answers nothing."""
        text = await self._read_text(path)
        quiet, loud = (void_definition(path, text, name, quietly=quietly) for quietly in (True, False))
        noticing = await self._find_failing(path, quiet, self._tests)
        failing = noticing if noticing or quiet == loud else await self._find_failing(path, loud, self._tests)
        return Use("unknown" if failing is None else "used" if failing else "unused", noticing)

    async def find_noticing_tests(self, path: str, name: str, files: Collection[str]) -> frozenset[str]:
        """The tests of these files that fail when what the name defines does nothing; none where that cannot be tried,
        or the run broke off."""
        void = void_definition(path, await self._read_text(path), name, quietly=True)
        return await self._find_failing(path, void, self._tests_of(files), whole=True) or frozenset()

    async def find_noticing_files(
        self, path: str, name: str, seed: str, most: int, files: Collection[str], shares: Mapping[str, float] | None
    ) -> Noticing:
        """Put faults into what the name defines, one after the other in an order that the seed decides, until enough of
        them were noticed in all these files by the shares that are wanted (none: never), or so many are tried."""
        noticed: Counter[str] = Counter()
        count, tests = 0, self._tests_of(files)
        faults = _faults_of(path, await self._read_text(path), name, seed)
        for fault in faults[:most]:
            if shares and not find_blind(noticed, shares, min(most, len(faults))):
                break
            report = await self._run(path, fault.text, tests)
            if not report.broken and report.complete:
                count += 1
                noticed.update({name_file(test) for test in tests if not report.maintains(test)})
        return Noticing(noticed, count, len(faults) <= most)

    @property
    def _tests(self) -> tuple[str, ...]:
        return (*self.params.fail_to_pass, *self.params.pass_to_pass)

    def _tests_of(self, files: Collection[str]) -> tuple[str, ...]:
        return tuple(test for test in self._tests if name_file(test) in files)

    async def _find_failing(
        self, path: str, text: str | None, tests: tuple[str, ...], *, whole: bool = False
    ) -> frozenset[str] | None:
        """The tests that fail when the file has this text: all of them where the run broke off and none is known to.
        None without a text, where it cannot be built, or, where the whole run is wanted, that broke off."""
        report = await self._run(path, text, tests) if text is not None else None
        if report is None or report.broken or (whole and not report.complete):
            return None
        failing = frozenset(test for test in tests if not report.maintains(test))
        return failing if failing or report.complete else frozenset(tests)

    async def _run(self, path: str, text: str, tests: tuple[str, ...]) -> Report:
        key = (path, text, tests)
        if key not in self._reports:
            self._reports[key] = await _run_with(self.box, self.params, path, text, tests)
        return self._reports[key]

    async def _read_text(self, path: str) -> str:
        """The file's text; empty where there is none."""
        try:
            return (await self.box.read(path)).decode()
        except (OSError, ValueError):
            return ""


def find_untouched(tests: Collection[str], callers: Mapping[str, Collection[str]]) -> list[str]:
    """The callers most of whose tests are not among these."""
    return [name for name, own in callers.items() if len({*own} & {*tests}) < LEAST_TESTS * len(own)]


def find_blind(files: Counter[str], wanted: Mapping[str, float], faults: int) -> list[str]:
    """The files that notice fewer of so many faults than a third of the share that is wanted of them: code that only
    checks what it is answered fails with some faults, too."""
    return [file for file, share in wanted.items() if files[file] < max(1, share * PART_WANTED * faults)]


def name_file(test: str) -> str:
    """The file that a test's id begins with."""
    return test.partition("::")[0]


def _faults_of(path: str, text: str, name: str, seed: str) -> list[Mutant]:
    """Faults in the lines of the definition; where it has none, in the rest of its file, which it may be made of."""
    faults = [fault for fault in list_mutants(path, text, seed) if fault.operator in SUBTLE]
    lines = {line for lines in definition_lines(path, text, name) for line in lines}
    return [fault for fault in faults if fault.line in lines] or faults


async def _run_with(box: Sandbox, params: SuiteParams, path: str, text: str, tests: Sequence[str]) -> Report:
    """Run these of the task's tests in a copy of the box, in which the file has this text."""
    async with box.fork() as other:
        await clear_paths(other, [path])
        await other.write(path, text.encode())
        await clear_paths(other, params.deleted)
        await lay_files(other, params.tests, params.data)
        await lay_inline(other, params.inline)
        runner = find_runner(params.suite.runner)
        return await run_suite(other, runner, params.suite, runner.paths(tests))
