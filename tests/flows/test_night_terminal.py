"""A night runs the terminal pipeline beside the SWE one: both become sound tasks, attempts and shards."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from crucible.model import Task
from crucible.running.run import open_run
from crucible.running.settings_layers import load_settings
from crucible.settings import Settings
from crucible.store.funnel import count_funnel
from crucible.store.lookup import list_items
from tests.flows.nights import exit_code, start_night
from tests.flows.test_server import running_scheduler

PIPELINES = "swe=sample_data/swe/shelf,terminal=sample_data/terminal"
CONFIG = """
home = "{home}"
[soundness]
repeats = 1
probes = false
[transforms]
variants = 0
[nightly]
authored = true
[[nightly.pipelines]]
name = "swe"
origin = "sample_data/swe/shelf"
limit = 1
[[nightly.pipelines]]
name = "terminal"
origin = "sample_data/terminal"
limit = 1
"""


@pytest.mark.slow
def test_a_night_of_the_scheduler_takes_both_pipelines_to_shards(tmp_path: Path) -> None:
    home = tmp_path / "home"
    file = tmp_path / "crucible.toml"
    file.write_text(CONFIG.format(home=home))
    with running_scheduler(tmp_path) as scheduler:
        assert exit_code(start_night(file, **scheduler.variables)) == 0
        pieces = [str(run["name"]) for run in scheduler.list_all("task_runs")]
        artifacts = {artifact["key"] for artifact in scheduler.list_all("artifacts")}
    with open_run(Settings(home=home)) as run:
        domains = Counter(item.record(Task).domain for item in list_items(run.ledger, "task"))
        stages = {stage.pipeline for stage in count_funnel(run.ledger).stages}
    [manifest] = home.glob("shards/**/manifest.json")
    assert set(domains) == {"swe", "terminal"}
    assert stages >= {"swe", "terminal"}
    assert json.loads(manifest.read_text())["counts"]["trajectories"] == domains.total()
    assert any(piece.startswith("terminal: mine") for piece in pieces), pieces
    assert {"funnel", "report"} <= artifacts


def test_pipelines_are_told_on_one_line() -> None:
    settings = load_settings(None, {"nightly.pipelines": PIPELINES}).settings
    assert [(line.name, line.origin) for line in settings.nightly.pipelines] == [
        ("swe", "sample_data/swe/shelf"),
        ("terminal", "sample_data/terminal"),
    ]
