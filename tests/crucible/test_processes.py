"""Several processes on one ledger, some of them killed: every item is done once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from crucible.model import Task
from crucible.running.run import Run, open_run
from crucible.settings import Settings
from crucible.stages.drain import seconds_until_ready
from crucible.store import funnel, lookup
from crucible.store.item import Item
from tests.patience import HUNG

WORKER = """
import sys, time
from pathlib import Path
from crucible.store.item import Item
from crucible.model import Task
from crucible.running.run import open_run
from crucible.settings import Settings

with open_run(Settings(home=Path(sys.argv[1]), ledger=sys.argv[2])) as run:
    while claims := run.ledger.claim("validate", 2, lease=float(sys.argv[4])):
        print(*(claim.item.id for claim in claims), flush=True)
        sys.stdin.readline()
        time.sleep(float(sys.argv[3]))
        for claim in claims:
            run.ledger.finish(claim, [Item.of("task", claim.item.record(Task), pipeline="swe")], "rollout")
"""


@pytest.fixture
def shared(tmp_path: Path, database: str) -> Settings:
    return Settings(home=tmp_path, ledger=database)


def worker(
    shared: Settings, pause: float = 0.0, lease: float = 900.0, prefix: Sequence[str] = ()
) -> subprocess.Popen[str]:
    command = [*prefix, sys.executable, "-c", WORKER, str(shared.home), shared.ledger, str(pause), str(lease)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def fill(run: Run, n: int) -> None:
    made = (Task(domain="swe", kind="bugfix", instruction=f"mend {number}") for number in range(n))
    run.ledger.put([Item.of("draft", task, pipeline="swe") for task in made], "validate")


def first_claims(process: subprocess.Popen[str]) -> list[str]:
    """What a worker claims first; it holds that until its input ends."""
    assert process.stdout is not None
    return process.stdout.readline().split()


def claimed(process: subprocess.Popen[str]) -> list[str]:
    """What a worker claims until nothing is left."""
    out, _ = process.communicate(timeout=HUNG)
    return out.split()


def test_two_processes_never_get_the_same_item(shared: Settings) -> None:
    with open_run(shared) as run:
        fill(run, 200)
        one, other = [worker(shared, 0.005) for _ in range(2)]
        held = first_claims(one) + first_claims(other)
        first, second = claimed(one), claimed(other)
        every = held + first + second
        assert len(every) == len(set(every)) == 200


def test_what_a_killed_process_held_is_free_for_the_next_run(shared: Settings) -> None:
    with open_run(shared) as run:
        fill(run, 2)
        with worker(shared, pause=60) as holder:
            held = first_claims(holder)
            assert run.ledger.claim("validate", 9) == []
            assert run.ledger.release() == 0, "its holder lives"
            holder.kill()
        assert run.ledger.release() == 2
        assert [claim.item.id for claim in run.ledger.claim("validate", 9)] == held


def test_killed_at_any_instant_nothing_is_lost_or_done_twice(shared: Settings) -> None:
    with open_run(shared) as run:
        fill(run, 120)
        for moment in (0.0, 0.07, 0.19):
            with worker(shared, 0.01) as process:
                first_claims(process)
                assert process.stdin is not None
                process.stdin.close()
                time.sleep(moment)
                process.send_signal(signal.SIGKILL)
        assert claimed(worker(shared))
        validate, rollout = funnel.count_funnel(run.ledger).stages
        assert (validate.came, validate.done, rollout.came) == (120, 120, 120)
        assert len(list(lookup.list_items(run.ledger, "task"))) == 120


def test_a_stopped_run_gives_back_what_it_held(shared: Settings) -> None:
    with open_run(shared) as run:
        fill(run, 2)
        with worker(shared, pause=60) as process:
            first_claims(process)
            process.send_signal(signal.SIGINT)
        assert [claim.attempt for claim in run.ledger.claim("validate", 9)] == [1, 1]


def elsewhere() -> list[str]:
    """Runs a command under the name of another machine."""
    prefix = ["unshare", "--uts", "sh", "-c", 'hostname elsewhere && exec "$@"', "sh"]
    if os.geteuid() != 0 or subprocess.run([*prefix, "true"], capture_output=True).returncode != 0:
        pytest.skip("this machine does not let root give a process another host name")
    return prefix


def test_what_a_dead_worker_of_another_machine_held_is_free_when_its_lease_ends_and_not_before(
    shared: Settings,
) -> None:
    with open_run(shared) as run:
        fill(run, 2)
        with worker(shared, pause=60, lease=2, prefix=elsewhere()) as holder:
            held = first_claims(holder)
            holder.kill()
        assert run.ledger.release() == 0, "nobody here can tell whether it lives"
        seconds = seconds_until_ready(run, ["validate"])
        assert seconds is not None
        ends = time.monotonic() + seconds
        while not (claims := run.ledger.claim("validate", 9)):
            time.sleep(0.02)
        assert time.monotonic() >= ends - 0.01
        assert [claim.item.id for claim in claims] == held
        assert claimed(worker(shared)) == [], "now they are ours"
