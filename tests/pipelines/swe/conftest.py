"""The sample history as a real repository, and the pull requests mined from it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import pytest_asyncio

from crucible import parts
from crucible.mining import MiningContext, Route
from crucible.sandbox import World
from crucible.store.blobs import Blobs
from pipelines.swe.environment.stage import prepare_environment
from pipelines.swe.model import Built, Candidate, PullRequest
from pipelines.swe.repository import history
from pipelines.swe.repository.changes import changed_files, read_patch
from pipelines.swe.rewards.stage import build_reward
from pipelines.swe.routes.stage import route

SAMPLE = "sample_data/swe/shelf"


async def mined(origin: str | Path, context: MiningContext) -> list[PullRequest]:
    return [pull async for pull in parts.find("source", "git").make(str(origin), context)]


@pytest.fixture(scope="session")
def mine() -> Callable[..., object]:
    return mined


@pytest.fixture(scope="session")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample as a bare repository."""
    return history.build_repository(Path(SAMPLE), tmp_path_factory.mktemp("built") / "shelf.git")


@pytest.fixture(scope="session")
def no_world() -> MiningContext:
    """For stages that open no box and keep no blob."""
    return MiningContext(world=None, blobs=None)  # type: ignore[arg-type]


@pytest.fixture
def context(world: World, blobs: Blobs) -> MiningContext:
    """For stages that work in boxes."""
    return MiningContext(world=world, blobs=blobs, repeats=1)


async def built(pull: PullRequest, context: MiningContext) -> Built:
    """The draft that becomes of a pull request, before its statement is seen to."""
    [candidate] = await route(pull, context)
    [prepared] = await prepare_environment(candidate, context)
    [made] = await build_reward(prepared, context)
    return made


@pytest_asyncio.fixture(scope="session")
async def pulls(no_world: MiningContext) -> dict[int, PullRequest]:
    return {pull.number: pull for pull in await mined(SAMPLE, no_world)}


def git(repo: Path, *words: str) -> str:
    who = [w for key in ("user.name=a", "user.email=a@x") for w in ("-c", key)]
    clean = {"PATH": os.environ["PATH"], "HOME": str(repo)}
    done = subprocess.run(["git", "-C", str(repo), *who, *words], check=True, env=clean, capture_output=True, text=True)
    return done.stdout.strip()


def commit(repo: Path, files: Mapping[str, str]) -> str:
    for path, content in files.items():
        (repo / path).parent.mkdir(parents=True, exist_ok=True)
        (repo / path).write_text(content)
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "-m", "x")
    return git(repo, "rev-parse", "HEAD")


@pytest.fixture
def change(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Mapping[str, str], Mapping[str, str]], Candidate]:
    """A pull request on a new repository: its files before, and those that it writes."""

    def made(before: Mapping[str, str], after: Mapping[str, str]) -> Candidate:
        repo = tmp_path_factory.mktemp("changed")
        git(repo, "init", "-q", "-b", "main")
        base, merged = commit(repo, before), commit(repo, after)
        files = changed_files(repo, base, merged)
        code = read_patch(repo, base, merged, [file.path for file in files if file.sort != "test"]).decode()
        pull = PullRequest(
            repo="x",
            number=1,
            title="x",
            base_commit=base,
            merge_commit=merged,
            origin=str(repo),
            files=files,
            patch=code,
        )
        return Candidate(pull=pull, route=Route(kind="feature", confidence=1, why=""))

    return made
