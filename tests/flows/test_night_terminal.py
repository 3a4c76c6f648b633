"""A night runs the terminal pipeline beside the SWE one: both become sound tasks, attempts and shards."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from crucible.model import Task
from crucible.running.run import open_run
from crucible.running.settings_layers import load_settings
from crucible.settings import NightlySettings, Settings, SoundnessSettings
from crucible.stages.night import night
from crucible.store.lookup import list_items

PIPELINES = "swe=sample_data/swe/shelf,terminal=sample_data/terminal"


@pytest.mark.slow
async def test_a_night_takes_both_pipelines_to_shards(tmp_path: Path) -> None:
    nightly = NightlySettings.model_validate({"pipelines": PIPELINES, "authored": True})
    few = tuple(line.model_copy(update={"limit": 2 if line.name == "swe" else 3}) for line in nightly.pipelines)
    settings = Settings(
        home=tmp_path / "home",
        soundness=SoundnessSettings(repeats=1, probes=False),
        nightly=nightly.model_copy(update={"pipelines": few}),
    )
    with open_run(settings) as run:
        made = await night(run)
        domains = Counter(item.record(Task).domain for item in list_items(run.ledger, "task"))
    assert set(domains) == {"swe", "terminal"}
    assert {stage.pipeline for stage in made.funnel.stages} >= {"swe", "terminal"}
    assert made.exported is not None
    assert made.exported.counts.trajectories == domains.total()
    assert (made.stopped, Path(made.report).exists()) == ((), True)


def test_pipelines_are_told_on_one_line() -> None:
    settings = load_settings(None, {"nightly.pipelines": PIPELINES}).settings
    assert [(line.name, line.origin) for line in settings.nightly.pipelines] == [
        ("swe", "sample_data/swe/shelf"),
        ("terminal", "sample_data/terminal"),
    ]
