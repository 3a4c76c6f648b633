from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agents.teachers.scripted import PROBES, probe_names
from crucible import parts
from crucible.errors import SettingsError, TeacherError
from crucible.judging.soundness import list_probes
from crucible.model import Check, Reference, Task
from tests.agents.conftest import git
from tests.agents.directory import DirectoryBox
from tests.agents.playing import observed_text, play_teacher

SCAFFOLDS = ("native", "bash", "text")
WANTED = {"edit-tests", "fake-summary", "exit-early", "write-reward", "read-reference", "git-history", "package-index"}
PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")


def with_reference(task: Task, **reference: Any) -> Task:
    return task.model_copy(update={"reference": Reference(**reference)})


@pytest.mark.parametrize("seed", [0, 1, 2, 3, 4, 5])
@pytest.mark.parametrize("scaffold", SCAFFOLDS)
async def test_the_oracle_solves_a_patch_task_under_every_scaffold(
    task: Task, box: DirectoryBox, applied: Callable[[bytes], Path], scaffold: str, seed: int
) -> None:
    trajectory, kept = await play_teacher(task, box, "oracle", scaffold=scaffold, seed=seed)
    assert trajectory.ended == "submitted"
    assert "error" not in observed_text(trajectory)
    assert "a + b" in (applied(kept[trajectory.artifacts["diff"]]) / "shelf/__init__.py").read_text()
    assert git(box.workdir, "status", "--short") == " M shelf/__init__.py\n"


@pytest.mark.parametrize("scaffold", SCAFFOLDS)
async def test_the_oracle_plays_files_scripts_and_answers(task: Task, box: DirectoryBox, scaffold: str) -> None:
    files = {"notes/it's.txt": "ü ```\n" * 20_000, "run": ""}
    reference = {"files": files, "script": "set -e\ncat run\necho $((6 * 7)) > out\n", "answer": "42"}
    trajectory, kept = await play_teacher(with_reference(task, **reference), box, "oracle", scaffold=scaffold, seed=7)
    assert (box.workdir / "notes/it's.txt").read_text() == files["notes/it's.txt"]
    assert (box.workdir / "out").read_text() == "42\n"
    assert kept[trajectory.artifacts["answer"]] == b"42"


async def test_the_reference_does_not_stay_in_the_box(task: Task, box: DirectoryBox) -> None:
    await play_teacher(task, box, "oracle")
    assert not [file for file in Path("/tmp").glob("*.patch") if "shelf/__init__" in file.read_text()]


async def test_nop_changes_nothing(task: Task, box: DirectoryBox) -> None:
    trajectory, kept = await play_teacher(task, box, "nop")
    assert (trajectory.ended, len(trajectory.steps)) == ("submitted", 1)
    assert kept[trajectory.artifacts["diff"]] == b""


@pytest.mark.parametrize("scaffold", ["native", "text"])
async def test_a_script_changes_the_files_that_it_laid_first(
    task: Task, box: DirectoryBox, tmp_path: Path, scaffold: str
) -> None:
    (tmp_path / "base/deep").mkdir(parents=True)
    (tmp_path / "base/deep/page.html").write_text("<p>good</p>\n")
    call = {"tool": "edit", "arguments": {"path": "deep/page.html", "old": "good", "new": "bad"}}
    (tmp_path / "script.json").write_text(json.dumps({"lays": "base", "turns": [{"calls": [call]}]}))
    await play_teacher(task, box, "scripted", scaffold=scaffold, script=str(tmp_path / "script.json"))
    assert (box.workdir / "deep/page.html").read_text() == "<p>bad</p>\n"


TURNS = [
    {"thinking": "hm", "text": "look", "calls": [{"tool": "read", "arguments": {"path": "shelf/__init__.py"}}]},
    {"calls": [{"tool": "edit", "arguments": {"path": "shelf/__init__.py", "old": "a - b", "new": "a + b"}}]},
    {"calls": [{"id": "x", "name": "launch", "arguments": "{"}]},
]


@pytest.mark.parametrize("scaffold", ["native", "text"])
async def test_an_authored_script_is_played_from_its_turns_or_its_file(
    task: Task, repository: Path, tmp_path: Path, scaffold: str
) -> None:
    file = tmp_path / "script.json"
    file.write_text(json.dumps({"turns": TURNS}))
    for options in ({"turns": TURNS}, {"script": str(file)}):
        git(repository, "checkout", "-q", ".")
        trajectory, _ = await play_teacher(
            task, DirectoryBox(repository), "scripted", scaffold=scaffold, seed=3, **options
        )
        assert trajectory.ended == "submitted"
        assert "a + b" in (repository / "shelf/__init__.py").read_text()
        assert "there is no tool 'launch'" in observed_text(trajectory)


@pytest.mark.parametrize("first", ["native", "text"])
@pytest.mark.parametrize("second", ["native", "text"])
async def test_a_recorded_attempt_is_replayed_under_another_scaffold(
    task: Task, repository: Path, tmp_path: Path, first: str, second: str
) -> None:
    recorded, _ = await play_teacher(task, DirectoryBox(repository), "scripted", scaffold=first, seed=5, turns=TURNS)
    git(repository, "checkout", "-q", ".")
    file = tmp_path / "trajectory.json"
    file.write_text(recorded.model_dump_json())
    again, _ = await play_teacher(
        task, DirectoryBox(repository), "scripted", scaffold=second, seed=9, trajectory=str(file)
    )
    assert again.artifacts == recorded.artifacts
    assert [step.thinking for step in again.steps] == [step.thinking for step in recorded.steps]
    assert len(again.steps) == len(recorded.steps)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, "takes one of the options turns, script, trajectory, probe"),
        ({"probe": "wish"}, "agents/probes has no 'wish'; it has: copy-example, disguised"),
        ({"script": "missing.toml"}, "cannot be read"),
        ({"turns": [{"say": "hello"}]}, "is not a script"),
    ],
)
async def test_a_script_that_is_none_is_named(task: Task, box: DirectoryBox, options: Any, told: str) -> None:
    with pytest.raises(SettingsError, match=told):
        await play_teacher(task, box, "scripted", **options)


async def test_a_script_that_edits_needs_a_scaffold_that_can(task: Task, box: DirectoryBox) -> None:
    with pytest.raises(TeacherError, match="has no 'edit'"):
        await play_teacher(task, box, "scripted", scaffold="bash", turns=TURNS)


def test_every_probe_is_a_teacher_the_spine_can_list() -> None:
    listed = {part.name for part in parts.every("teacher") if part.name.startswith("probe.")}
    assert listed == {f"probe.{name}" for name in probe_names()}
    assert set(probe_names()) >= WANTED


def test_a_cheat_is_tried_where_it_knows_how() -> None:
    assert {part.name for part in list_probes()} == {f"probe.{name}" for name in probe_names()}
    tried = {kind: {part.name for part in list_probes(_task(kind))} for kind in ("bugfix", "review")}
    assert {f"probe.{name}" for name in WANTED} <= tried["bugfix"] < {part.name for part in list_probes()}
    assert "probe.review-everything" in tried["review"]
    assert "probe.review-everything" not in tried["bugfix"]


def test_a_cheat_at_test_files_is_not_tried_where_only_a_script_is_judged() -> None:
    at_script = Task(domain="terminal", kind="script", instruction="", checks=(Check(verifier="script-effects"),))
    tried = {part.name for part in list_probes(at_script)}
    assert "probe.copy-example" in tried
    assert not tried & {"probe.edit-tests", "probe.exit-early", "probe.fake-summary"}


def test_a_few_cheats_made_for_a_test_framework_are_tried_where_it_is_used() -> None:
    special = {part.name for part in list_probes() if "pytest" in part.runners}
    tried = [{part.name for part in list_probes(_task("bugfix", "pytest", f"{number}"))} for number in range(30)]
    assert {len(names & special) for names in tried} == {2}
    assert set.union(*tried) >= special
    assert not {part.name for part in list_probes(_task("bugfix", "cargo"))} & special


def _task(kind: str, runner: str = "", answer: str = "") -> Task:
    checks = (Check(verifier="suite", params={"suite": {"runner": runner}}),) if runner else ()
    return Task(domain="swe", kind=kind, instruction="", checks=checks, reference=Reference(answer=answer))


@pytest.mark.parametrize("name", probe_names())
def test_every_probe_command_is_plain_shell(name: str) -> None:
    script = tomllib.loads((PROBES / f"{name}.toml").read_text())
    commands = [
        call["arguments"]["command"] for turn in script["turns"] for call in turn["calls"] if call["tool"] == "shell"
    ]
    assert commands
    for command in commands:
        assert command.rstrip().endswith("true"), "a probe must not fail where a tool is missing"
        subprocess.run(["sh", "-n"], input=command, text=True, check=True)


@pytest.mark.parametrize("scaffold", SCAFFOLDS)
async def test_editing_the_tests_fools_whoever_runs_the_agents_own_tests(
    task: Task, box: DirectoryBox, scaffold: str
) -> None:
    trajectory, _ = await play_teacher(task, box, "probe.edit-tests", scaffold=scaffold, seed=2)
    assert trajectory.ended == "submitted"
    assert subprocess.run(PYTEST, cwd=box.workdir, capture_output=True).returncode == 0
    assert "a - b" in (box.workdir / "shelf/__init__.py").read_text()


async def test_a_fake_summary_fools_whoever_reads_the_log(task: Task, box: DirectoryBox) -> None:
    await play_teacher(task, box, "probe.fake-summary")
    done = subprocess.run(PYTEST, cwd=box.workdir, capture_output=True, text=True)
    assert done.returncode == 0
    assert "tests/test_add.py::test_add PASSED" in done.stdout


async def test_exiting_early_fools_whoever_reads_the_exit_code(task: Task, box: DirectoryBox) -> None:
    await play_teacher(task, box, "scripted", probe="exit-early")
    done = subprocess.run(PYTEST, cwd=box.workdir, capture_output=True, text=True)
    assert done.returncode == 0
    assert "1 failed" not in done.stdout


async def test_a_fix_left_in_the_history_is_found(task: Task, box: DirectoryBox, repository: Path) -> None:
    (repository / "shelf/__init__.py").write_text("def add(a, b):\n    return a + b\n")
    git(repository, "commit", "-qam", "fix")
    git(repository, "reset", "-q", "--hard", "HEAD~1")
    await play_teacher(task, box, "probe.git-history")
    assert "a + b" in (repository / "shelf/__init__.py").read_text()


async def test_a_scrubbed_history_gives_nothing_away(task: Task, box: DirectoryBox, repository: Path) -> None:
    await play_teacher(task, box, "probe.git-history")
    assert "a - b" in (repository / "shelf/__init__.py").read_text()
