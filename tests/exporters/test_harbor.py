"""Harbor folders: whole, and their scripts give the reward that the verifier gives."""

from __future__ import annotations

import base64
import io
import os
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from crucible.domains.code.suite import Suite, SuiteParams
from crucible.model import Check, Reference, Task
from crucible.running.run import Run
from crucible.sandbox import Env, LaidFile, Network, Networks, Recipe
from crucible.shards.manifest import Request
from crucible.stages import export
from tests.exporters import attempts

FIX = """diff --git a/adding.py b/adding.py
--- a/adding.py
+++ b/adding.py
@@ -1,2 +1,2 @@
 def add(a, b):
-    return a - b
+    return a + b
"""
TESTS = """import pytest
from adding import add

class TestAdd:
    @pytest.mark.parametrize("b", [1, 2])
    def test_add(self, b):
        assert add(1, b) == 1 + b

def test_zero():
    assert add(1, 0) == 1
"""

ODD = b"\x00\xff\r\n"


@pytest.fixture
def workdir(tmp_path: Path) -> Path:
    """The repository with its bug."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    (folder / "adding.py").write_text("def add(a, b):\n    return a - b\n")
    subprocess.run(["git", "init", "-q", "."], cwd=folder, check=True)
    return folder


@pytest.fixture
def task(workdir: Path, run: Run) -> Task:
    params = SuiteParams(
        suite=Suite(command=f"{sys.executable} -m pytest -c /dev/null --rootdir=."),
        tests={"tests/test_add.py": TESTS},
        data={"tests/odd.bin": base64.b64encode(ODD).decode()},
        fail_to_pass=("tests/test_add.py::TestAdd::test_add[1]", "tests/test_add.py::TestAdd::test_add[2]"),
        pass_to_pass=("tests/test_add.py::test_zero",),
    )
    recipe = Recipe(packages=("git",), archives={"/workspace": run.blobs.put(b"a tar")}, files={"/etc/x": "y"})
    return attempts.task(
        instruction='Mend "add".\x7f',
        env=Env(
            recipe=recipe,
            workdir=str(workdir),
            patch=FIX,
            networks=Networks(attempting=Network(mode="allow", hosts=("example.org",))),
        ),
        checks=(Check(verifier="suite", params=params.model_dump(mode="json")),),
        reference=Reference(patch=FIX),
    )


@pytest.fixture
async def folder(run: Run, task: Task, tmp_path: Path) -> Path:
    attempts.keep(run, task, attempts.attempt(task, seed=1), attempts.attempt(task, seed=2))
    done = await export(run, Request(format="harbor"), tmp_path / "out")
    assert (done.counts.tasks, done.counts.trajectories) == (1, 2)
    [made] = (tmp_path / "out" / "data").iterdir()
    return made


def reward(folder: Path, workdir: Path, logs: Path) -> float:
    paths = {"LOGS": str(logs), "PYTHONPATH": str(workdir), "PATH": os.environ["PATH"]}
    subprocess.run([folder / "tests" / "test.sh"], cwd=workdir, env=paths, check=True, capture_output=True)
    return float((logs / "reward.txt").read_text())


@pytest.mark.parametrize(
    ("env", "reason"),
    [
        ({"leaves": "layer"}, "no_diff"),
        ({"leaves": "files", "outputs": ("report.xlsx",)}, "no_diff"),
        ({"files": {"in.xlsx": LaidFile(blob="0" * 64)}}, "no_harbor_word"),
    ],
)
async def test_what_a_folder_would_judge_otherwise_is_left_out_with_its_reason(
    run: Run, task: Task, tmp_path: Path, env: dict[str, Any], reason: str
) -> None:
    other = task.model_copy(update={"env": task.env.model_copy(update=env)})
    attempts.keep(run, other, attempts.attempt(other))
    assert set(await attempts.export_counting(run, "harbor", tmp_path / "out")) == {reason}
    assert not (tmp_path / "out").exists()


async def test_the_folder_is_a_harbor_task(folder: Path, workdir: Path) -> None:
    facts = tomllib.loads((folder / "task.toml").read_text())
    assert facts["schema_version"] == "1.4"
    assert facts["task"]["name"] == f"crucible/{folder.name}"
    # a separate container gets what `artifacts` names, and nothing else of the attempt
    assert (facts["verifier"]["environment_mode"], facts["artifacts"]) == ("separate", [str(workdir)])
    assert facts["environment"]["network_mode"] == "allowlist"
    assert facts["environment"]["allowed_hosts"] == ["example.org"]
    assert (folder / "instruction.md").read_text() == 'Mend "add".\x7f\n'
    dockerfile = (folder / "environment" / "Dockerfile").read_text()
    assert dockerfile.startswith("ARG BASE=debian:bookworm-slim\nFROM ${BASE}\n")
    assert (folder / "environment" / "archive-0.tar").read_bytes() == b"a tar"
    assert (folder / "environment" / "base.patch").read_text() == FIX


async def test_the_folder_ships_the_tests_byte_for_byte(folder: Path) -> None:
    files = folder / "tests" / "files"
    shipped = {str(file.relative_to(files)): file.read_bytes() for file in files.rglob("*") if file.is_file()}
    assert shipped == {"tests/test_add.py": TESTS.encode(), "tests/odd.bin": ODD}


async def test_nothing_done_has_no_reward_and_the_solution_has_it(folder: Path, workdir: Path, tmp_path: Path) -> None:
    assert reward(folder, workdir, tmp_path / "logs") == 0
    subprocess.run([folder / "solution" / "solve.sh"], check=True)
    assert reward(folder, workdir, tmp_path / "logs") == 1


async def test_tests_that_were_edited_are_laid_over(folder: Path, workdir: Path, tmp_path: Path) -> None:
    (workdir / "tests").mkdir()
    (workdir / "tests" / "test_add.py").write_text("class TestAdd:\n    def test_add(self): pass\n")
    assert reward(folder, workdir, tmp_path / "logs") == 0


async def test_a_run_that_leaves_no_report_has_no_reward(folder: Path, workdir: Path, tmp_path: Path) -> None:
    (workdir / "adding.py").write_text("import os\nos._exit(0)\n")
    assert reward(folder, workdir, tmp_path / "logs") == 0


async def test_every_test_that_counts_has_a_line_with_its_outcome(folder: Path, workdir: Path, tmp_path: Path) -> None:
    reward(folder, workdir, tmp_path / "logs")
    name = "tests/test_add.py::TestAdd::test_add"
    lines = (tmp_path / "logs" / "tests.tap").read_text().splitlines()
    assert lines == [f"not ok 1 {name}[1]", f"not ok 2 {name}[2]", "ok 3 tests/test_add.py::test_zero"]


async def test_a_row_holds_the_very_folder(run: Run, folder: Path, tmp_path: Path) -> None:
    await export(run, Request(format="harbor-parquet"), tmp_path / "rows")
    [row] = pq.read_table(tmp_path / "rows" / "data").to_pylist()
    with tarfile.open(fileobj=io.BytesIO(row["task_binary"])) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    assert row["path"] == folder.name
    assert read_tree(tmp_path / "unpacked") == read_tree(folder)


def read_tree(folder: Path) -> dict[str, tuple[bytes, bool]]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): (path.read_bytes(), os.access(path, os.X_OK)) for path in files}


async def test_a_task_that_no_suite_judges_is_left_out_with_its_reason(run: Run, tmp_path: Path) -> None:
    task = attempts.task()
    attempts.keep(run, task, attempts.attempt(task))
    assert await attempts.export_counting(run, "harbor", tmp_path / "out") == {"no_harbor_grader_for_told": 1}


async def test_a_framework_that_nobody_knows_is_left_out_with_its_reason(run: Run, task: Task, tmp_path: Path) -> None:
    params = SuiteParams(suite=Suite(runner="nobody's"), fail_to_pass=("a",))
    odd = task.model_copy(update={"checks": (Check(verifier="suite", params=params.model_dump(mode="json")),)})
    attempts.keep(run, odd, attempts.attempt(odd))
    assert await attempts.export_counting(run, "harbor", tmp_path / "out") == {"no_harbor_runner": 1}


async def test_an_exit_code_that_contradicts_the_report_has_no_reward(
    folder: Path, workdir: Path, tmp_path: Path
) -> None:
    subprocess.run([folder / "solution" / "solve.sh"], check=True)
    ends = "\nimport atexit, os\natexit.register(os._exit, 3)\n"
    (workdir / "adding.py").write_text((workdir / "adding.py").read_text() + ends)
    assert reward(folder, workdir, tmp_path / "logs") == 0
    assert (tmp_path / "logs" / "report").exists()
    assert "ended with code 3" in (tmp_path / "logs" / "why.txt").read_text()
