"""A task that runs, exported for trainers whose policies act: `python -m peers.live_task FOLDER`.

What a policy does in it is told by name in `PLAYS`, with the reward it must get.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from crucible.model import Check, Task
from crucible.running.run import open_run
from crucible.sandbox import Env, Recipe
from crucible.settings import Settings
from crucible.shards.manifest import Request
from crucible.stages import export
from crucible.store.item import Item
from peers.plays import FORMATS

RECIPE = Recipe(
    packages=("git", "python3", "python3-pytest"),
    files={
        "/workspace/calc.py": "def double(x):\n    return x + x + 1\n",
        "/workspace/tests/test_calc.py": "from calc import double\n\n\ndef test_zero():\n    assert double(0) == 1\n",
    },
    commands=(
        "chown root . && git init -q . && git add -A && git -c user.name=x -c user.email=x@x commit -qm base && "
        "rm -rf .git/logs && chown -R agent .",
    ),
    environment={"PYTHONDONTWRITEBYTECODE": "1"},
)
HIDDEN = "from calc import double\n\n\ndef test_double():\n    assert double(3) == 6\n    assert double(0) == 0\n"
TASK = Task(
    domain="swe",
    kind="bugfix",
    instruction="`double(3)` in calc.py gives 7. It should give 6.",
    env=Env(recipe=RECIPE),
    checks=(
        Check(
            verifier="suite",
            params={
                "suite": {"runner": "pytest", "command": "python3 -m pytest"},
                "tests": {"tests/test_calc.py": HIDDEN},
                "fail_to_pass": ["tests/test_calc.py::test_double"],
            },
        ),
    ),
)


def main(folder: Path) -> None:
    with open_run(Settings(home=folder / "home")) as run:
        run.ledger.put([Item.of("task", TASK, pipeline="swe")])
        for format in FORMATS:
            asyncio.run(export(run, Request(format=format), folder / format))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
