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
from crucible.mining import BlobStore
from crucible.model import Criterion, Task, Trajectory
from crucible.parts import verifier
from crucible.sandbox import Done, Sandbox
from verifiers import diffs, protected, tampering

TESTS, LOGS = "/tests", "/logs/verifier"
REWARDS = ("reward.txt", "reward.json")
RESET = f"rm -rf {TESTS} /logs && mkdir -p {TESTS} {LOGS} && chmod 777 /logs {LOGS}"
END = """keep=' 1 '; p=$$
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
    diff = blobs.get(trajectory.artifacts["diff"]) if "diff" in trajectory.artifacts else b""
    caught = [str(hit) for hit in await tampering.hits(box, diff)] + _forgeries(diff)
    told = "\n".join(caught[:20]) or "no sign of tampering"
    yield Criterion(name="the change leaves the test run alone", passed=not caught, evidence=told, gate=True)
    if caught:
        return
    trial = await tried(box, params)
    log = {"log": blobs.put(trial.log.encode(errors="replace"))}
    if trial.reward is None:
        await _must_be_the_attempt(box, task, params, trial)
    found = "no reward" if trial.reward is None else f"the reward is {trial.reward:g}"
    evidence = f"{found}; {trial.why or 'test.sh ended'}\n{trial.log[-1500:]}"
    yield Criterion(
        name="the tests give the full reward",
        passed=trial.reward is not None and trial.reward >= 1,
        evidence=evidence,
        gate=True,
        attachments=log,
    )


async def tried(box: Sandbox, params: HarborParams) -> Trial:
    """Lay the tests in, run them as whoever works in the box, and read the reward through the engine."""
    reset = await box.exec(RESET, user="root")
    if not reset.ok:
        raise Undecided(f"the reward's folder could not be made: {reset.err.strip()[-300:]}")
    for path, file in params.files.items():
        executable = file.executable or path == "test.sh"
        await box.write(posixpath.join(TESTS, path), file.data, mode=0o755 if executable else 0o644, user="root")
    done = await box.exec(f"{TESTS}/test.sh", timeout=params.timeout)
    await box.exec(END)
    if done.stopped:
        return Trial(None, done, f"test.sh was stopped: {done.stopped}")
    for name in REWARDS:
        try:
            return Trial(parsed(name, await box.read(f"{LOGS}/{name}", limit=1 << 16)), done)
        except (FileNotFoundError, IsADirectoryError):
            continue
        except (ValueError, RecursionError) as wrong:
            return Trial(None, done, f"{name} cannot be read: {wrong}")
    return Trial(None, done, f"test.sh ended with code {done.code} and left no reward")


def parsed(name: str, data: bytes) -> float:
    """A number; of a flat object the entry `reward`, or the least of its entries. ValueError for anything else."""
    if name.endswith(".txt"):
        return _number(float(data.decode().strip()))
    value = json.loads(data)
    if not isinstance(value, dict) or not value:
        raise ValueError("it is no object with a number")
    return _number(value["reward"]) if "reward" in value else min(map(_number, value.values()))


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{value!r} is no reward")
    return float(value)


def _forgeries(diff: bytes) -> list[str]:
    """Added lines that name the reward's place: no honest solution has business there."""
    names = (LOGS, *REWARDS)
    return [
        f"{line.path}:{line.number} names the reward: {line.text.strip()[:160]}"
        for line in diffs.added(diff)
        if any(name in line.text for name in names)
    ]


async def _must_be_the_attempt(box: Sandbox, task: Task, params: HarborParams, trial: Trial) -> None:
    """Run the same tests over the reference. Where they leave no reward either, nothing is known of the attempt."""
    await protected.sure(box, REVERT)
    for content, play in ((task.reference.patch, APPLY), (task.reference.script, SCRIPT)):
        if content:
            await box.write(SOLUTION, content.encode())
            await box.exec(f"{play}; rm -f {SOLUTION}", timeout=params.timeout)
    control = await tried(box, params)
    if control.reward is None:
        raise Undecided(f"the tests leave no reward: {trial.why}; with the reference: {control.why}")
