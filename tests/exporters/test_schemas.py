"""The columns that trainers were seen to accept, recorded: a change here is a change for everybody who reads shards."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crucible import parts
from crucible.part_kinds import Part
from crucible.shards.schema import features_of_part, schema_of_part

RECORDED = Path(__file__).with_name("schemas.json")
PARQUET = [part for part in parts.every("exporter") if part.shape == "parquet" and not part.name.startswith("test")]


def columns(part: Part) -> dict[str, str]:
    """A format's columns: their Arrow types, and what the card declares them as."""
    declared = {feature["name"]: feature for feature in features_of_part(part)}
    return {
        column.name: f"{column.type}{_declared_as(declared.get(column.name, {}))}" for column in schema_of_part(part)
    }


def _declared_as(feature: dict[str, object]) -> str:
    return next((f" as {kind}" for kind in ("json", "image") if kind in json.dumps(feature)), "")


@pytest.mark.parametrize("part", PARQUET, ids=lambda part: part.name)
def test_a_format_has_the_columns_that_were_recorded(part: Part) -> None:
    assert columns(part) == json.loads(RECORDED.read_text())[part.name]


def test_every_attempt_s_row_has_the_columns_that_people_filter_by() -> None:
    wanted = {
        "task_id",
        "group",
        "origin",
        "base_commit",
        "kind",
        "teacher",
        "model",
        "harness",
        "scaffold",
        "resolved",
    }
    wanted |= {"reward", "ended", "turns", "tokens", "licence", "patch"}
    assert all(wanted <= columns(part).keys() for part in PARQUET if part.per == "trajectory")
