"""The flows with a real Prefect server and a real worker, and with the server gone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.crucible.postgres import free_port
from tests.flows.nights import config, ended, left_in, start

PREFECT = str(Path(sys.executable).parent / "prefect")
WAIT = 60.0


@dataclass
class Scheduler:
    """A server on a loopback port, with a home of its own."""

    address: str
    variables: dict[str, str]
    process: subprocess.Popen[bytes]

    def prefect(self, *arguments: str) -> None:
        command = [PREFECT, "--no-prompt", *arguments]
        done = subprocess.run(command, env=os.environ | self.variables, capture_output=True, text=True, timeout=90)
        assert done.returncode == 0, done.stdout + done.stderr

    def asked(self, what: str) -> list[dict[str, object]]:
        """All there is of artifacts, flow_runs, task_runs."""
        question = urllib.request.Request(
            f"{self.address}/{what}/filter", b"{}", {"Content-Type": "application/json"}, method="POST"
        )
        with urllib.request.urlopen(question, timeout=10) as answer:
            found: list[dict[str, object]] = json.load(answer)
        return found


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scheduler]:
    home, port = tmp_path_factory.mktemp("prefect"), free_port()
    address = f"http://127.0.0.1:{port}/api"
    quiet = {"DO_NOT_TRACK": "1", "PREFECT_SERVER_ANALYTICS_ENABLED": "false", "PREFECT_HOME": str(home)}
    command = [PREFECT, "server", "start", "--host", "127.0.0.1", "--port", str(port), "--no-ui"]
    with (home / "log").open("wb") as log:
        process = subprocess.Popen(command, env=os.environ | quiet, stdout=log, stderr=log)
    try:
        _await(f"{address}/health")
        yield Scheduler(address, quiet | {"PREFECT_API_URL": address}, process)
    finally:
        process.terminate()
        process.wait(timeout=30)


def _await(address: str) -> None:
    until = time.monotonic() + WAIT
    while time.monotonic() < until:
        try:
            urllib.request.urlopen(address, timeout=2).close()
            return
        except OSError:
            time.sleep(0.2)
    raise AssertionError(f"{address} does not answer")


@pytest.mark.slow
def test_every_deployment_is_run_by_a_worker_and_publishes_the_funnel(scheduler: Scheduler, tmp_path: Path) -> None:
    file = config(tmp_path, 20)
    scheduler.prefect("work-pool", "create", "crucible", "--type", "process")
    scheduler.prefect("deploy", "--all")
    given = ("--param", f"config={file}")
    toy = ("--param", "pipeline=tests.flows.toy:toy", "--param", 'origin="20"')
    for name, more in (("nightly/nightly", ()), ("pipeline/swe", toy), ("export/export", ())):
        scheduler.prefect("deployment", "run", name, *given, *more)
    scheduler.prefect("worker", "start", "--pool", "crucible", "--run-once")
    states = {str(run["name"]): run["state_type"] for run in scheduler.asked("flow_runs") if not run["auto_scheduled"]}
    assert sorted(states.values()) == ["COMPLETED"] * 3  # type: ignore[type-var]
    tasks, tried, judged = left_in(tmp_path)
    assert (len(tasks), len(tried), len(judged)) == (16, 32, 32)
    assert {"funnel", "report"} <= {artifact["key"] for artifact in scheduler.asked("artifacts")}


@pytest.mark.slow
def test_a_killed_flow_run_is_completed_by_the_next(scheduler: Scheduler, tmp_path: Path) -> None:
    file = config(tmp_path, 40)
    process = start(file, **scheduler.variables)
    until = time.monotonic() + WAIT
    while not (tmp_path / "ledger.sqlite").exists() and time.monotonic() < until:
        time.sleep(0.05)
    time.sleep(0.5)
    process.kill()
    process.communicate()
    assert ended(start(file, **scheduler.variables)) == 0
    tasks, tried, judged = left_in(tmp_path)
    assert (len(tasks), len(tried), len(judged)) == (32, 64, 64)


def test_a_server_that_does_not_answer_is_one_line_and_the_night_can_do_without(tmp_path: Path) -> None:
    file = config(tmp_path, 5)
    process = start(file, PREFECT_API_URL=f"http://127.0.0.1:{free_port()}/api", PREFECT_HOME=str(tmp_path / "prefect"))
    _, said = process.communicate(timeout=120)
    assert process.returncode == 1
    assert "the Prefect server does not answer" in said.splitlines()[-1]
    assert "--no-prefect" in said.splitlines()[-1]
    assert ended(start(file, "--no-prefect")) == 0
