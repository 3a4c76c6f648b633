"""The trees whose work is timed: the base, the golden change and the attempt, each built in a box of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from crucible.box_patch import apply_patch
from crucible.domains.code.check_params import SpeedParams
from crucible.domains.code.overlay import clear_paths, lay_files
from crucible.domains.code.timing import FailedWork
from crucible.errors import BoxExhausted
from crucible.judging.fresh_boxes import FreshBoxes
from crucible.sandbox import Sandbox
from verifiers import restoring


@asynccontextmanager
async def open_trees(params: SpeedParams, boxes: FreshBoxes) -> AsyncIterator[dict[str, Sandbox] | FailedWork]:
    """Boxes of the base, the golden change and the attempt, built with these tests; the first that cannot be built."""
    trees: dict[str, Sandbox] = {}
    async with AsyncExitStack() as stack:
        for name in ("base", "golden", "attempt"):
            trees[name], why = await stack.enter_async_context(open_tree(name, params, boxes))
            if why:
                yield FailedWork(tree=name, why=why)
                return
        yield trees


@asynccontextmanager
async def open_tree(name: str, params: SpeedParams, boxes: FreshBoxes) -> AsyncIterator[tuple[Sandbox, str]]:
    """A box of the base, the golden change or the attempt, built with these tests; in words why that failed, if it
    did."""
    async with boxes.open_attempt() if name == "attempt" else boxes.open_base() as box:
        if name == "golden":
            restoring.output_or_raise(await apply_patch(box, params.golden.encode()))
        yield box, await (_prepare_attempt if name == "attempt" else _build_and_lay)(box, params)


async def _prepare_attempt(box: Sandbox, params: SpeedParams) -> str:
    """Bring what decides how tests run back to the base, then as with any tree."""
    await restoring.restore_protected(box)
    return await _build_and_lay(box, params)


async def _build_and_lay(box: Sandbox, params: SpeedParams) -> str:
    """Build a tree, then lay the task's own tests over it: a build that saw them could work out ahead what they ask. In
    words why that failed, if it did."""
    if why := await _build(box, params.suite.build, params.suite.timeout):
        return why
    await clear_paths(box, params.deleted)
    await lay_files(box, params.tests, params.data)
    return await _build(box, params.build_tests, params.suite.timeout)


async def _build(box: Sandbox, command: str, timeout: float) -> str:
    """Run a command that builds something, if there is one; nothing of it goes on running."""
    if not command:
        return ""
    try:
        built = await box.exec(command, timeout=timeout)
    except BoxExhausted as spent:
        return str(spent)
    await box.end_processes()
    return "" if built.ok else f"the build ended with code {built.code}"
