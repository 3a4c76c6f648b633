"""Splits keep an origin together, duplicates and what is too long are counted, and columns tell of the attempt."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from crucible.cli.export import parse_splits
from crucible.errors import NothingToExport, SettingsError
from crucible.model import Agent, Provenance
from crucible.running.run import Run
from crucible.shards.gathering import choose_split
from crucible.shards.manifest import Request
from crucible.stages import export
from tests.exporters import attempts

DONE = attempts.step("I think", "Done.")


def rows_of(out: Path, split: str = "train") -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pq.read_table(sorted((out / "data").glob(f"{split}-*.parquet"))).to_pylist()
    return rows


def mend(number: int, source: str, **fields: Any) -> Any:
    return attempts.task(number, provenance=Provenance(source=source, licence="MIT", commit="c0ffee"), **fields)


async def test_rows_can_be_filtered_by_what_is_known_of_their_attempt(run: Run, out: Path) -> None:
    task = mend(0, "git:shelf#7")
    diff = run.blobs.put(b"diff --git a/x b/x\n+https://me:hunter2@example.org\n")
    one = attempts.attempt(task, *attempts.shapes(task)["nudged"].steps, artifacts={"diff": diff}, left="changed")
    attempts.keep(run, task, one)
    await export(run, Request(format="trl"), out)
    first, second = rows_of(out)
    assert (first["sample"], second["sample"]) == (0, 1)
    known = {name: second[name] for name in ("task_id", "origin", "base_commit", "kind", "teacher", "model", "licence")}
    assert known == {
        "task_id": task.id,
        "origin": "git:shelf",
        "base_commit": "c0ffee",
        "kind": "bugfix",
        "teacher": "openai",
        "model": "m",
        "licence": "MIT",
    }
    assert (second["resolved"], second["reward"], second["ended"], second["turns"]) == (True, 1.0, "submitted", 2)
    assert (second["harness"], second["scaffold"], second["parallel_calls"]) == ("loop", "native", False)
    assert second["patch"].startswith("diff --git")
    assert "hunter2" not in second["patch"]


async def test_what_came_from_one_repository_is_never_divided(run: Run, out: Path) -> None:
    for number in range(12):
        task = mend(number, f"git:shelf-{number % 6}#{number}")
        attempts.keep(run, task, attempts.attempt(task, DONE))
    done = await export(run, Request(format="trl", splits={"validation": 0.5}), out)
    there = {split: {row["origin"] for row in rows_of(out, split)} for split in ("train", "validation")}
    assert not there["train"] & there["validation"]
    assert len(there["train"] | there["validation"]) == 6
    assert done.counts.splits == {split: len(rows_of(out, split)) for split in there}
    assert "split: validation\n    path: data/validation-*.parquet" in (out / "README.md").read_text()


async def test_a_split_that_gets_nothing_is_not_in_the_card(run: Run, out: Path) -> None:
    task = mend(0, "git:shelf#7")
    attempts.keep(run, task, attempts.attempt(task, DONE))
    splits = {"validation": 0.0001}
    assert choose_split("git:shelf", splits) == "train"
    await export(run, Request(format="trl", splits=splits), out)
    assert "validation" not in (out / "README.md").read_text().partition("dataset_info")[0]


def test_posts_are_origins_of_their_own_and_repositories_are_whole() -> None:
    assert Provenance(source="git:owner/shelf#7").origin == "git:owner/shelf"
    assert Provenance(source="stack-exchange:unix#7").origin == "stack-exchange:unix#7"


@pytest.mark.parametrize("wrong", ["validation", "train=0.1", "a=0", "a=1.5", "a b=0.1"])
def test_a_split_that_makes_no_sense_is_refused(wrong: str) -> None:
    with pytest.raises(SettingsError, match="--split"):
        parse_splits([wrong])


async def test_the_same_attempt_twice_is_one_and_counted(run: Run, out: Path) -> None:
    task, other = mend(0, "git:a#1"), mend(1, "git:a#2")
    attempts.keep(run, task, *(attempts.attempt(task, DONE, seed=seed) for seed in range(3)))
    attempts.keep(run, other, attempts.attempt(other, DONE))
    done = await export(run, Request(format="trl"), out)
    assert (done.counts.trajectories, done.counts.rows, done.counts.left_out) == (2, 2, {"duplicate": 2})
    assert pq.read_table(out / "lineage.parquet").num_rows == 2
    everything = await export(run, Request(format="prime-rl", judged=True), out)
    assert everything.counts.trajectories == 4


async def test_what_is_too_long_is_left_out_in_characters_or_in_tokens(run: Run, out: Path, tmp_path: Path) -> None:
    task = mend(0, "git:a#1")
    attempts.keep(run, task, attempts.attempt(task, DONE))
    attempts.keep(run, task, attempts.attempt(task, attempts.step("", "long " * 100), seed=1))
    done = await export(run, Request(format="trl", longest=200), out)
    assert (done.counts.rows, done.counts.left_out) == (1, {"too_long": 1})
    assert (rows_of(out)[0]["characters"], rows_of(out)[0]["tokens"]) == (
        len("You mend.Mend number 0.I thinkDone."),
        None,
    )
    tokenizer = Tokenizer(models.WordLevel({"?": 0}, unk_token="?"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    await export(run, Request(format="trl", longest=50, tokenizer=str(tmp_path / "tokenizer.json")), out)
    assert [row["tokens"] for row in rows_of(out)] == [8]  # You mend. Mend number 0. I think Done.
    request = json.loads((out / "manifest.json").read_text())["request"]
    assert request["tokenizer"].startswith("tokenizer.json@")


async def test_a_file_that_is_no_tokenizer_is_told_before_anything_is_written(run: Run, out: Path) -> None:
    with pytest.raises(SettingsError, match="is not a tokenizer"):
        await export(run, Request(format="trl", tokenizer="README.md"), out)


async def test_an_authored_duplicate_does_not_hide_an_attempt(run: Run, out: Path) -> None:
    task = mend(0, "git:a#1")
    agents = [Agent(scaffold="native", teacher=teacher) for teacher in ("oracle", "openai")]
    attempts.keep(run, task, *(attempts.attempt(task, DONE, agent=agent) for agent in agents))
    assert (await export(run, Request(format="trl"), out)).counts.left_out == {"authored": 1}


async def test_folders_have_no_splits(run: Run, out: Path) -> None:
    with pytest.raises(SettingsError, match="is a folder of files"):
        await export(run, Request(format="harbor", splits={"test": 0.5}), out)
    with pytest.raises(NothingToExport):
        await export(run, Request(format="harbor"), out)
