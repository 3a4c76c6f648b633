"""SWE-bench rows out: real patches, lists as the harness reads them, and a reason for what has no row."""

from __future__ import annotations

import io
import json
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import pytest

from crucible.domains.code.suite import Suite, SuiteParams
from crucible.mining import ImportPlace
from crucible.model import Check, Provenance, Reference, Task
from crucible.running.run import Run
from crucible.sandbox import Env, Recipe
from crucible.shards.checking import check_folder
from exporters import swe_bench
from pipelines.swe.imports.rows import read_rows
from tests.exporters import attempts

OLD = {"tests/test_a.py": "a = 1\n", "tests/test_gone.py": "gone = 1\n", "tests/run.py": "run = 1\n", "src/a.py": "a\n"}
SINCE = """diff --git a/tests/test_a.py b/tests/test_a.py
--- a/tests/test_a.py
+++ b/tests/test_a.py
@@ -1 +1 @@
-a = 1
+a = 2
diff --git a/src/a.py b/src/a.py
--- a/src/a.py
+++ b/src/a.py
@@ -1 +1 @@
-a
+b
"""
NEW = {"tests/test_a.py": "a = 3", "tests/new/test_b.py": "b = '\u00e9'\n", "tests/run.py": "run = 2\n"}


def packed(files: dict[str, str]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for path, text in files.items():
            info = tarfile.TarInfo(path)
            info.size, info.mode = len(text), 0o755 if path.endswith("run.py") else 0o644
            archive.addfile(info, io.BytesIO(text.encode()))
    return buffer.getvalue()


@pytest.fixture
def task(run: Run) -> Task:
    params = SuiteParams(
        suite=Suite(runner="go"),
        tests=NEW,
        deleted=("tests/test_gone.py", "tests/never.py"),
        fail_to_pass=("a::b",),
        pass_to_pass=("c", "d"),
    )
    return attempts.task(
        instruction="The repository has a problem.\n\n<problem>\nIt <problem> fails.\n\nOften.\n</problem>\n\nMend it.",
        env=Env(recipe=Recipe(archives={"/workspace": run.blobs.put(packed(OLD))}), patch=SINCE),
        checks=(Check(verifier="suite", params=params.model_dump(mode="json")),),
        reference=Reference(patch="the patch\n"),
        provenance=Provenance(
            source="git:o/n#12", commit="c" * 40, created="2024-01-01", licence="MIT", author="Ada", url="u"
        ),
    )


async def exported(run: Run, task: Task, out: Path) -> tuple[list[dict[str, Any]], dict[str, int]]:
    attempts.keep(run, task, attempts.attempt(task, seed=1), attempts.attempt(task, seed=2))
    left_out = await attempts.export_counting(run, "swe-bench", out)
    lines = [line for file in out.glob("data/*") for line in file.read_text().splitlines()]
    return [json.loads(line) for line in lines], left_out


async def test_a_row_has_what_the_harness_reads(run: Run, task: Task, tmp_path: Path) -> None:
    [row], left_out = await exported(run, task, tmp_path / "out")
    assert left_out == {}
    assert (row["repo"], row["instance_id"], row["base_commit"]) == ("o/n", "o__n-12", "c" * 40)
    assert (row["patch"], row["created_at"]) == ("the patch\n", "2024-01-01")
    assert row["problem_statement"] == "It <problem> fails.\n\nOften."
    assert (row["FAIL_TO_PASS"], row["PASS_TO_PASS"]) == ('["a::b"]', '["c", "d"]')
    assert set(swe_bench.Row.__annotations__) == set(row)
    assert (row["image"], row["log_parser"]) == ("sweb.eval.x86_64.o__n-12:latest", "parse_log_tap")
    assert (json.loads(row["crucible"])["licence"], json.loads(row["crucible"])["author"]) == ("MIT", "Ada")


async def test_the_test_patch_leads_from_the_base_to_the_tests(run: Run, task: Task, tmp_path: Path) -> None:
    [row], _ = await exported(run, task, tmp_path / "out")
    base = tmp_path / "base"
    for path, text in OLD.items():
        (base / path).parent.mkdir(parents=True, exist_ok=True)
        (base / path).write_text(text)
    (base / "tests" / "run.py").chmod(0o755)
    for patch in (SINCE, row["test_patch"]):
        subprocess.run(["git", "apply", "-"], cwd=base, input=patch.encode(), check=True)
    found = {path.relative_to(base).as_posix(): path.read_text() for path in base.rglob("*") if path.is_file()}
    assert found == {"src/a.py": "b\n", **NEW}
    assert "mode" not in row["test_patch"].partition("tests/run.py")[2].partition("diff --git")[0].partition("index")[0]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"provenance": Provenance(source="git:o/n#12", transform="injection")}, "no_swe_bench_row"),
        ({"provenance": Provenance(source="elsewhere")}, "no_instance_id"),
        ({"checks": (Check(verifier="told"),)}, "not_judged_by_a_suite"),
        ({"env": Env()}, "no_base_tree"),
        ({"env": Env(leaves="layer")}, "no_diff"),
        ({"reference": Reference(script="x")}, "no_swe_bench_row"),
    ],
)
async def test_what_has_no_row_is_left_out_with_its_reason(
    run: Run, task: Task, tmp_path: Path, change: dict[str, Any], reason: str
) -> None:
    rows, left_out = await exported(run, task.model_copy(update=change), tmp_path / "out")
    assert (rows, set(left_out)) == ([], {reason})


async def test_tests_within_a_source_file_are_refused_because_the_harness_would_reset_it(
    run: Run, task: Task, tmp_path: Path
) -> None:
    inline = {"src/lib.rs": "#[test]\nfn adds() {}\n"}
    params = SuiteParams(suite=Suite(runner="cargo"), inline=inline, fail_to_pass=("a",))
    check = Check(verifier="suite", params=params.model_dump(mode="json"))
    rows, left_out = await exported(run, task.model_copy(update={"checks": (check,)}), tmp_path / "out")
    assert (rows, set(left_out)) == ([], {"no_test_patch"})


async def test_rows_stand_in_the_split_that_the_harness_reads_and_images_are_built_from_beside_them(
    run: Run, task: Task, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    [row], _ = await exported(run, task, out)
    assert [path.name for path in (out / "data").iterdir()] == ["test-00000-of-00001.jsonl"]
    folder = out / "tasks" / "o__n-12"
    dockerfile = (folder / "Dockerfile").read_text()
    assert dockerfile.endswith('RUN ["ln", "-s", "/workspace", "/testbed"]\n')
    assert {"archive-0.tar", "base.patch"} <= {path.name for path in folder.iterdir()}
    assert (folder / "eval.sh").read_text() == row["eval_script"]
    assert json.loads((folder / "tests.json").read_text())["PASS_TO_PASS"] == ["c", "d"]
    assert check_folder(out).faults == ()


async def test_the_script_tells_outcomes_between_the_marks_and_what_was_printed_after_them(
    run: Run, task: Task, tmp_path: Path
) -> None:
    [row], _ = await exported(run, task, tmp_path / "out")
    lines = row["eval_script"].splitlines()
    start, end = lines.index(": '>>>>> Start Test Output'"), lines.index(": '>>>>> End Test Output'")
    assert [line.split()[0] for line in lines[start + 1 : end]] == ["cat", "["]
    assert "printed" in "".join(lines[end:])
    subprocess.run(["bash", "-n"], input=row["eval_script"].encode(), check=True)


async def test_an_export_comes_back_without_its_manifest_and_lineage(run: Run, task: Task, tmp_path: Path) -> None:
    await exported(run, task, tmp_path / "out")
    rows = list(read_rows(ImportPlace(path=tmp_path / "out"), run.blobs))
    assert [row.name for row in rows] == ["o__n-12"]


@pytest.mark.parametrize("name", ["a\nb", " a"])
async def test_a_test_whose_name_is_no_line_has_no_row(run: Run, task: Task, tmp_path: Path, name: str) -> None:
    params = SuiteParams(suite=Suite(runner="go"), tests=NEW, fail_to_pass=(name,))
    check = Check(verifier="suite", params=params.model_dump(mode="json"))
    rows, left_out = await exported(run, task.model_copy(update={"checks": (check,)}), tmp_path / "out")
    assert (rows, set(left_out)) == ([], {"no_swe_bench_row"})


async def test_a_file_that_a_link_leads_away_writes_nothing_outside(run: Run, task: Task, tmp_path: Path) -> None:
    target = tmp_path / "outside"
    target.mkdir()
    link = f"diff --git a/away b/away\nnew file mode 120000\n--- /dev/null\n+++ b/away\n@@ -0,0 +1 @@\n+{target}\n"
    params = SuiteParams(tests={"away/x.py": "x\n"}, fail_to_pass=("a",))
    check = Check(verifier="suite", params=params.model_dump(mode="json"))
    env = task.env.model_copy(update={"patch": link})
    await exported(run, task.model_copy(update={"env": env, "checks": (check,)}), tmp_path / "out")
    assert list(target.iterdir()) == []
