"""One run of a Harbor task's own `tests/test.sh` in a box, over the attempt's work or the reference's."""

from __future__ import annotations

import json
import math
import posixpath
from dataclasses import dataclass

from crucible.domains.code.harbor import HarborParams
from crucible.errors import Undecided
from crucible.judging.fresh_boxes import FreshBoxes
from crucible.sandbox import Done, Sandbox

TESTS = "/tests"
"""Where Harbor puts a task's tests."""
LOGS = "/logs/verifier"
"""Where `test.sh` leaves the reward."""
REWARDS = ("reward.txt", "reward.json")
RESET = f"rm -rf {TESTS} /logs && mkdir -p {TESTS} {LOGS} && chmod 777 /logs {LOGS}"
END_PROCESSES = """keep=' 1 '; p=$$
while [ "$p" -gt 1 ]; do keep="$keep$p "; p=$(cut -d' ' -f4 "/proc/$p/stat"); done
for p in /proc/[0-9]*; do p=${p#/proc/}; case "$keep" in *" $p "*) ;; *) kill -9 "$p" 2>/dev/null ;; esac; done
true"""
"""Ends every process but those that run this: nothing that the tests started writes a reward later on."""
SOLUTION = "/tmp/.crucible/solution"
APPLY = f"git apply --whitespace=nowarn {SOLUTION}"
SCRIPT = f"if command -v bash >/dev/null; then bash {SOLUTION}; else sh {SOLUTION}; fi"


@dataclass(frozen=True)
class Trial:
    """What one run of the tests came to."""

    reward: float | None
    done: Done
    why: str = ""
    """Why there is no reward."""

    @property
    def is_full(self) -> bool:
        """Whether the tests gave the full reward."""
        return self.reward is not None and self.reward >= 1

    @property
    def log(self) -> str:
        return f"{self.done.out}\n{self.done.err}".strip()[-6000:]


async def run_tests(box: Sandbox, params: HarborParams) -> Trial:
    """Lay the tests in, run them as whoever works in the box, and read the reward through the engine."""
    reset = await box.exec(RESET, user="root")
    if not reset.ok:
        raise Undecided(f"the reward's folder could not be made: {reset.err.strip()[-300:]}")
    for path, file in params.files.items():
        executable = file.executable or path == "test.sh"
        await box.write(posixpath.join(TESTS, path), file.data, mode=0o755 if executable else 0o644, user="root")
    done = await box.exec(f"{TESTS}/test.sh", timeout=params.timeout)
    await box.exec(END_PROCESSES)
    if done.stopped:
        return Trial(None, done, f"test.sh was stopped: {done.stopped}")
    for name in REWARDS:
        try:
            return Trial(parse_reward(name, await box.read(f"{LOGS}/{name}", limit=1 << 16)), done)
        except (FileNotFoundError, IsADirectoryError):
            continue
        except (ValueError, RecursionError) as wrong:
            return Trial(None, done, f"{name} cannot be read: {wrong}")
    return Trial(None, done, f"test.sh ended with code {done.code} and left no reward")


def parse_reward(name: str, data: bytes) -> float:
    """The reward in a file of this name: a number; of a flat object the entry `reward`, or the least of its entries.
    ValueError for anything else."""
    if name.endswith(".txt"):
        return _finite(float(data.decode().strip()))
    value = json.loads(data)
    if not isinstance(value, dict) or not value:
        raise ValueError("it is no object with a number")
    return _finite(value["reward"]) if "reward" in value else min(map(_finite, value.values()))


def _finite(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{value!r} is no reward")
    return float(value)


async def run_reference(boxes: FreshBoxes, params: HarborParams) -> Trial:
    """Run the tests over the reference, in a box that the attempt never was in."""
    reference = boxes.task.reference
    async with boxes.open_base() as box:
        for content, command in ((reference.patch, APPLY), (reference.script, SCRIPT)):
            if content:
                await box.write(SOLUTION, content.encode())
                await box.exec(f"{command}; rm -f {SOLUTION}", timeout=params.timeout)
        return await run_tests(box, params)
