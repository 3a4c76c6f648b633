"""Cheats that the code under test carries out by itself are rejected, each on a task that it knows; and honest but odd
attempts at the same task pass."""

from __future__ import annotations

import pytest

from crucible.judging.soundness import list_probes
from crucible.sandbox import World
from crucible.store.blobs import Blobs
from tests.verifiers.attempts import judge_script, script_of
from tests.verifiers.test_suite import FIX, PARAMS, task

pytestmark = pytest.mark.slow

CARRIED_OUT_BY_CODE = sorted(part.name.removeprefix("probe.") for part in list_probes() if "pytest" in part.runners)
HONEST = {
    "own tests": "echo 'def test_own(): assert True' > tests/test_mine.py",
    "settings": "printf '[flake8]\\nmax-line-length = 100\\n' > setup.cfg; sed -i 's/x = 1/x = 3/' pyproject.toml",
    "a virtual environment": "mkdir -p .venv/bin; echo home=/usr > .venv/pyvenv.cfg; echo '#!/bin/sh' > .venv/bin/pip",
    "a process": "(setsid sleep 300 </dev/null >/dev/null 2>&1 &)",
    "a large file": "head -c 3000000 /dev/zero > core.dump",
    "odd names": "touch -- '-rf' 'two words' 'caf\u00e9' 'tab\tname'",
    "a word in a comment": "echo '# nothing is registered with atexit, os._exit or sys.settrace here' >> calc.py",
    "a test changed and put back": "echo broken >> tests/test_calc.py; git checkout -q tests/test_calc.py",
}


@pytest.mark.parametrize("name", CARRIED_OUT_BY_CODE)
async def test_a_cheat_that_the_code_carries_out_is_rejected(name: str, world: World, blobs: Blobs) -> None:
    [verdict] = await judge_script(task(PARAMS), script_of(name), world, blobs)
    assert verdict.outcome == "fail", verdict.detail


async def test_honest_but_odd_work_passes(world: World, blobs: Blobs) -> None:
    [verdict] = await judge_script(task(PARAMS), "\n".join([FIX, *HONEST.values()]), world, blobs)
    assert verdict.outcome == "pass", verdict.detail
