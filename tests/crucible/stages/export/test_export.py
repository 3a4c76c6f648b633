"""An export is whole or not there, the same every time, safe whatever is in it, and says what it left out."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from crucible import parts
from crucible.cli.app import invoke
from crucible.errors import NothingToExport, SettingsError, UnknownPart
from crucible.judging import reading
from crucible.model import Check, Provenance
from crucible.running.run import Run, open_run
from crucible.settings import Settings
from crucible.shards import files, parallel, rendering
from crucible.shards.manifest import Request
from crucible.stages import export
from crucible.store.item import Item
from tests.crucible.stages.export.exports import TRL, fill, read_manifest, read_tree
from tests.exporters import attempts
from tests.patience import HUNG

OF_SUITES = ("harbor", "harbor-parquet", "swe-bench")
"""Formats that take only tasks with a test suite, which these made-up ones have not."""


@pytest.mark.parametrize(
    "format", [part.name for part in parts.every("exporter") if part.name not in OF_SUITES and not part.pairs]
)
async def test_the_same_ledger_and_filter_give_the_same_bytes(run: Run, tmp_path: Path, format: str) -> None:
    fill(run)
    request = Request(format=format, where="reward == 1")
    for name in ("one", "two"):
        await export(run, request, tmp_path / name)
    assert read_tree(tmp_path / "one") == read_tree(tmp_path / "two")


async def test_the_order_in_which_attempts_were_made_does_not_matter(run: Run, tmp_path: Path) -> None:
    fill(run)
    await export(run, TRL, tmp_path / "one")
    with open_run(Settings(home=tmp_path / "other")) as other:
        for number in (2, 0, 1):
            task = attempts.task(number)
            attempts.keep(other, task, *reversed(attempts.shapes(task).values()))
        await export(other, TRL, tmp_path / "two")
    assert read_tree(tmp_path / "one") == read_tree(tmp_path / "two")
    ids = pq.read_table(tmp_path / "one" / "data")["trajectory_id"].to_pylist()
    assert ids == sorted(ids)


@pytest.mark.parametrize("format", ["trl", "atif"])
async def test_several_processes_write_the_same_bytes_as_one(
    run: Run, tmp_path: Path, format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pages are small and every portion ends early, so that many come back out of turn."""
    check = Check(verifier="suite", params={"x": 1})
    for number in range(6):
        task = attempts.task(number, checks=(check,))
        attempts.keep(run, task, *attempts.shapes(task).values(), outcome="fail" if number == 3 else "pass")
    request = Request(format=format, where="reward == 1")
    monkeypatch.setattr(reading, "PAGE_ATTEMPTS", 5)
    await export(run, request, tmp_path / "one")
    monkeypatch.setattr(parallel, "MANY", 1)
    monkeypatch.setattr(parallel.os, "sched_getaffinity", lambda _: {0, 1, 2, 3})
    await export(run, request, tmp_path / "two")
    assert read_manifest(tmp_path / "one").counts.tasks == 5
    assert read_tree(tmp_path / "one") == read_tree(tmp_path / "two")


async def test_the_manifest_names_the_lists_that_every_task_was_held_against(run: Run, out: Path) -> None:
    for number, lists in enumerate((("a@1", "b@2"), ("b@2", "c@3"))):
        task = attempts.task(number, provenance=Provenance(source="git:x#1", licence="MIT", held_against=lists))
        attempts.keep(run, task, attempts.shapes(task)["native"])
    await export(run, TRL, out)
    assert read_manifest(out).decontamination == ("b@2",)


async def test_a_page_of_large_attempts_is_rendered_in_portions(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(run)
    await export(run, TRL, tmp_path / "one")
    monkeypatch.setattr(rendering, "LARGEST", 1)
    monkeypatch.setattr(reading, "BATCH_BYTES", 2)
    await export(run, TRL, tmp_path / "two")
    assert read_tree(tmp_path / "one") == read_tree(tmp_path / "two")


async def test_clocks_and_costs_do_not_enter(run: Run, tmp_path: Path) -> None:
    task = attempts.task()
    one = attempts.shapes(task)["native"]
    slow = one.model_copy(
        update={"seconds": 99.0, "steps": tuple(s.model_copy(update={"seconds": 7.0}) for s in one.steps)}
    )
    for name, made in (("one", one), ("two", slow)):
        with open_run(Settings(home=tmp_path / f"home-{name}")) as run:
            attempts.keep(run, task, made)
            await export(run, TRL, tmp_path / name)
    assert read_tree(tmp_path / "one") == read_tree(tmp_path / "two")


async def test_the_manifest_accounts_for_everything(run: Run, out: Path) -> None:
    fill(run, 2)
    task = attempts.task(7, provenance=Provenance(licence="BSD-3-Clause", author="Ada Byron"), kind="feature")
    attempts.keep(run, task, attempts.attempt(task, attempts.step("", "https://me:hunter2@example.org")))
    attempts.keep(run, task, attempts.attempt(task, seed=1), outcome="fail", score=0.0)
    attempts.keep(run, task, attempts.attempt(task, seed=2), outcome="error", score=0.0)
    run.ledger.put([Item.of("trajectory", attempts.attempt(task, seed=3))])
    run.ledger.put([Item.of("trajectory", attempts.attempt(attempts.task(99)))])
    await export(run, Request(format="trl", where="task.instruction != 'Mend number 1.'"), out)
    manifest = read_manifest(out)
    assert manifest.counts.left_out == {
        "failed": 1,
        "filtered": 7,
        "not_judged": 2,
        "nothing_to_learn": 1,
        "task_gone": 1,
    }
    assert manifest.counts.licences == {"BSD-3-Clause": 1, "MIT": 6}
    assert manifest.counts.authors == {"Ada Byron": 1, "unknown": 6}
    assert {"Ada Byron", ""} == set(pq.read_table(out / manifest.lineage.name)["author"].to_pylist())
    assert (manifest.counts.tasks, manifest.counts.trajectories) == (2, 7)
    assert manifest.counts.redacted == {"url-password": 1}
    assert manifest.verifiers == {"told": (1,)}
    for shard in (*manifest.shards, manifest.lineage):
        data = (out / shard.name).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (shard.bytes, shard.sha256)
        assert pq.read_metadata(out / shard.name).num_rows == shard.rows
    assert manifest.lineage.rows == 7


async def test_an_attempt_judged_by_an_older_verifier_waits_until_it_is_judged_again(run: Run, out: Path) -> None:
    task = attempts.task()
    one = attempts.attempt(task)
    run.ledger.put([Item.of("task", task), Item.of("trajectory", one)])
    run.ledger.keep_verdict(attempts.verdict(task, one).model_copy(update={"version": 0}))
    with pytest.raises(NothingToExport, match="left out: 1 not_judged"):
        await export(run, TRL, out)


async def test_one_check_of_two_is_not_enough(run: Run, out: Path) -> None:
    task = attempts.task(checks=(Check(verifier="told"), Check(verifier="told", params={"again": True})))
    attempts.keep(run, task, attempts.attempt(task))
    with pytest.raises(NothingToExport, match="left out: 1 not_judged"):
        await export(run, TRL, out)


async def test_a_verdict_on_other_content_is_no_verdict(run: Run, out: Path) -> None:
    task = attempts.task()
    one = attempts.attempt(task)
    run.ledger.put([Item.of("task", task), Item.of("trajectory", one)])
    run.ledger.keep_verdict(attempts.verdict(task, one).model_copy(update={"trajectory_digest": "other"}))
    with pytest.raises(NothingToExport, match="left out: 1 not_judged"):
        await export(run, TRL, out)


async def test_shards_are_cut_by_rows_and_numbered(run: Run, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "SHARD_ROWS", 10)
    fill(run)
    await export(run, TRL, out)
    names = sorted(path.name for path in (out / "data").iterdir())
    assert names == [f"train-{number:05}-of-00003.parquet" for number in range(3)]
    assert [pq.read_metadata(out / "data" / name).num_rows for name in names] == [10, 10, 4]


async def test_a_huge_observation_and_hostile_names_are_only_data(run: Run, out: Path) -> None:
    came = Provenance(licence="MIT`\n---\n# <script>|\x1b[2J", source="../../etc")
    task = attempts.task(provenance=came)
    huge = attempts.step("", "", attempts.call("a"))
    huge = huge.model_copy(update={"observations": (huge.observations[0].model_copy(update={"content": "x" * 10**7}),)})
    attempts.keep(run, task, attempts.attempt(task, huge, attempts.step("", "Done.")), *attempts.shapes(task).values())
    await export(run, TRL, out)
    card = (out / "README.md").read_text()
    assert "\x1b" not in card
    assert card.count("\n---\n") == 1
    completions = pq.read_table(out / "data")["completion"].to_pylist()
    assert max(len(json.loads(message)["content"]) for messages in completions for message in messages) == 10**7


async def test_a_request_that_makes_no_sense_is_told_before_anything_is_written(run: Run, out: Path) -> None:
    with pytest.raises(SettingsError, match="there is no field 'knd'"):
        await export(run, Request(format="trl", where="task.knd == 1"), out)
    with pytest.raises(UnknownPart, match="exporters/ has no exporter 'tlr'; it has: atif, axolotl"):
        await export(run, Request(format="tlr"), out)
    assert not out.exists()


def test_the_verbs_select_and_export(run: Run, out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    task = attempts.task()
    attempts.keep(run, task, *(attempts.attempt(task, attempts.step("", f"Done {n}."), seed=n) for n in range(3)))
    home = ["--set", f"home={run.settings.home}"]
    assert invoke([*home, "--json", "select", "--keep", "2"]) == 0
    assert json.loads(capsys.readouterr().out)["kept"] == 2
    assert invoke([*home, "--json", "export", "--format", "trl", "--out", str(out), "--where", "reward == 1"]) == 0
    assert json.loads(capsys.readouterr().out)["counts"]["trajectories"] == 2
    assert invoke([*home, "export", "--format", "trl", "--out", str(out), "--where", "rewrd == 1"]) == 2
    assert "did you mean 'reward'?" in capsys.readouterr().err
    assert invoke([*home, "select", "--policy", "taste"]) == 2


SLOW = """
import sys
from crucible.cli import main
from crucible.shards import rendering, files, parallel
add = files.ParquetFile.add
def slowly(self, row, size):
    print("row", flush=True)
    sys.stdin.readline()
    add(self, row, size)
files.ParquetFile.add = slowly
import tests.exporters.attempts
main(sys.argv[1:])
"""


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL, signal.SIGINT])
def test_an_interrupted_export_leaves_no_half_dataset(run: Run, out: Path, how: signal.Signals) -> None:
    fill(run)
    verb = ["--set", f"home={run.settings.home}", "export", "--format", "trl", "--out", str(out)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", SLOW, *verb], env=os.environ, **pipes) as started:
        assert started.stdout is not None
        assert started.stdout.readline() == b"row\n"
        started.send_signal(how)
        started.communicate(timeout=HUNG)  # it may go on now, if it has not ended
    assert started.returncode != 0
    assert not out.exists()
    assert invoke(verb) == 0
    assert [path.name for path in out.parent.iterdir() if path.name.startswith(".out")] == []
    assert read_manifest(out).counts.trajectories == 18
