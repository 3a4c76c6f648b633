"""Whether a task's tests use a definition: it is made void in a box of its own, and some test must then fail; and who
notices when it is there and does its work wrongly.

Code that only looks whether the definition answers at all, and does the work elsewhere, notices no fault in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Literal, NamedTuple

from crucible.domains.code.mutate import list_mutants
from crucible.domains.code.mutate.edit import Mutant
from crucible.domains.code.overlay import clear_paths, lay_files, lay_inline
from crucible.domains.code.suite import Report, SuiteParams, find_runner, run_suite
from crucible.domains.code.voiding import definition_lines, void_definition
from crucible.sandbox import Sandbox

Use = Literal["used", "unused", "unknown"]
"""`unknown`: the definition cannot be made void, or the code cannot be built without it."""
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


async def see_use(box: Sandbox, params: SuiteParams, path: str, name: str) -> Use:
    """Whether the tests notice that what the name defines in this file of the box does nothing any more."""
    void = void_definition(path, await _read_text(box, path), name)
    if void is None:
        return "unknown"
    report = await _run_with(box, params, path, void)
    if report.broken:
        return "unknown"
    tests = (*params.fail_to_pass, *params.pass_to_pass)
    return "unused" if report.complete and all(map(report.maintains, tests)) else "used"


async def find_noticing_tests(
    box: Sandbox, params: SuiteParams, path: str, name: str, *, whole: bool = False
) -> frozenset[str] | None:
    """The task's tests that fail when what the name defines does nothing. None where that cannot be tried, or, where
    the whole run is wanted, the run broke off."""
    void = void_definition(path, await _read_text(box, path), name, quietly=True)
    report = await _run_with(box, params, path, void) if void is not None else None
    if report is None or report.broken or (whole and not report.complete):
        return None
    return frozenset(test for test in (*params.fail_to_pass, *params.pass_to_pass) if not report.maintains(test))


def find_untouched(tests: Collection[str], callers: Mapping[str, Collection[str]]) -> list[str]:
    """The callers most of whose tests are not among these."""
    return [name for name, own in callers.items() if len({*own} & {*tests}) < LEAST_TESTS * len(own)]


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


async def find_noticing_files(
    box: Sandbox, params: SuiteParams, path: str, name: str, seed: str, most: int, wanted: Mapping[str, float] | None
) -> Noticing:
    """Put faults into what the name defines, one after the other in an order that the seed decides, until enough of
    them were noticed in all the wanted files (none: never), or so many are tried."""
    tests = (*params.fail_to_pass, *params.pass_to_pass)
    files: Counter[str] = Counter()
    count = 0
    faults = _faults_of(path, await _read_text(box, path), name, seed)
    for fault in faults[:most]:
        if wanted and not find_blind(files, wanted, min(most, len(faults))):
            break
        report = await _run_with(box, params, path, fault.text)
        if not report.broken and report.complete:
            count += 1
            files.update({name_file(test) for test in tests if not report.maintains(test)})
    return Noticing(files, count, len(faults) <= most)


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


async def _read_text(box: Sandbox, path: str) -> str:
    """The file's text; empty where there is none."""
    try:
        return (await box.read(path)).decode()
    except (OSError, ValueError):
        return ""


async def _run_with(box: Sandbox, params: SuiteParams, path: str, text: str) -> Report:
    """Run the task's tests in a copy of the box, in which the file has this text."""
    async with box.fork() as other:
        await clear_paths(other, [path])
        await other.write(path, text.encode())
        await clear_paths(other, params.deleted)
        await lay_files(other, params.tests, params.data)
        await lay_inline(other, params.inline)
        runner = find_runner(params.suite.runner)
        return await run_suite(other, runner, params.suite, runner.paths((*params.fail_to_pass, *params.pass_to_pass)))
