"""Whether a script shows a defect: it prints what is expected over right code, and something else over the defect.

Both also in other words, so that a script which reads the code instead of running it shows nothing; and each twice, in
boxes of their own and in no order, so that one which tosses a coin or looks at the clock shows nothing. And over other
faults in the change it must not always say that all is well: a script that has a copy of the reviewed change, and sees
whether the code does anything else, does not know what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from random import SystemRandom

from crucible.box_patch import apply_patch
from crucible.domains.code.check_params import ReviewedTrees
from crucible.errors import BoxExhausted, SandboxError
from crucible.sandbox import Sandbox

RUNS = 2
"""How often the script is run over each state."""

OpenBox = Callable[[], AbstractAsyncContextManager[Sandbox]]
"""Opens a fresh box with the task's base."""


async def explain_failure(open_box: OpenBox, trees: ReviewedTrees, script: str, expected: str) -> str:
    """Why the script does not show the defect, in a line; empty when it does."""
    states = [
        ("the reviewed change", (trees.faulty,), False),
        ("the right code", (trees.right,), True),
        ("the right code in other words", (trees.right, trees.right_rewrite), True),
        ("the reviewed change in other words", (trees.faulty, trees.faulty_rewrite), False),
    ]
    for name, patches, is_right in SystemRandom().sample(states * RUNS, len(states) * RUNS):
        printed = await _run_script(open_box, patches, trees, script)
        if (printed == _normalise(expected)) != is_right:
            return f"over {name} it prints {printed[:200]!r}, {'not' if is_right else 'as'} {expected[:200]!r}"
    others = [await _run_script(open_box, (trees.right, patch), trees, script) for patch in trees.others]
    same = others.count(_normalise(expected))
    return (
        f"it prints {expected[:200]!r} over all of {same} other faults, too" if others and same == len(others) else ""
    )


async def _run_script(open_box: OpenBox, patches: tuple[str, ...], trees: ReviewedTrees, script: str) -> str:
    """What the script prints over the base with these patches, in a box of its own."""
    async with open_box() as box:
        for patch in patches:
            done = await apply_patch(box, patch.encode())
            if not done.ok:
                raise SandboxError(f"a patch of the task does not apply: {done.err.strip()[-200:]}")
        try:
            if trees.build:
                await box.exec(trees.build, timeout=trees.timeout)
            return _normalise((await box.exec(script, timeout=trees.timeout)).out)
        except BoxExhausted as spent:
            return str(spent)


def _normalise(text: str) -> str:
    """Lines without blanks at their ends."""
    return "\n".join(line.rstrip() for line in text.strip().splitlines())
