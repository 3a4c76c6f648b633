"""An export is whole or not there, the same every time, safe whatever is in it, and says what it left out."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from crucible import parts
from crucible.cli.app import invoke
from crucible.errors import NothingToExport, SettingsError, UnknownPart
from crucible.judging import reading
from crucible.model import Agent, Check, Provenance, Task
from crucible.running.run import Run, open_run
from crucible.settings import Settings
from crucible.shards import files, parallel, rendering
from crucible.shards.checking import check_folder
from crucible.shards.manifest import Manifest, Request
from crucible.stages import export, select
from crucible.store.item import Item
from tests.exporters import attempts
from tests.patience import HUNG

TRL = Request(format="trl")
OF_SUITES = ("harbor", "harbor-parquet", "swe-bench")
"""Formats that take only tasks with a test suite, which these made-up ones have not."""
DONE = attempts.step("", "Done.")


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    with open_run(Settings(home=tmp_path / "home")) as opened:
        yield opened


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


def fill(run: Run, tasks: int = 3) -> None:
    for number in range(tasks):
        task = attempts.task(number)
        attempts.keep(run, task, *attempts.shapes(task).values())


def told(out: Path) -> Manifest:
    return Manifest.model_validate_json((out / "manifest.json").read_bytes())


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    "format", [part.name for part in parts.every("exporter") if part.name not in OF_SUITES and not part.pairs]
)
async def test_the_same_ledger_and_filter_give_the_same_bytes(run: Run, tmp_path: Path, format: str) -> None:
    fill(run)
    request = Request(format=format, where="reward == 1")
    for name in ("one", "two"):
        await export(run, request, tmp_path / name)
    assert tree(tmp_path / "one") == tree(tmp_path / "two")


async def test_the_order_in_which_attempts_were_made_does_not_matter(run: Run, tmp_path: Path) -> None:
    fill(run)
    await export(run, TRL, tmp_path / "one")
    with open_run(Settings(home=tmp_path / "other")) as other:
        for number in (2, 0, 1):
            task = attempts.task(number)
            attempts.keep(other, task, *reversed(attempts.shapes(task).values()))
        await export(other, TRL, tmp_path / "two")
    assert tree(tmp_path / "one") == tree(tmp_path / "two")
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
    assert told(tmp_path / "one").counts.tasks == 5
    assert tree(tmp_path / "one") == tree(tmp_path / "two")


async def test_the_manifest_names_the_lists_that_every_task_was_held_against(run: Run, out: Path) -> None:
    for number, lists in enumerate((("a@1", "b@2"), ("b@2", "c@3"))):
        task = attempts.task(number, provenance=Provenance(source="git:x#1", licence="MIT", held_against=lists))
        attempts.keep(run, task, attempts.shapes(task)["native"])
    await export(run, TRL, out)
    assert told(out).decontamination == ("b@2",)


async def test_a_page_of_large_attempts_is_rendered_in_portions(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(run)
    await export(run, TRL, tmp_path / "one")
    monkeypatch.setattr(rendering, "LARGEST", 1)
    monkeypatch.setattr(reading, "BATCH_BYTES", 2)
    await export(run, TRL, tmp_path / "two")
    assert tree(tmp_path / "one") == tree(tmp_path / "two")


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
    assert tree(tmp_path / "one") == tree(tmp_path / "two")


async def test_the_manifest_accounts_for_everything(run: Run, out: Path) -> None:
    fill(run, 2)
    task = attempts.task(7, provenance=Provenance(licence="BSD-3-Clause", author="Ada Byron"), kind="feature")
    attempts.keep(run, task, attempts.attempt(task, attempts.step("", "https://me:hunter2@example.org")))
    attempts.keep(run, task, attempts.attempt(task, seed=1), outcome="fail", score=0.0)
    attempts.keep(run, task, attempts.attempt(task, seed=2), outcome="error", score=0.0)
    run.ledger.put([Item.of("trajectory", attempts.attempt(task, seed=3))])
    run.ledger.put([Item.of("trajectory", attempts.attempt(attempts.task(99)))])
    await export(run, Request(format="trl", where="task.instruction != 'Mend number 1.'"), out)
    manifest = told(out)
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
    huge = huge.model_copy(update={"observations": (huge.observations[0].model_copy(update={"content": "x" * 10**8}),)})
    attempts.keep(run, task, attempts.attempt(task, huge, DONE), *attempts.shapes(task).values())
    await export(run, TRL, out)
    card = (out / "README.md").read_text()
    assert "\x1b" not in card
    assert card.count("\n---\n") == 1
    completions = pq.read_table(out / "data")["completion"].to_pylist()
    assert max(len(json.loads(message)["content"]) for messages in completions for message in messages) == 10**8


@pytest.mark.parametrize("there", ["file", "stranger", "link"])
async def test_what_is_not_ours_is_not_replaced(run: Run, out: Path, there: str) -> None:
    if there == "file":
        out.write_text("mine")
    elif there == "link":
        out.symlink_to(run.settings.home)
    else:
        out.mkdir()
        (out / "thesis.txt").write_text("mine")
    with pytest.raises(SettingsError, match=r"not an export of ours|is not a folder"):
        await export(run, TRL, out)
    assert there == "link" or "mine" in (out if there == "file" else out / "thesis.txt").read_text()


async def test_the_root_of_all_folders_is_not_ours(run: Run) -> None:
    fill(run)
    with pytest.raises(SettingsError, match="not an export of ours"):
        await export(run, TRL, Path("/"))


async def test_an_earlier_export_is_replaced_whole(run: Run, out: Path) -> None:
    fill(run, 1)
    await export(run, Request(format="atif"), out)
    await export(run, TRL, out)
    assert sorted(path.name for path in (out / "data").iterdir()) == ["train-00000-of-00001.parquet"]
    assert [path.name for path in out.parent.iterdir() if path.name.startswith(".out")] == []


async def test_a_second_export_touches_only_what_the_first_one_listed(run: Run, out: Path) -> None:
    fill(run, 1)
    await export(run, Request(format="atif"), out)
    (out / ".git").mkdir()
    (out / ".git" / "HEAD").write_text("ref: main")
    (out / "train.py").write_text("import torch")
    await export(run, TRL, out)
    assert (out / "train.py").read_text() == "import torch"
    assert (out / ".git" / "HEAD").read_text() == "ref: main"
    assert [path.name for path in (out / "data").iterdir()] == ["train-00000-of-00001.parquet"]
    assert check_folder(out).faults == ()


async def test_a_file_of_the_users_in_our_place_stops_the_export(run: Run, out: Path) -> None:
    fill(run, 1)
    await export(run, Request(format="atif"), out)
    mine = out / "data" / "train-00000-of-00001.parquet"
    mine.write_text("mine")
    with pytest.raises(SettingsError, match="is in the way and not ours"):
        await export(run, TRL, out)
    assert mine.read_text() == "mine"
    assert told(out).request.format == "atif"


async def test_without_a_row_nothing_is_written_and_the_earlier_export_stays(run: Run, out: Path) -> None:
    with pytest.raises(NothingToExport, match="nothing to export yet"):
        await export(run, TRL, out)
    assert not out.exists()
    fill(run, 1)
    await export(run, TRL, out)
    before = tree(out)
    with pytest.raises(NothingToExport, match="left out: 7 filtered"):
        await export(run, Request(format="trl", where="reward > 1"), out)
    assert tree(out) == before


@pytest.mark.parametrize("place", ["file/below", "/proc/shards", "x" * 300])
def test_a_place_that_cannot_be_is_one_line(
    run: Run, tmp_path: Path, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    out = str(tmp_path / place)
    assert invoke(["--set", f"home={run.settings.home}", "export", "--format", "trl", "--out", out]) == 2
    assert "give another folder with --out" in capsys.readouterr().err


async def test_the_card_loads_and_names_the_licence_that_all_share(run: Run, out: Path) -> None:
    fill(run, 1)
    await export(run, TRL, out)
    assert "license: mit\n" in (out / "README.md").read_text()


@pytest.mark.parametrize("damage", ["missing", "cut", "changed", "stray"])
async def test_a_damaged_export_is_found_by_its_manifest(
    run: Run, out: Path, damage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(run, 1)
    await export(run, TRL, out)
    assert invoke(["export", "--check", str(out)]) == 0
    shard = out / told(out).shards[0].name
    content = shard.read_bytes()
    if damage == "missing":
        shard.unlink()
    elif damage == "stray":
        shard.with_name("other.parquet").write_bytes(content)
    else:
        shard.write_bytes(content[:-1] + (b"" if damage == "cut" else b"x"))
    capsys.readouterr()
    assert invoke(["--json", "export", "--check", str(out)]) == 1
    assert len(json.loads(capsys.readouterr().out)["faults"]) == 1


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
    assert told(out).counts.trajectories == 18


def rows_of(out: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pq.read_table(out / "data").to_pylist()
    return rows


@pytest.fixture
def mixed(run: Run) -> dict[str, Task]:
    """A task that was solved once of three times, one that was only failed, one that nobody attempted."""
    tasks = {name: attempts.task(number) for number, name in enumerate(("solved", "failed", "untried"))}
    attempts.keep(run, tasks["solved"], attempts.attempt(tasks["solved"], DONE, seed=0))
    for seed, score in ((1, 0.5), (2, 0.0)):
        attempts.keep(
            run, tasks["solved"], attempts.attempt(tasks["solved"], DONE, seed=seed), outcome="fail", score=score
        )
    attempts.keep(run, tasks["solved"], attempts.attempt(tasks["solved"], DONE, seed=3), outcome="error", score=0.0)
    attempts.keep(run, tasks["failed"], attempts.attempt(tasks["failed"], DONE), outcome="fail", score=0.25)
    attempts.keep(run, tasks["untried"])
    return tasks


@pytest.mark.parametrize("format", ["verl-rl", "skyrl"])
async def test_formats_for_rl_carry_tasks_whether_or_not_anybody_solved_them(
    run: Run, out: Path, mixed: dict[str, Task], format: str
) -> None:
    done = await export(run, Request(format=format), out)
    extras = [row["extra_info"] for row in rows_of(out)]
    assert {extra["task_id"] for extra in extras} == {task.id for task in mixed.values()}
    assert [extra["attempts"] for extra in extras] == [[], [], []]
    assert (done.counts.tasks, done.counts.rows, done.counts.trajectories) == (3, 3, 4)
    untried = next(row for row in rows_of(out) if row["extra_info"]["task_id"] == mixed["untried"].id)
    assert untried["prompt"] == [{"role": "user", "content": mixed["untried"].instruction}]


async def test_groups_come_with_their_rewards_where_asked(run: Run, out: Path, mixed: dict[str, Task]) -> None:
    await export(run, Request(format="skyrl", judged=True), out)
    extras = {row["extra_info"]["task_id"]: row["extra_info"]["attempts"] for row in rows_of(out)}
    worth = sorted((one["group"], one["reward"]) for one in extras[mixed["solved"].id])
    assert worth == [(f"{mixed['solved'].id}/openai", reward) for reward in (0.0, 0.5, 1.0)]
    assert [one["reward"] for one in extras[mixed["failed"].id]] == [0.25]
    assert extras[mixed["untried"].id] == []


async def test_failed_attempts_go_in_where_asked_and_undecided_ones_never(
    run: Run, out: Path, mixed: dict[str, Task]
) -> None:
    await export(run, Request(format="prime-rl"), out)
    assert [row["reward"] for row in rows_of(out)] == [1.0]
    done = await export(run, Request(format="prime-rl", judged=True), out)
    assert sorted(row["reward"] for row in rows_of(out)) == [0.0, 0.25, 0.5, 1.0]
    assert done.counts.left_out == {"not_judged": 1}
    await export(run, Request(format="prime-rl", judged=True, where="reward > 0 and reward < 1"), out)
    assert sorted(row["reward"] for row in rows_of(out)) == [0.25, 0.5]


@pytest.fixture
def also_scripted(run: Run) -> Task:
    """A task that the oracle, a script and a model have solved."""
    task = attempts.task()
    for teacher in ("oracle", "scripted", "probe.linger", "openai"):
        done = attempts.step("", f"Done by {teacher}.")
        attempts.keep(run, task, attempts.attempt(task, done, agent=Agent(scaffold="native", teacher=teacher)))
    return task


async def test_attempts_that_people_wrote_go_in_only_when_asked_for(run: Run, out: Path, also_scripted: Task) -> None:
    done = await export(run, TRL, out)
    assert (done.counts.trajectories, done.counts.left_out) == (1, {"authored": 3})
    assert pq.read_table(out / "lineage.parquet")["teacher"].to_pylist() == ["openai"]
    done = await export(run, Request(format="trl", authored=True), out)
    assert (done.counts.trajectories, done.counts.left_out) == (4, {})


async def test_a_selection_does_not_choose_what_people_wrote_over_what_a_model_did(
    run: Run, out: Path, also_scripted: Task
) -> None:
    assert (await select(run, 4)).kept == 1
    assert (await export(run, TRL, out)).counts.trajectories == 1
    assert (await select(run, 4, authored=True)).kept == 4


async def test_groups_of_rewards_hold_nothing_that_people_wrote(run: Run, out: Path, also_scripted: Task) -> None:
    await export(run, Request(format="skyrl", judged=True), out)
    [row] = rows_of(out)
    assert [one["group"] for one in row["extra_info"]["attempts"]] == [f"{also_scripted.id}/openai"]


async def test_a_task_that_only_the_oracle_solved_is_still_a_task_and_its_attempt_is_asked_for(
    run: Run, out: Path
) -> None:
    task = attempts.task()
    attempts.keep(run, task, attempts.attempt(task, DONE, agent=Agent(scaffold="native", teacher="oracle")))
    with pytest.raises(NothingToExport, match="left out: 1 authored") as nothing:
        await export(run, TRL, out)
    assert "--authored" in nothing.value.remedy
    assert (await export(run, Request(format="skyrl"), out)).counts.tasks == 1


async def test_a_filter_on_solved_tasks_does_not_bring_them_back_as_untried(
    run: Run, out: Path, mixed: dict[str, Task]
) -> None:
    await export(run, Request(format="skyrl", where="reward == 1"), out)
    assert [row["extra_info"]["task_id"] for row in rows_of(out)] == [mixed["solved"].id]
    await export(run, Request(format="skyrl", where="reward == 0 and len(verdicts) == 0"), out)
    assert [row["extra_info"]["task_id"] for row in rows_of(out)] == [mixed["untried"].id]


async def test_a_format_without_a_place_for_rewards_says_which_have_one(run: Run, out: Path) -> None:
    with pytest.raises(SettingsError, match="the format 'trl' has no place for rewards") as told_why:
        await export(run, Request(format="trl", judged=True), out)
    assert told_why.value.remedy == "these have: critic, prime-rl, skyrl, verifiers, verl-rl"


async def test_a_failed_attempt_counts_once_every_check_has_spoken_or_a_gate_has_stopped_the_rest(
    run: Run, out: Path
) -> None:
    task = attempts.task(checks=(Check(verifier="told"), Check(verifier="told", params={"again": True})))
    one = attempts.attempt(task, DONE)
    attempts.keep(run, task, one, outcome="fail", score=0.5)
    request = Request(format="prime-rl", judged=True)
    with pytest.raises(NothingToExport, match="left out: 1 not_judged"):
        await export(run, request, out)
    second = attempts.verdict(task.model_copy(update={"checks": task.checks[1:]}), one)
    run.ledger.keep_verdict(second)
    assert (await export(run, request, out)).counts.trajectories == 1
    assert [row["reward"] for row in rows_of(out)] == [0.75]
