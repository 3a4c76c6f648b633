"""The command as a user meets it: one line, an exit code that means something, no traceback."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import typer

from crucible.cli.app import app, invoke
from crucible.model import Criterion, Task, Verdict
from crucible.running.run import open_run
from crucible.settings import Settings
from crucible.store.item import Item

Done = subprocess.CompletedProcess[str]
Command = Callable[..., Done]

VERBS = sorted(typer.main.get_group(app).commands)


def told(done: Done, code: int) -> str:
    """The one line on standard error."""
    assert done.returncode == code, done.stderr
    [line] = done.stderr.splitlines()
    assert line.startswith("crucible: ")
    return line


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_teaches_by_example(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke([verb, "--help"]) == 0
    assert f"crucible {verb}" in capsys.readouterr().out.partition("Example: ")[2]


def test_the_bare_command_is_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke([]) == 0
    shown = capsys.readouterr()
    assert "\n  mine       Turn raw material" in shown.out
    assert not shown.err


def test_a_stage_with_nothing_to_do_says_what_would_give_it_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for verb, hint in (
        ("validate", "`crucible mine PIPELINE`"),
        ("verify", "`crucible rollout"),
        ("funnel", "is empty"),
        ("select", "--authored"),
    ):
        assert invoke([verb]) == 0
        assert hint in capsys.readouterr().err


def test_a_malformed_settings_file_is_one_line(process: Command, tmp_path: Path) -> None:
    (tmp_path / "crucible.toml").write_text("[limits]\nboxes = 'many'\n")
    assert "crucible.toml: 'limits.boxes': expected a valid integer" in told(process("funnel"), 2)


def test_a_wrong_verb_or_option_is_a_usage_error(command: Command) -> None:
    assert "nosuch" in told(command("nosuch"), 2)
    assert told(command("funnel", "--nosuch"), 2).endswith("--nosuch -> crucible funnel --help")
    assert "expected section.key=value" in told(command("funnel", "--set", "limits"), 2)


def test_an_unknown_pipeline_lists_the_known_ones(command: Command) -> None:
    assert "pipelines/ has no pipeline 'nosuch'; it has: " in told(command("mine", "nosuch"), 2)


@pytest.mark.parametrize("pipeline", ["appdev", "cowork", "swe", "terminal"])
def test_material_that_is_not_there_is_named(pipeline: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["mine", pipeline, "--from", "nosuch"]) == 2
    assert re.fullmatch(r"crucible: .*nosuch.* -> name .+\n", capsys.readouterr().err)


def test_an_unknown_teacher_is_met_with_a_suggestion_and_a_list_that_can_be_read(process: Command) -> None:
    line = told(process("rollout", "--teacher", "orcale"), 2)
    assert "it has: damaged, empty, local, nop, openai, oracle, probe.*, scripted -> did you mean 'oracle'?" in line


def test_without_an_engine_the_doctor_says_so_and_exits_3(command: Command, tmp_path: Path) -> None:
    done = command("doctor", "--json", DOCKER_HOST=f"unix://{tmp_path}/none.sock")
    assert done.returncode == 3
    pieces = {piece["piece"]: piece for piece in json.loads(done.stdout)["pieces"]}
    assert not pieces["docker engine"]["ok"]
    assert "DOCKER_HOST" in pieces["docker engine"]["remedy"]
    assert pieces["ledger"]["ok"]


def test_without_an_engine_setup_starts_none_that_the_user_did_not_name(command: Command, tmp_path: Path) -> None:
    done = command("setup", DOCKER_HOST=f"unix://{tmp_path}/none.sock", PATH=os.environ["PATH"])
    assert done.returncode == 3
    assert "no Docker engine answers at" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_damaged_store_is_one_line(command: Command, tmp_path: Path) -> None:
    (tmp_path / ".crucible").mkdir()
    (tmp_path / ".crucible" / "ledger.sqlite").write_bytes(b"no database" * 100)
    assert "ledger.sqlite" in told(command("funnel"), 4)


def test_a_read_only_store_is_one_line(command: Command, disk: Callable[[str], Path]) -> None:
    place = disk("size=1m")
    assert command("funnel", cwd=place).returncode == 0
    disk("ro")
    assert "-> make it writable" in told(command("funnel", cwd=place), 4)


def test_debug_shows_the_traceback(process: Command) -> None:
    assert "Traceback" in process("show", "nosuch", "--debug").stderr


def test_flags_may_stand_anywhere_and_the_doctor_says_where_values_came_from(command: Command) -> None:
    done = command("doctor", "--json", "--set", "limits.boxes=7", CRUCIBLE_TEACHER__API_KEY="hush")
    values = {one["setting"]: one for one in json.loads(done.stdout)["settings"]}
    assert (values["limits.boxes"]["value"], values["limits.boxes"]["origin"]) == ("7", "flag --set limits.boxes")
    assert values["teacher.api_key"]["value"] == "****"
    assert values["teacher.api_key"]["origin"] == "environment CRUCIBLE_TEACHER__API_KEY"


def test_parts_lists_what_is_registered(command: Command) -> None:
    listed = json.loads(command("parts", "--kind", "teacher", "--json").stdout)["parts"]
    assert "oracle" in [part["name"] for part in listed]
    assert "there are: source" in told(command("parts", "--kind", "nosuch"), 2)


@pytest.fixture
def task(tmp_path: Path) -> Task:
    """A hostile task in the ledger, dropped by one stage, with a verdict."""
    task = Task(domain="swe", kind="bugfix", instruction="[red]mend[/red] \x1b[2J it\nsecond line")
    found = Criterion(name="tests pass", passed=False, evidence="1 failed \x1b[31m")
    verdict = Verdict(
        trajectory_id=task.id,
        trajectory_digest="d",
        verifier="swe.tests",
        version=1,
        params_hash="p",
        outcome="fail",
        score=0.0,
        criteria=(found,),
    )
    with open_run(Settings(home=tmp_path / ".crucible")) as run:
        run.ledger.put([Item.of("draft", task, pipeline="swe")], "validate")
        run.ledger.drop(run.ledger.claim("validate")[0], "flaky", "passed 2 of 3 [/] times")
        run.ledger.keep_verdict(verdict)
    return task


def test_show_tells_everything_and_obeys_nothing(command: Command, task: Task) -> None:
    done = command("show", task.id[:14])
    assert done.returncode == 0
    for piece in (
        "[red]mend[/red] \\x1b[2J it",
        "second line",
        "flaky",
        "passed 2 of 3 [/] times",
        "1 failed \\x1b[31m",
    ):
        assert piece in done.stdout
    assert "\x1b" not in done.stdout


def test_show_json_is_the_item_whole(command: Command, task: Task) -> None:
    whole = json.loads(command("show", task.id, "--json").stdout)
    assert Task.model_validate(whole["versions"][0]["body"]) == task
    assert whole["fates"][0]["reason"] == "flaky"
    assert whole["verdicts"][0]["criteria"][0]["name"] == "tests pass"


def test_an_unknown_id_is_met_with_a_suggestion(command: Command, task: Task) -> None:
    assert f"did you mean {task.id}?" in told(command("show", task.id[:-1] + "zz"), 1)


def test_the_funnel_says_what_was_dropped_and_why(command: Command, task: Task) -> None:
    assert "flaky 1" in command("funnel").stdout
    [stage] = json.loads(command("funnel", "--json").stdout)["stages"]
    assert (stage["pipeline"], stage["came"], stage["reasons"]) == ("swe", 1, {"flaky": 1})


def test_items_are_listed_by_their_fate(
    task: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert invoke(["--json", "list", "draft"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [(row["id"], row["noun"], row["state"]) for row in listed["items"]] == [(task.id, "draft", "dropped")]
    [row] = listed["items"]
    assert invoke(["--json", "list", "--reason", row["reason"], "--stage", row["stage"]]) == 0
    assert json.loads(capsys.readouterr().out) == listed
    assert invoke(["list", "--state", "done"]) == 1
    assert "has no state 'done'; it has: dropped" in capsys.readouterr().err


def test_an_interrupt_says_that_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def press_control_c(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("crucible.cli.show.count_funnel", press_control_c)
    assert invoke(["funnel"]) == 130
    assert "interrupted; what was finished is kept" in capsys.readouterr().err


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    script = f"{sys.executable} -m crucible parts | head -c 1 >/dev/null; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_work_that_leaves_errors_behind_says_so_by_its_exit_code(process: Command, tmp_path: Path) -> None:
    with open_run(Settings(home=tmp_path / ".crucible")) as run:
        run.ledger.put([Item(noun="draft", id="torn", body="{}", pipeline="toy")], "validate")
    done = process("validate", "--json")
    assert done.returncode == 6
    assert json.loads(done.stdout)["errors"] == 1
    assert "1 set aside as errors" in done.stderr.splitlines()[-1]
