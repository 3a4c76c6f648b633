"""Whether a task's tests use a definition: it is made void in a box of its own, and some test must then fail; and who
notices when it is there and does its work wrongly.

Code that only looks whether the definition answers at all, and does the work elsewhere, notices no fault in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
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


class Noticing(NamedTuple):
    """Who notices faults in a definition."""

    files: Counter[str]
    """With how many of them tests of a file (in Java, of a class) fail, as the tests' ids name it."""
    faults: int
    """With how many faults the tests could be run."""
    are_all: bool
    """Whether there are no further faults."""

    @property
    def steady_files(self) -> tuple[str, ...]:
        """The files that notice a quarter of the faults; any where all faults were tried, as they then are in code that
        is written otherwise."""
        return tuple(sorted(file for file, count in self.files.items() if self.are_all or 4 * count >= self.faults))


async def find_noticing_files(
    box: Sandbox, params: SuiteParams, path: str, name: str, seed: str, most: int, wanted: Collection[str] = ()
) -> Noticing:
    """Put faults into what the name defines, one after the other in an order that the seed decides, until tests of all
    the wanted files have failed, or so many faults are tried."""
    tests = (*params.fail_to_pass, *params.pass_to_pass)
    files: Counter[str] = Counter()
    count = 0
    faults = _faults_of(path, await _read_text(box, path), name, seed)
    for fault in faults[:most]:
        if wanted and files.keys() >= {*wanted}:
            break
        report = await _run_with(box, params, path, fault.text)
        if not report.broken and report.complete:
            count += 1
            files.update({name_file(test) for test in tests if not report.maintains(test)})
    return Noticing(files, count, len(faults) <= most)


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
