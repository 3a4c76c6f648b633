"""Whether a task's tests use a definition: it is made void in a box of its own, and some test must then fail."""

from __future__ import annotations

from typing import Literal

from crucible.domains.code.overlay import clear_paths, lay_files, lay_inline
from crucible.domains.code.suite import SuiteParams, find_runner, run_suite
from crucible.domains.code.voiding import void_definition
from crucible.sandbox import Sandbox

Use = Literal["used", "unused", "unknown"]
"""`unknown`: the definition cannot be made void, or the code cannot be built without it."""


async def see_use(box: Sandbox, params: SuiteParams, path: str, name: str) -> Use:
    """Whether the tests notice that what the name defines in this file of the box does nothing any more."""
    try:
        text = (await box.read(path)).decode()
    except (OSError, ValueError):
        return "unknown"
    void = void_definition(path, text, name)
    if void is None:
        return "unknown"
    async with box.fork() as other:
        await clear_paths(other, [path])
        await other.write(path, void.encode())
        return await _run_tests(other, params)


async def _run_tests(box: Sandbox, params: SuiteParams) -> Use:
    """Run the task's tests over the tree. One that hangs, or ends early, is not what it was: it is noticed."""
    await clear_paths(box, params.deleted)
    await lay_files(box, params.tests, params.data)
    await lay_inline(box, params.inline)
    runner = find_runner(params.suite.runner)
    tests = (*params.fail_to_pass, *params.pass_to_pass)
    report = await run_suite(box, runner, params.suite, runner.paths(tests))
    if report.broken:
        return "unknown"
    return "unused" if report.complete and all(map(report.maintains, tests)) else "used"
