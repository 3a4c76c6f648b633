"""The verifier `harbor`: a Harbor task's own `tests/test.sh` over the attempt's tree, in a fresh box.

what an attempt may try                   what stops it
leave a reward behind                     the reward's folder is made anew before the tests run
write the reward from the code            signs in the added lines: the reward is zero
keep a process that writes it             no process of the attempt is in a fresh box; those of the tests' run are ended
end the tests early                       no reward, no pass; a control run says whose doing it was
"""

from __future__ import annotations

import json
import math
import posixpath
from collections.abc import AsyncIterator
from dataclasses import dataclass

from crucible.domains.code.harbor import HarborParams
from crucible.errors import Undecided
from crucible.judging.grading import read_diff
from crucible.mining import BlobStore
from crucible.model import Criterion, Task, Trajectory
from crucible.parts import verifier
from crucible.sandbox import Done, Sandbox
from verifiers.attempt_diff import added_lines
from verifiers.criteria import gate_criterion
from verifiers.restoring import exec_or_raise
from verifiers.tampering import find_tampering, list_hits

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
REVERT = "git reset -q && git checkout -q HEAD -- . && git clean -qfd"
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
    def log(self) -> str:
        return f"{self.done.out}\n{self.done.err}".strip()[-6000:]


@verifier("harbor", layer="execution", version=1, cost="minutes", gate=True, needs=("blobs",))
async def harbor(
    task: Task, trajectory: Trajectory, box: Sandbox, *, params: HarborParams, blobs: BlobStore
) -> AsyncIterator[Criterion]:
    """The task's own test script gives the attempt's tree its full reward."""
    diff = read_diff(trajectory, blobs)
    hits = [*map(str, await find_tampering(box, diff)), *_find_forgeries(diff)]
    yield gate_criterion("the change leaves the test run alone", not hits, list_hits(hits) or "no sign of tampering")
    if hits:
        return
    trial = await run_tests(box, params)
    log = {"log": blobs.put(trial.log.encode(errors="replace"))}
    if trial.reward is None:
        await _must_be_the_attempt(box, task, params, trial)
    reward = "no reward" if trial.reward is None else f"the reward is {trial.reward:g}"
    evidence = f"{reward}; {trial.why or 'test.sh ended'}\n{trial.log[-1500:]}"
    full = trial.reward is not None and trial.reward >= 1
    yield gate_criterion("the tests give the full reward", full, evidence, attachments=log)


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


def _find_forgeries(diff: bytes) -> list[str]:
    """Added lines that name the reward's place: no honest solution has business there."""
    names = (LOGS, *REWARDS)
    return [
        f"{line.path}:{line.number} names the reward: {line.text.strip()[:160]}"
        for line in added_lines(diff)
        if any(name in line.text for name in names)
    ]


async def _must_be_the_attempt(box: Sandbox, task: Task, params: HarborParams, trial: Trial) -> None:
    """Run the same tests over the reference. Where they leave no reward either, nothing is known of the attempt."""
    await exec_or_raise(box, REVERT)
    for content, command in ((task.reference.patch, APPLY), (task.reference.script, SCRIPT)):
        if content:
            await box.write(SOLUTION, content.encode())
            await box.exec(f"{command}; rm -f {SOLUTION}", timeout=params.timeout)
    control = await run_tests(box, params)
    if control.reward is None:
        raise Undecided(f"the tests leave no reward: {trial.why}; with the reference: {control.why}")
