"""The flows with a real Prefect server and a real worker, and with the server gone."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from crucible.cli.app import GONE
from crucible.cli.nightly import QUIET
from crucible.errors import SettingsError
from flows.nightly import serve
from tests.crucible.postgres import free_port
from tests.flows.nights import exit_code, ledger_contents_at, start_night, wait_until_made, write_config
from tests.patience import HUNG, wait_until

PREFECT = str(Path(sys.executable).parent / "prefect")
IN_BACKGROUND = ["sh", "-c", "trap '' INT; exec \"$@\"", "sh"]
"""Starts a command as a shell starts its background jobs: deaf to interrupts."""


@dataclass
class Scheduler:
    """A server on a loopback port, with a home of its own."""

    home: Path
    port: int = field(default_factory=free_port)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/api"

    @property
    def variables(self) -> dict[str, str]:
        return self._quiet | {"PREFECT_API_URL": self.address}

    @property
    def _quiet(self) -> dict[str, str]:
        return QUIET | {"PREFECT_HOME": str(self.home)}

    def start(self) -> None:
        command = [PREFECT, "server", "start", "--host", "127.0.0.1", "--port", str(self.port), "--no-ui"]
        with (self.home / "log").open("ab") as log:
            self.process = subprocess.Popen(command, env=os.environ | self._quiet, stdout=log, stderr=log)
        _wait_for_answer(f"{self.address}/health")

    def stop(self, how: int = signal.SIGTERM) -> None:
        self.process.send_signal(how)
        self.process.wait(timeout=HUNG)

    def prefect(self, *arguments: str) -> None:
        command = [PREFECT, "--no-prompt", *arguments]
        done = subprocess.run(command, env=os.environ | self.variables, capture_output=True, text=True, timeout=HUNG)
        assert done.returncode == 0, done.stdout + done.stderr

    def ask(self, path: str, **said: object) -> Any:
        """What the server answers: a twentieth of the work of a process of `prefect` that asks the same."""
        question = urllib.request.Request(
            f"{self.address}/{path}", json.dumps(said).encode(), {"Content-Type": "application/json"}, method="POST"
        )
        with urllib.request.urlopen(question, timeout=HUNG) as answer:
            return json.load(answer)

    def list_all(self, what: str) -> list[dict[str, object]]:
        """All that the server has of one kind: artifacts, flow_runs, task_runs."""
        found: list[dict[str, object]] = self.ask(f"{what}/filter")
        return found

    def forget_all(self, what: str) -> None:
        """Delete all that the server has of one kind."""
        for each in self.list_all(what):
            question = urllib.request.Request(f"{self.address}/{what}/{each['id']}", method="DELETE")
            wait_until(lambda question=question: _is_heard(question), "a busy server hears nothing")


def _is_heard(question: urllib.request.Request) -> bool:
    """Whether the server did what it was asked; a busy one says 503."""
    try:
        urllib.request.urlopen(question, timeout=HUNG).close()
    except urllib.error.HTTPError as answer:
        if answer.code != 503:
            raise
        return False
    return True


@contextmanager
def running_scheduler(home: Path) -> Iterator[Scheduler]:
    server = Scheduler(home)
    server.start()
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scheduler]:
    with running_scheduler(tmp_path_factory.mktemp("prefect")) as server:
        yield server


@pytest.fixture
def idle_scheduler(scheduler: Scheduler) -> Scheduler:
    """A server that knows of no earlier schedule, whose late runs would be made up for first."""
    scheduler.forget_all("deployments")
    scheduler.forget_all("flow_runs")
    return scheduler


def _wait_for_answer(address: str) -> None:
    def answers() -> bool:
        with suppress(OSError), urllib.request.urlopen(address, timeout=60):
            return True
        return False

    wait_until(answers, address)


@pytest.mark.slow
def test_every_deployment_is_run_by_a_worker_and_publishes_the_funnel(scheduler: Scheduler, tmp_path: Path) -> None:
    file = write_config(tmp_path, 10)
    scheduler.ask("work_pools/", name="crucible", type="process")
    scheduler.prefect("deploy", "--all")
    parameters = {"swe": {"pipeline": "tests.flows.toy:toy", "origin": "10"}}
    deployed = {str(each["name"]): each["id"] for each in scheduler.list_all("deployments")}
    assert sorted(deployed) == ["export", "nightly", "swe"]
    for name, id in deployed.items():
        given = {"config": str(file), **parameters.get(name, {})}
        scheduler.ask(f"deployments/{id}/create_flow_run", parameters=given)
    scheduler.prefect("worker", "start", "--pool", "crucible", "--run-once")
    states = {
        str(run["name"]): run["state_type"] for run in scheduler.list_all("flow_runs") if not run["auto_scheduled"]
    }
    assert sorted(states.values()) == ["COMPLETED"] * 3  # type: ignore[type-var]
    tasks, tried, judged = ledger_contents_at(tmp_path)
    assert (len(tasks), len(tried), len(judged)) == (8, 16, 16)
    assert {"funnel", "report"} <= {artifact["key"] for artifact in scheduler.list_all("artifacts")}


@pytest.mark.slow
def test_a_killed_flow_run_is_completed_by_the_next(scheduler: Scheduler, tmp_path: Path) -> None:
    file = write_config(tmp_path, 20)
    process = start_night(file, **scheduler.variables)
    wait_until_made("raw", 1, f"sqlite:///{tmp_path}/ledger.sqlite")
    process.kill()
    process.communicate()
    assert exit_code(start_night(file, **scheduler.variables)) == 0
    tasks, tried, judged = ledger_contents_at(tmp_path)
    assert (len(tasks), len(tried), len(judged)) == (16, 32, 32)


@pytest.mark.slow
def test_a_server_killed_in_the_middle_is_one_line_and_costs_no_work(scheduler: Scheduler, tmp_path: Path) -> None:
    file = write_config(tmp_path, 20)
    process = start_night(file, **scheduler.variables, TOY_PAUSE="0.1", PREFECT_CLIENT_MAX_RETRIES="0")
    wait_until_made("task", 5, f"sqlite:///{tmp_path}/ledger.sqlite")
    scheduler.stop(signal.SIGKILL)
    _, said = process.communicate(timeout=HUNG)
    scheduler.start()
    assert process.returncode == GONE
    (line,) = [line for line in said.splitlines() if line.startswith("crucible: ")]
    assert line == said.splitlines()[-1], "nothing is said after it"
    assert "the Prefect server does not answer" in line
    assert "what was finished is kept" in line
    assert "Traceback" not in said
    before = ledger_contents_at(tmp_path)
    assert len(before[0]) >= 5
    assert exit_code(start_night(file, **scheduler.variables)) == 0
    tasks, tried, judged = after = ledger_contents_at(tmp_path)
    assert (len(tasks), len(tried), len(judged)) == (16, 32, 32)
    assert all(old <= new for old, new in zip(before, after, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "prefix"),
    [(signal.SIGINT, []), (signal.SIGTERM, IN_BACKGROUND)],
    ids=["interrupted", "terminated-in-background"],
)
def test_a_schedule_runs_nights_until_it_is_stopped(
    idle_scheduler: Scheduler, tmp_path: Path, how: signal.Signals, prefix: list[str]
) -> None:
    command = [
        *prefix,
        sys.executable,
        "-m",
        "crucible",
        "--config",
        str(write_config(tmp_path, 10)),
        "nightly",
        "--cron",
    ]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    variables = os.environ | idle_scheduler.variables
    process = subprocess.Popen([*command, "* * * * * */10"], env=variables, text=True, **pipes)
    wait_until((tmp_path / "report" / "index.html").exists)
    process.send_signal(how)
    out, said = process.communicate(timeout=HUNG)
    assert (process.returncode, said) == (0, ""), out + said
    tasks, tried, judged = ledger_contents_at(tmp_path)
    assert (len(tasks), len(tried), len(judged)) == (8, 16, 16)


def test_a_server_that_does_not_answer_is_one_line_and_the_night_can_do_without(tmp_path: Path) -> None:
    file = write_config(tmp_path, 5)
    process = start_night(
        file, PREFECT_API_URL=f"http://127.0.0.1:{free_port()}/api", PREFECT_HOME=str(tmp_path / "prefect")
    )
    _, said = process.communicate(timeout=HUNG)
    assert process.returncode == GONE
    assert "the Prefect server does not answer" in said.splitlines()[-1]
    assert "--no-prefect" in said.splitlines()[-1]
    assert exit_code(start_night(file, "--no-prefect")) == 0


def test_what_is_no_schedule_is_refused_before_anything_starts() -> None:
    with pytest.raises(SettingsError, match="--cron 'every night' is no schedule"):
        serve("every night")
