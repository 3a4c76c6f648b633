"""Applications in folders, with rubrics of their own: read whatever is there, proved and judged like any other."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from crucible.acting import PlannedAttempt
from crucible.errors import CrucibleError, Rejected
from crucible.mining import ImportPlace, MiningContext
from crucible.model import Task, Trajectory
from crucible.running.run import open_run
from crucible.settings import Settings, SoundnessSettings
from crucible.stages.import_tasks import import_tasks
from crucible.stages.validate import validate
from crucible.stages.verify import verify
from crucible.store.blobs import Blobs
from crucible.store.lookup import list_items, trajectory_verdicts
from pipelines.appdev.imports.folder import AppFolder, read_applications, read_attempts
from pipelines.appdev.imports.importer import make_draft, plan_attempt

SAMPLES = Path(__file__).parents[3] / "sample_data/appdev/folders"
NAME = "tip-splitter"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The sample, to be spoilt."""
    return Path(shutil.copytree(SAMPLES / NAME, tmp_path / NAME))


@pytest.fixture
def context(blobs: Blobs) -> MiningContext:
    return MiningContext(world=None, blobs=blobs)  # type: ignore[arg-type]


def read_one(folder: Path, blobs: Blobs) -> AppFolder:
    (found,) = read_applications(ImportPlace(folder), blobs)
    return found


async def test_a_folder_becomes_a_task_with_its_own_rubric_and_files_of_any_bytes(
    folder: Path, context: MiningContext, blobs: Blobs
) -> None:
    (task,) = await make_draft(read_one(folder, blobs), context)
    assert (task.domain, task.kind, task.proven_by, task.provenance.licence) == (
        "appdev",
        "frontend",
        "rubric",
        "Apache-2.0",
    )
    assert [check.verifier for check in task.checks] == ["app.execution", "app.interaction", "app.visual"]
    assert "fewer people than one are refused" in str(task.checks[1].params)
    files = {path: blobs.get(blob) for path, blob in task.reference.blobs.items()}
    assert files["/workspace/coin.png"] == (folder / "good/coin.png").read_bytes()
    assert len(files) == 4


@pytest.mark.parametrize(("said", "least"), [("", [0.93]), ("least_visual = 0.5\n", [0.5]), ("least_visual = 0\n", [])])
async def test_a_folder_says_how_much_its_looks_must_reach_and_is_not_looked_at_where_that_is_nothing(
    said: str, least: list[float], folder: Path, context: MiningContext, blobs: Blobs
) -> None:
    (folder / "application.toml").write_text(f"instruction = 'Split the bill.'\n{said}")
    (task,) = await make_draft(read_one(folder, blobs), context)
    assert [check.least for check in task.checks if check.verifier == "app.visual"] == least


async def test_an_attempt_writes_the_files_of_its_folder_and_needs_what_is_asked_to_be_known(
    folder: Path, context: MiningContext, blobs: Blobs
) -> None:
    (attempt,) = read_attempts(ImportPlace(folder), blobs)
    with pytest.raises(Rejected, match="unknown_application"):
        await plan_attempt(attempt, context)
    (task,) = await make_draft(read_one(folder, blobs), context)
    (planned,) = await plan_attempt(attempt, context)
    assert isinstance(planned, PlannedAttempt)
    assert (planned.task_id, planned.agent.options["attempt"]) == (task.id, "forgets-the-tip")
    assert "base64 -d < /tmp/.application.b64 > coin.png" in str(planned.agent.options["turns"])


@pytest.mark.parametrize(
    ("file", "text", "reason", "detail"),
    [
        ("rubric.toml", "[[elements]", "malformed_file", "rubric.toml: Expected"),
        ("rubric.toml", '[[workflows]]\nname = "x"\nsteps = [{ do = "jump" }]', "malformed_file", "do"),
        ("rubric.toml", "", "empty_rubric", "no element, no workflow"),
        ("application.toml", 'kind = "frontend"', "malformed_file", "instruction"),
        ("application.toml", "x" * 2_000_000, "too_large", "application.toml"),
        ("application.toml", None, "unreadable", "application.toml"),
    ],
)
async def test_a_file_that_is_none_is_a_drop_that_says_why(
    folder: Path, context: MiningContext, blobs: Blobs, file: str, text: str | None, reason: str, detail: str
) -> None:
    (folder / file).unlink()
    if text is not None:
        (folder / file).write_text(text)
    if file == "rubric.toml" or text is not None:
        with pytest.raises(Rejected, match=detail) as refused:
            await make_draft(read_one(folder, blobs), context)
        assert refused.value.reason == reason
    else:
        assert read_one(folder, blobs).refused == reason


def test_links_and_floods_are_refused_and_what_is_installed_is_left_out(folder: Path, blobs: Blobs) -> None:
    (folder / "good/node_modules/left-pad").mkdir(parents=True)
    (folder / "good/node_modules/left-pad/index.js").write_text("")
    (folder / "good/server.log").write_text("started")
    assert len(read_one(folder, blobs).files) == 4
    (folder / "good/passwords").symlink_to("/etc/passwd")
    assert read_one(folder, blobs).refused == "odd_file"
    (folder / "good/passwords").unlink()
    with (folder / "good/huge.bin").open("wb") as huge:
        os.truncate(huge.fileno(), 10 << 30)
    assert read_one(folder, blobs).refused == "too_large"


def test_a_place_without_applications_says_what_to_name(tmp_path: Path, blobs: Blobs) -> None:
    with pytest.raises(CrucibleError, match=r"no rubric\.toml"):
        list(read_applications(ImportPlace(tmp_path), blobs))


@pytest.mark.slow
async def test_a_folder_is_imported_proven_and_its_attempt_judged_by_the_criterion_about_its_fault(
    tmp_path: Path,
) -> None:
    settings = Settings(home=tmp_path, soundness=SoundnessSettings(repeats=1, mutants=0))
    with open_run(settings) as run:
        done = await import_tasks(run, "applications", ImportPlace(SAMPLES))
        assert (done.read, done.new) == (1, 1)
        await validate(run)
        assert len([item.record(Task) for item in list_items(run.ledger, "task")]) == 1
        await import_tasks(run, "application-attempts", ImportPlace(SAMPLES))
        await verify(run)
        (item,) = list_items(run.ledger, "trajectory")
        assert item.record(Trajectory).artifacts
        unmet = {
            criterion.name
            for verdict in trajectory_verdicts(run.ledger, item.id)
            for criterion in verdict.criteria
            if criterion.passed is False
        }
    assert unmet == {"each pays their share of the bill and the tip"}
