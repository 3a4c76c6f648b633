"""Beside the shards stands what a trainer needs to train on them, listed in the manifest."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from crucible import parts
from crucible.running.run import Run, open_run
from crucible.settings import Settings
from crucible.shards.checking import check_folder
from crucible.shards.manifest import Request
from crucible.stages import export
from tests.exporters import attempts

READY = {path.name for path in (Path(__file__).parents[3] / "exporters" / "ready").iterdir()}
TRAINED = [part.name for part in parts.every("exporter") if part.name in READY and part.per == "trajectory"]


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    with open_run(Settings(home=tmp_path / "home")) as opened:
        task = attempts.task()
        attempts.keep(opened, task, attempts.shapes(task)["native"])
        attempts.keep(opened, task, attempts.attempt(task, attempts.step("", "No."), seed=9), outcome="fail", score=0.0)
        yield opened


async def exported(run: Run, format: str, out: Path) -> Path:
    await export(run, Request(format=format), out)
    return out


def test_every_format_for_fine_tuning_is_ready() -> None:
    tables = [part.name for part in parts.every("exporter") if part.shape == "parquet" and part.per == "trajectory"]
    assert {name for name in tables if not name.startswith("test")} - set(TRAINED) == {"critic"}


@pytest.mark.parametrize("format", TRAINED)
async def test_a_format_for_fine_tuning_has_a_configuration_and_says_what_is_trained(
    run: Run, tmp_path: Path, format: str
) -> None:
    out = await exported(run, format, tmp_path / "out")
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["ready"]
    assert "\nTrained " in (out / "README.md").read_text()
    (out / manifest["ready"][0]["name"]).write_text("spoilt")
    assert [fault.file for fault in check_folder(out).faults] == [manifest["ready"][0]["name"]]


async def test_the_configurations_of_an_earlier_export_do_not_stay(run: Run, tmp_path: Path) -> None:
    out = await exported(run, "llama-factory", tmp_path / "out")
    assert (out / "dataset_info.json").exists()
    (out / "notes.txt").write_text("mine")
    await exported(run, "axolotl", out)
    assert not (out / "dataset_info.json").exists()
    assert (out / "axolotl.yaml").exists()


async def test_configurations_name_columns_that_are_there(run: Run, tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    llama = await exported(run, "llama-factory", tmp_path / "llama")
    columns = set(pq.read_table(llama / "data").column_names)
    for dataset in json.loads((llama / "dataset_info.json").read_text()).values():
        assert set(dataset["columns"].values()) <= columns
    axolotl = await exported(run, "axolotl", tmp_path / "axolotl")
    [dataset] = yaml.safe_load((axolotl / "axolotl.yaml").read_text())["datasets"]
    turn = pq.read_table(axolotl / "data")[dataset["field_messages"]].to_pylist()[0][0]
    assert dataset["message_field_training"] in turn
