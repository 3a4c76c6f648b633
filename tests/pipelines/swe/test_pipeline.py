"""The sample's pull requests go through every stage, in real boxes."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from crucible import parts
from crucible.collecting import Dropped
from crucible.domains.code.suite import SuiteParams
from crucible.errors import Rejected
from crucible.mining import MiningContext, Pipeline
from crucible.model import Task
from crucible.record import Record
from crucible.sandbox import World
from crucible.store.blobs import Blobs
from pipelines.swe.model import PullRequest
from pipelines.swe.repository.git import git

pytestmark = pytest.mark.slow


@pytest.fixture
def swe() -> Pipeline:
    made: Pipeline = parts.find("pipeline", "swe").make()
    return made


@pytest.fixture
def context(world: World, blobs: Blobs) -> MiningContext:
    return MiningContext(world=world, blobs=blobs, repeats=2)


async def through(pull: PullRequest, swe: Pipeline, context: MiningContext) -> Sequence[Record]:
    items: Sequence[Record] = [pull]
    for stage in swe.stages:
        assert all(isinstance(item, stage.takes) for item in items)
        items = [made for item in items for made in await stage.work(item, context)]
    return items


def test_the_sample_is_there(swe: Pipeline) -> None:
    assert all((Path(sample) / "history.toml").is_file() for sample in swe.samples)
    assert parts.find("source", swe.source)


async def test_a_fix_becomes_a_task(swe: Pipeline, context: MiningContext, pulls: dict[int, PullRequest]) -> None:
    task, variant, unmade = await through(pulls[7], swe, context)
    assert isinstance(task, Task)
    assert isinstance(variant, Task)
    assert variant.provenance.parent == task.id
    assert variant.provenance.transform
    assert variant.provenance.source == f"git:shelf#7~{variant.provenance.transform}"
    assert isinstance(unmade, Dropped), "a variant that cannot be made is told with its reason"
    assert unmade.reason
    assert unmade.record.id.startswith(f"{task.id}~")  # type: ignore[attr-defined]
    params = SuiteParams.model_validate(task.checks[0].params)
    assert "tests/test_query.py::test_a_colon_in_a_phrase_is_text" in params.fail_to_pass
    assert len(params.fail_to_pass) == 5
    assert "tests/test_query.py::test_an_apostrophe_is_a_letter" in params.pass_to_pass
    assert sorted(params.tests) == ["tests/conftest.py", "tests/test_catalog.py", "tests/test_query.py"]
    assert task.reference.patch == pulls[7].patch
    assert "quoted title with a colon" in task.instruction
    assert task.provenance.licence == "MIT"


async def test_tests_that_passed_before_make_no_task(
    swe: Pipeline, context: MiningContext, pulls: dict[int, PullRequest]
) -> None:
    with pytest.raises(Rejected) as caught:
        await through(pulls[12], swe, context)
    assert caught.value.reason == "no_fail_to_pass"


async def test_a_golden_patch_that_solves_nothing_makes_no_task(
    swe: Pipeline, context: MiningContext, pulls: dict[int, PullRequest]
) -> None:
    with pytest.raises(Rejected) as caught:
        await through(pulls[7].model_copy(update={"patch": pulls[11].patch}), swe, context)
    assert caught.value.reason == "golden_fails"


async def test_an_agent_finds_one_commit_and_no_object_newer_than_the_base(
    swe: Pipeline, context: MiningContext, pulls: dict[int, PullRequest], shelf: Path
) -> None:
    candidates = await through(pulls[13], Pipeline("swe", swe.stages[:3]), context)
    older = git(shelf, "rev-list", "--objects", "--no-object-names", pulls[13].base_commit).decode().split()
    async with context.world.open(candidates[0].env) as box:  # type: ignore[attr-defined]
        assert (await box.exec("git rev-list --all --reflog --count")).out.strip() == "1"
        assert (await box.exec("git stash list; git remote; git tag; git status --porcelain")).out == ""
        kinds = "git cat-file --batch-all-objects --batch-check='%(objecttype) %(objectname)'"
        objects = [line.split() for line in (await box.exec(kinds)).out.splitlines()]
        files = {name for kind, name in objects if kind == "blob"}
        assert files
        assert files <= set(older)
        assert (await box.exec("id -un; stat -c %U . shelf/query.py .git")).out.split() == ["agent"] * 4
        assert "utf-8-sig" not in (await box.exec("cat shelf/store.py")).out
        assert "def _place" in (await box.exec("cat shelf/catalog.py")).out  # what was merged before it is there
