"""A card is what the hub and `datasets` read: splits, configs and features load from the folder as it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import datasets
import pytest
from huggingface_hub import DatasetCard

from crucible.model import Provenance
from crucible.running.run import Run, open_run
from crucible.settings import Settings
from crucible.shards.manifest import Request
from crucible.stages import export
from tests.exporters import attempts


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    with open_run(Settings(home=tmp_path / "home")) as opened:
        for number in range(8):
            task = attempts.task(number, provenance=Provenance(source=f"git:shelf-{number}#1", licence="MIT"))
            attempts.keep(opened, task, attempts.shapes(task)["native"])
        yield opened


async def test_the_folder_loads_with_its_splits_and_its_lineage(run: Run, tmp_path: Path) -> None:
    out, cache = tmp_path / "out", str(tmp_path / "cache")
    await export(run, Request(format="trl", splits={"validation": 0.5}), out)
    datasets.disable_progress_bars()
    splits = datasets.load_dataset(str(out), cache_dir=cache)
    assert set(splits) == {"train", "validation"}
    assert sum(map(len, splits.values())) == 8
    assert isinstance(splits["train"][0]["tools"], list)
    assert len(datasets.load_dataset(str(out), "lineage", split="train", cache_dir=cache)) == 8


async def test_what_was_loaded_from_an_earlier_export_to_the_same_place_is_not_taken_for_this_one(
    run: Run, tmp_path: Path
) -> None:
    out, cache = tmp_path / "out", str(tmp_path / "cache")
    for where, rows in (("", 8), ("task.provenance.source == 'git:shelf-1#1'", 1)):
        await export(run, Request(format="trl", where=where), out)
        assert len(datasets.load_dataset(str(out), split="train", cache_dir=cache)) == rows


async def test_the_hub_s_own_reader_takes_the_card(run: Run, tmp_path: Path) -> None:
    await export(run, Request(format="trl"), tmp_path / "out")
    card = DatasetCard.load(tmp_path / "out" / "README.md")
    assert card.data.license == "mit"
    assert [config["config_name"] for config in card.data.to_dict()["configs"]] == ["default", "lineage"]
    assert card.data.size_categories == ["n<1K"]


async def test_the_card_says_when_failed_attempts_are_in_it(run: Run, tmp_path: Path) -> None:
    await export(run, Request(format="prime-rl", judged=True), tmp_path / "out")
    assert "Attempts that failed are in here too" in (tmp_path / "out" / "README.md").read_text()
