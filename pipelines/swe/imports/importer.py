"""The importer `swe-bench`: rows to candidates, through the stages that every pull request goes through, to drafts."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from crucible.errors import CrucibleError, EngineMissing, Rejected
from crucible.mining import Importer, MiningContext, Pipeline, Route, Stage
from crucible.parts import importer
from crucible.sandbox import Env
from pipelines.swe.environment.stage import prepare_environment
from pipelines.swe.filters import decontamination
from pipelines.swe.imports import images, instance_commits
from pipelines.swe.imports.instance import Instance, instance_of
from pipelines.swe.imports.reward import Given, reward
from pipelines.swe.imports.rows import Row, rows
from pipelines.swe.model import Candidate, Overlay, PullRequest
from pipelines.swe.rewards.overlay import overlay
from pipelines.swe.routes.stage import choose_route
from pipelines.swe.settings import SourceSettings, adviser_name, clone_folder

KINDS = ("bugfix", "feature")
"""What a row can be: something with tests that start to pass."""


@importer("swe-bench")
def swe_bench() -> Importer:
    """SWE-bench rows (JSONL, Parquet), with clones of their repositories or images of them."""
    stages = (Stage("read", Row, read), Stage("environment", Given, place), Stage("reward", Given, reward))
    return Importer(rows, Pipeline("swe-bench", stages=stages, teacher_of=adviser_name))


async def read(row: Row, context: MiningContext) -> Sequence[Given]:
    """The row as a candidate, with the files its tests are in."""
    instance = instance_of(row.text)
    if row.clone:
        pull, tests = await asyncio.to_thread(_cloned, instance, Path(row.clone), clone_folder(context))
        return [_given(row, instance, Candidate(pull=_clean(pull, context), route=route(instance, pull)), tests)]
    if instance.image:
        pull = _clean(instance_commits.described(instance), context)
        env = images.env_of(instance)
        await context.world.prepare(env)
        tests = await images.overlay_of(instance, env, context)
        candidate = Candidate(pull=pull, route=route(instance, pull), env=env, suite=images.suite_of())
        return [_given(row, instance, candidate, tests)]
    raise Rejected("no_repository", f"no clone of {instance.repo} (--repo says where clones are), and no image")


async def place(given: Given, context: MiningContext) -> Sequence[Given]:
    """With an env in which the tests run. One from an image has it already."""
    if given.candidate.env != Env():
        return [given]
    return [given.model_copy(update={"candidate": one}) for one in await prepare_environment(given.candidate, context)]


def route(instance: Instance, pull: PullRequest) -> Route:
    """What we said it is, or what the routers take it for."""
    if instance.told.kind in KINDS:
        return Route(kind=instance.told.kind, confidence=1.0, why="the row says so")
    try:
        found = choose_route(pull)
    except Rejected:
        found = Route(kind="other", confidence=0.0, why="no router knows what this is")
    return found if found.kind in KINDS else Route(kind="bugfix", confidence=0.5, why=f"tests fail; {found.why}")


def _cloned(instance: Instance, clone: Path, cache: Path) -> tuple[PullRequest, Overlay]:
    try:
        pull = instance_commits.pull_of(instance, clone, cache)
        return pull, overlay(pull)
    except (Rejected, EngineMissing):
        raise
    except CrucibleError as unusable:
        raise Rejected("no_repository", unusable.line()[:300]) from unusable


def _clean(pull: PullRequest, context: MiningContext) -> PullRequest:
    """What a public benchmark asks for is not trained on, whichever way it comes in."""
    lists = decontamination.load_lists(context.section(SourceSettings).lists)
    if found := next((one.name for one in lists if one.holds(pull)), ""):
        raise Rejected("benchmark_instance", f"on the list {found}")
    return pull.model_copy(update={"held_against": tuple(one.name for one in lists)})


def _given(row: Row, instance: Instance, candidate: Candidate, tests: Overlay) -> Given:
    return Given(id=row.id, instance=instance, candidate=candidate, tests=tests)
