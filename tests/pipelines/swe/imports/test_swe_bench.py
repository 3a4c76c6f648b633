"""SWE-bench rows taken in: read whatever is in the file, kept only with a repository, proved like any other task."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from crucible.domains.code.suite import Report
from crucible.errors import CrucibleError, Rejected
from crucible.mining import ImportPlace, MiningContext
from crucible.running.run import Run, open_run
from crucible.settings import Settings
from crucible.stages.import_tasks import import_tasks
from crucible.store.funnel import count_funnel
from pipelines.swe.imports import importer, instance_commits
from pipelines.swe.imports.instance import parse_instance
from pipelines.swe.imports.reward import InstanceCandidate, confirm_claims, write_instruction
from pipelines.swe.imports.rows import Row, find_clone, read_rows
from pipelines.swe.model import PullRequest
from pipelines.swe.repository.git import git
from pipelines.swe.rewards.classify import Runs, Split
from pipelines.swe.settings import SourceSettings

SAMPLE = Path("sample_data/swe/shelf")


def row_of(pull: PullRequest, **fields: Any) -> dict[str, Any]:
    return {
        "repo": "books/shelf",
        "instance_id": f"books__shelf-{pull.number}",
        "base_commit": pull.base_commit,
        "patch": pull.patch,
        "test_patch": pull.test_patch,
        "problem_statement": pull.statement,
        "FAIL_TO_PASS": '["tests/test_query.py::test_a_colon_in_a_phrase_is_text"]',
        "PASS_TO_PASS": ["tests/test_query.py::test_an_apostrophe_is_a_letter"],
        "created_at": "2024-05-01T00:00:00Z",
        "version": None,
        "datasets": ["x"],
    } | fields


@pytest.fixture
def row(pulls: dict[int, PullRequest]) -> dict[str, Any]:
    return row_of(pulls[7])


@pytest.fixture
def context(tmp_path: Path) -> MiningContext:
    return MiningContext(
        world=None, blobs=None, settings=Settings(sections={"sources": SourceSettings(cache=tmp_path / "cache")})
    )  # type: ignore[arg-type]


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    with open_run(Settings(home=tmp_path / "home")) as opened:
        yield opened


def given(row: dict[str, Any], clone: Path = SAMPLE) -> Row:
    return Row(name="x", text=json.dumps(row), clone=str(clone))


async def read(row: Row, context: MiningContext) -> InstanceCandidate:
    [found] = await importer.make_candidate(row, context)
    assert isinstance(found, InstanceCandidate)
    return found


async def test_a_row_becomes_the_pull_request_it_was_made_from(
    row: dict[str, Any], context: MiningContext, pulls: dict[int, PullRequest]
) -> None:
    found = await read(given(row), context)
    pull, mined = found.candidate.pull, pulls[7]
    assert (pull.patch, pull.test_patch, pull.base_commit) == (mined.patch, mined.test_patch, mined.base_commit)
    assert {file.path: file.sort for file in pull.files} == {file.path: file.sort for file in mined.files}
    assert pull.licence == "MIT"
    assert sorted(found.tests.tests) == ["tests/conftest.py", "tests/test_catalog.py", "tests/test_query.py"]
    assert "test_a_colon_in_a_phrase_is_text" in found.tests.tests["tests/test_query.py"]
    assert found.instance.fail_to_pass == ("tests/test_query.py::test_a_colon_in_a_phrase_is_text",)
    assert pull.held_against


async def test_a_clone_is_read_and_never_written(row: dict[str, Any], context: MiningContext, shelf: Path) -> None:
    before = git(shelf, "count-objects", "-v"), git(shelf, "for-each-ref")
    one = await read(given(row, shelf), context)
    two = await read(given(row, shelf), context)
    assert one.candidate.pull.merge_commit == two.candidate.pull.merge_commit
    assert (git(shelf, "count-objects", "-v"), git(shelf, "for-each-ref")) == before
    assert Path(one.candidate.pull.origin) != shelf


async def test_rows_of_one_repository_can_be_read_at_once(
    row: dict[str, Any], context: MiningContext, shelf: Path
) -> None:
    found = await asyncio.gather(*(read(given(row | {"version": str(n)}, shelf), context) for n in range(8)))
    assert len({one.candidate.pull.merge_commit for one in found}) == 1


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"base_commit": "0" * 40}, "commit_missing"),
        ({"base_commit": "--upload-pack=x"}, "malformed_row"),
        ({"patch": "no patch at all"}, "patch_does_not_apply"),
        ({"test_patch": "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"}, "patch_does_not_apply"),
        ({"patch": ""}, "malformed_row"),
        ({"problem_statement": None}, "malformed_row"),
        ({"FAIL_TO_PASS": "[not json"}, "malformed_row"),
        ({"repo": "../../etc"}, "malformed_row"),
        ({"repo": "django/django", "instance_id": "django__django-11099"}, "benchmark_instance"),
    ],
)
async def test_what_is_wrong_with_a_row_is_its_reason(
    row: dict[str, Any], context: MiningContext, change: dict[str, Any], reason: str
) -> None:
    with pytest.raises(Rejected) as caught:
        await importer.make_candidate(given(row | change), context)
    assert caught.value.reason == reason


async def test_a_row_of_ours_wants_its_repository_though_it_names_an_image(
    row: dict[str, Any], context: MiningContext
) -> None:
    ours = row | {"image": "sweb.eval.x86_64.books__shelf-7:latest", "crucible": '{"kind":"bugfix"}'}
    with pytest.raises(Rejected, match="--repo"):
        await importer.make_candidate(given(ours).model_copy(update={"clone": ""}), context)


async def test_rows_that_cannot_be_used_are_counted_and_nothing_crashes(
    run: Run, row: dict[str, Any], tmp_path: Path
) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text("\n".join([json.dumps(row), "{broken", "[1, 2]", "", json.dumps({"instance_id": 7}), "[" * 9000]))
    done = await import_tasks(run, "swe-bench", ImportPlace(file))
    assert (done.read, done.new, done.stages[0].errors) == (5, 5, 0)
    [stage] = [stage for stage in count_funnel(run.ledger).stages if stage.stage == "swe-bench.read"]
    assert stage.reasons == {"malformed_row": 4, "no_repository": 1}


async def test_a_row_without_its_repository_gets_another_chance_with_one(row: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text(json.dumps(row))
    [first] = read_rows(ImportPlace(tmp_path / "rows.jsonl"), None)  # type: ignore[arg-type]
    [second] = read_rows(ImportPlace(tmp_path / "rows.jsonl", SAMPLE), None)  # type: ignore[arg-type]
    assert (first.clone, second.clone) == ("", str(SAMPLE))
    assert first.id != second.id


def test_parquet_and_json_lines_are_the_same_rows(row: dict[str, Any], tmp_path: Path) -> None:
    pq.write_table(pa.Table.from_pylist([row]), tmp_path / "a.parquet")
    (tmp_path / "b.jsonl").write_text(json.dumps(row))
    one, two = read_rows(ImportPlace(tmp_path), None)  # type: ignore[arg-type]
    assert parse_instance(one.text) == parse_instance(two.text)


def test_a_file_that_is_none_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "x.parquet").write_bytes(b"PAR1 no")
    with pytest.raises(CrucibleError, match="no Parquet file"):
        list(read_rows(ImportPlace(tmp_path / "x.parquet"), None))  # type: ignore[arg-type]


def test_clones_are_found_by_either_name_and_not_outside(tmp_path: Path) -> None:
    for name in ("a__b", "c/d.git"):
        (tmp_path / "clones" / name / ".git").mkdir(parents=True)
    (tmp_path / "outside" / ".git").mkdir(parents=True)
    clones = tmp_path / "clones"
    assert find_clone("a/b", clones) == str(clones / "a__b")
    assert find_clone("c/d", clones) == str(clones / "c" / "d.git")
    assert find_clone("../outside", clones) == ""


def report(**outcomes: Any) -> Report:
    return Report(outcomes=outcomes, complete=True)


SPLIT = Split(fail_to_pass=("a", "b"), pass_to_pass=("c", "d"))
RUNS = Runs(base=(report(c="passed", d="passed"),), golden=(report(a="passed", b="passed", c="passed", d="passed"),))


def test_claims_are_kept_where_they_are_confirmed(row: dict[str, Any]) -> None:
    told = parse_instance(json.dumps(row | {"FAIL_TO_PASS": ["a"], "PASS_TO_PASS": ["d", "gone"]}))
    found = confirm_claims(told, SPLIT, RUNS)
    assert (found.fail_to_pass, found.pass_to_pass) == (("a",), ("d",))


def test_a_claim_that_is_refuted_is_a_reason(row: dict[str, Any]) -> None:
    with pytest.raises(Rejected, match="claim_not_confirmed"):
        confirm_claims(parse_instance(json.dumps(row | {"FAIL_TO_PASS": ["a", "c"]})), SPLIT, RUNS)


def test_tests_named_in_another_way_are_measured(row: dict[str, Any]) -> None:
    assert (
        confirm_claims(parse_instance(json.dumps(row | {"FAIL_TO_PASS": ["test_x (app.Case)"]})), SPLIT, RUNS) == SPLIT
    )


async def test_a_statement_that_was_changed_is_told_anew(row: dict[str, Any], context: MiningContext) -> None:
    own = json.dumps({"kind": "feature", "instruction": f"Do it: {row['problem_statement']}!"})
    ours = await read(given(row | {"crucible": own}), context)
    assert ours.candidate.route.kind == "feature"
    assert write_instruction(ours.instance, ours.candidate) == f"Do it: {row['problem_statement']}!"
    edited = await read(given(row | {"crucible": own, "problem_statement": "Another thing."}), context)
    assert "<request>\nAnother thing.\n</request>" in write_instruction(edited.instance, edited.candidate)


def test_a_shallow_or_foreign_folder_is_no_repository(tmp_path: Path, row: dict[str, Any]) -> None:
    (tmp_path / "x" / ".git").mkdir(parents=True)
    with pytest.raises(CrucibleError):
        instance_commits.pull_request_of(parse_instance(json.dumps(row)), tmp_path / "x", tmp_path / "cache")
