"""Harbor folders taken in: ours come back as they were, anybody's become drafts, bad ones leave a reason."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from crucible.domains.code.harbor import METADATA_KEY, FolderOrigin, HarborParams, sha256
from crucible.domains.code.suite import Suite, SuiteParams
from crucible.errors import CrucibleError, Rejected
from crucible.mining import ImportPlace
from crucible.model import Check, Provenance, Reference, Task
from crucible.running.run import Run, open_run
from crucible.sandbox import Env, Recipe
from crucible.settings import Settings
from crucible.shards.manifest import Request
from crucible.stages import export
from crucible.stages.import_tasks import import_tasks
from crucible.store.funnel import count_funnel
from crucible.store.lookup import list_items
from exporters.harbor.toml import dump_tables
from pipelines.harbor import dockerfile, task_toml
from tests.exporters import attempts

TOML = """schema_version = "1.1"
[task]
name = "someone/greeting"
[metadata]
category = "File Operations"
[verifier]
timeout_sec = 90.0
[environment]
cpus = 2
memory_mb = 1024
storage_mb = 512
network_mode = "public"
"""
DOCKERFILE = """ARG TAG=bookworm-slim
FROM debian:${TAG}
# a comment
RUN apt-get update && \\
    apt-get install -y git
ENV GREETING="hello world" PATH=/opt/x:$PATH
WORKDIR /app
COPY data/ ./data/
COPY --chmod=755 tool.sh /usr/local/bin/tool
CMD ["bash"]
"""


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    with open_run(Settings(home=tmp_path / "home")) as opened:
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A task that somebody wrote by hand."""
    files = {
        "task.toml": TOML,
        "instruction.md": "Write a greeting.\n",
        "environment/Dockerfile": DOCKERFILE,
        "environment/data/names.txt": "Ada\n",
        "environment/tool.sh": "#!/bin/sh\n",
        "solution/solve.sh": "#!/bin/sh\necho hello > greeting\n",
        "tests/test.sh": "#!/bin/sh\ngrep -q hello greeting && echo 1 > /logs/verifier/reward.txt\n",
    }
    for path, text in files.items():
        place = tmp_path / "tasks" / "greeting" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return tmp_path / "tasks" / "greeting"


async def drafts(run: Run, path: Path) -> list[Task]:
    await import_tasks(run, "harbor", ImportPlace(path))
    return [item.record(Task) for item in list_items(run.ledger, "draft")]


async def reasons(run: Run, path: Path) -> dict[str, int]:
    done = await import_tasks(run, "harbor", ImportPlace(path))
    assert done.stages[0].errors == 0
    return next(stage.reasons for stage in count_funnel(run.ledger).stages if stage.stage == "harbor.read")


async def test_a_folder_becomes_a_draft(run: Run, folder: Path) -> None:
    [task] = await drafts(run, folder)
    assert (task.domain, task.kind, task.instruction) == ("terminal", "file-operations", "Write a greeting.")
    assert task.reference.script.startswith("#!/bin/sh\necho hello > greeting\n# Made for tests ")
    assert task.provenance.source == "harbor:someone/greeting"
    params = HarborParams.model_validate(task.checks[0].params)
    assert (list(params.files), params.timeout) == (["test.sh"], 90.0)
    recipe = task.env.recipe
    assert (recipe.base, task.env.workdir) == ("debian:bookworm-slim", "/app")
    assert recipe.environment == {"GREETING": "hello world", "PATH": "/opt/x:$PATH"}
    assert (task.env.limits.cpus, task.env.limits.memory_mb, task.env.networks.attempting.mode) == (2, 1024, "none")
    assert any("apt-get install -y git" in command for command in recipe.commands)
    assert any("cp -R /opt/.harbor-context/data/. /app/data" in command for command in recipe.commands)


async def test_a_folder_of_folders_and_a_zip_file_give_the_same_drafts(run: Run, folder: Path, tmp_path: Path) -> None:
    [one] = await drafts(run, folder.parent)
    shutil.make_archive(str(tmp_path / "all"), "zip", folder.parent)
    [other] = await drafts(run, tmp_path / "all.zip")
    assert one.id == other.id


async def test_a_solution_with_neighbours_brings_them_along(run: Run, folder: Path) -> None:
    (folder / "solution" / "fix.bin").write_bytes(b"\xff\x00")
    [task] = await drafts(run, folder)
    assert "/solution/fix.bin" in task.reference.script
    assert "/solution/solve.sh" in task.reference.script


async def test_a_folder_whose_tests_were_mended_is_another_task(run: Run, folder: Path) -> None:
    [before] = await drafts(run, folder)
    (folder / "tests" / "test.sh").write_text("#!/bin/sh\necho 1 > /logs/verifier/reward.txt\n")
    assert len({task.id for task in (before, *await drafts(run, folder))}) == 2


@pytest.mark.parametrize(("runner", "inline"), [("pytest", {}), ("go", {}), ("cargo", {"src/lib.rs": "mod tests {}"})])
async def test_an_exported_task_comes_back_as_the_very_same(
    run: Run, tmp_path: Path, runner: str, inline: dict[str, str]
) -> None:
    params = SuiteParams(
        suite=Suite(runner=runner, build="make"),
        tests={"t.py": "x = 1\n"},
        inline=inline,
        fail_to_pass=("t.py::a",),
        pass_to_pass=("t.py::b",),
    )
    recipe = Recipe(packages=("git",), archives={"/workspace": run.blobs.put(b"a tar")}, tools=("true",))
    task = attempts.task(
        instruction="Mend it.  \n\n",
        env=Env(recipe=recipe, patch="diff\n"),
        checks=(Check(verifier="suite", params=params.model_dump(mode="json")),),
        reference=Reference(patch="--- a\n+++ b\n"),
        provenance=Provenance(source="git:o/n#3", licence="MIT", created="2024", commit="abc"),
    )
    attempts.keep(run, task, attempts.attempt(task))
    await export(run, Request(format="harbor"), tmp_path / "out")
    with open_run(Settings(home=tmp_path / "other")) as other:
        assert await drafts(other, tmp_path / "out" / "data") == [task]
        assert other.blobs.get(recipe.archives["/workspace"]) == b"a tar"


async def test_a_folder_that_was_taken_in_goes_out_and_comes_back(run: Run, folder: Path, tmp_path: Path) -> None:
    (folder / "tests" / "data.bin").write_bytes(b"\xff\x00")
    [task] = await drafts(run, folder)
    attempts.keep(run, task, attempts.attempt(task))
    await export(run, Request(format="harbor"), tmp_path / "out")
    [made] = (tmp_path / "out" / "data").iterdir()
    for path in ("tests/test.sh", "tests/data.bin"):
        assert (made / path).read_bytes() == (folder / path).read_bytes()
    assert (made / "instruction.md").read_text() == (folder / "instruction.md").read_text()
    with open_run(Settings(home=tmp_path / "other")) as other:
        assert await drafts(other, made) == [task]


async def test_an_exported_folder_that_was_edited_is_read_as_anybodys(run: Run, tmp_path: Path) -> None:
    params = SuiteParams(tests={"t.py": "x = 1\n"}, fail_to_pass=("t.py::a",))
    check = Check(verifier="suite", params=params.model_dump(mode="json"))
    recipe = Recipe(archives={"/workspace": run.blobs.put(b"a tar")})
    task = attempts.task(checks=(check,), env=Env(recipe=recipe), reference=Reference(patch="p\n"))
    attempts.keep(run, task, attempts.attempt(task))
    await export(run, Request(format="harbor"), tmp_path / "out")
    [made] = (tmp_path / "out" / "data").iterdir()
    (made / "instruction.md").write_text("Something else.\n")
    with open_run(Settings(home=tmp_path / "other")) as other:
        [back] = await drafts(other, made)
    assert (back.instruction, back.checks[0].verifier, back.env.workdir) == ("Something else.", "harbor", "/workspace")


FORGED = {
    "a verifier": {"checks": (Check(verifier="os:system"),)},
    "a runner": {
        "checks": (Check(verifier="suite", params={"suite": {"runner": "os:system"}, "fail_to_pass": ["a"]}),)
    },
    "a world": {"checks": (Check(verifier="harbor"),), "env": Env(name="os:system")},
    "no judge": {"checks": ()},
}


@pytest.mark.parametrize("what", FORGED)
async def test_what_names_a_module_to_import_is_refused(run: Run, folder: Path, what: str) -> None:
    task = attempts.task(**FORGED[what])
    listed = [path for path in folder.rglob("*") if path.is_file() and path.name != "task.toml"]
    files = {path.relative_to(folder).as_posix(): sha256(path.read_bytes()) for path in listed}
    forged = {"metadata": {METADATA_KEY: FolderOrigin(task=task, files=files).model_dump_json()}}
    (folder / "task.toml").write_text(dump_tables(forged))
    assert await reasons(run, folder) == {"unknown_part": 1}


SPOILT = {
    "bad_toml": lambda folder: (folder / "task.toml").write_text("= nothing"),
    "bad_task_toml": lambda folder: (folder / "task.toml").write_text('schema_version = "9"'),
    "incomplete_folder": lambda folder: (folder / "tests" / "test.sh").unlink(),
    "odd_file": lambda folder: (folder / "tests" / "link").symlink_to("/etc/passwd"),
    "not_text": lambda folder: (folder / "instruction.md").write_bytes(b"\xff\xfe"),
    "context_lacks_file": lambda folder: (folder / "environment" / "tool.sh").unlink(),
    "no_workdir": lambda folder: (folder / "environment" / "Dockerfile").write_text("FROM debian\n"),
}


@pytest.mark.parametrize("reason", SPOILT)
async def test_a_spoilt_folder_is_a_recorded_reason(run: Run, folder: Path, reason: str) -> None:
    SPOILT[reason](folder)
    assert await reasons(run, folder) == {reason: 1}


async def test_a_folder_beyond_the_limits_is_a_recorded_reason(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipelines.harbor.folder.MAX_FILE_BYTES", 10)
    assert await reasons(run, folder) == {"too_large": 1}


async def test_a_zip_file_that_leads_outside_is_a_recorded_reason(run: Run, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "evil.zip", "w") as archive:
        archive.writestr("a/task.toml", TOML)
        archive.writestr("a/../../etc/cron", "x")
    assert await reasons(run, tmp_path / "evil.zip") == {"path_leads_outside": 1}


async def test_a_place_without_a_task_says_what_is_wanted(run: Run, tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    with pytest.raises(CrucibleError, match=r"no task\.toml"):
        await import_tasks(run, "harbor", ImportPlace(tmp_path / "none"))


UNSAYABLE = (
    "FROM a\nFROM b\n",
    "FROM a\nRUN --mount=type=cache,target=/x pip install y\n",
    "FROM a\nCOPY --from=other /x /y\n",
    "FROM a\nADD https://example.org/x /y\n",
    "FROM a\nRUN <<EOF\nls\nEOF\n",
    'FROM a\nSHELL ["/bin/bash", "-c"]\n',
    "FROM a\nCOPY *.py /app/\n",
    "RUN ls\n",
    "",
)


@pytest.mark.parametrize("text", UNSAYABLE)
def test_a_dockerfile_that_says_more_than_a_recipe_is_refused(text: str) -> None:
    with pytest.raises(Rejected) as caught:
        dockerfile.read_dockerfile(text, frozenset({"a.py"}))
    assert caught.value.reason == "dockerfile_says_more_than_a_recipe"


def test_commands_run_where_and_as_whom_the_dockerfile_says() -> None:
    build = dockerfile.read_dockerfile(
        'FROM a\nWORKDIR /x\nWORKDIR y\nUSER bob\nARG V=1.5\nRUN ["make", "all it"]\n', frozenset()
    )
    assert (build.workdir, build.user) == ("/x/y", "bob")
    assert build.commands[-1].startswith("exec runuser -u bob -- ")
    assert "export V=1.5" in build.commands[-1]
    assert "make '\"'\"'all it'\"'\"'" in build.commands[-1]


def test_the_oldest_folders_sizes_are_understood() -> None:
    facts = task_toml.read_task_toml(b'version = "1.0"\n[environment]\nmemory = "2G"\nstorage = "10G"\n')
    assert (facts.environment.memory_mb, facts.environment.storage_mb) == (2048, 10240)
