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
from pipelines.swe.imports.instance import Instance, parse_instance
from pipelines.swe.imports.reward import InstanceCandidate, build_draft
from pipelines.swe.imports.rows import Row, read_rows
from pipelines.swe.model import Candidate, Overlay, PullRequest
from pipelines.swe.rewards.overlay import overlay_of
from pipelines.swe.routes.stage import choose_route
from pipelines.swe.settings import SourceSettings, adviser_name, clone_folder

KINDS = ("bugfix", "feature")
"""What a row can be: something with tests that start to pass."""


@importer("swe-bench")
def swe_bench() -> Importer:
    """SWE-bench rows (JSONL, Parquet), with clones of their repositories or images of them."""
    stages = (
        Stage("read", Row, make_candidate),
        Stage("environment", InstanceCandidate, add_environment),
        Stage("reward", InstanceCandidate, build_draft),
    )
    return Importer(read_rows, Pipeline("swe-bench", stages=stages, teacher_of=adviser_name))


async def make_candidate(row: Row, context: MiningContext) -> Sequence[InstanceCandidate]:
    """The row as a candidate, with the files its tests are in."""
    instance = parse_instance(row.text)
    if row.clone:
        pull, tests = await asyncio.to_thread(_read_clone, instance, Path(row.clone), clone_folder(context))
        pull = _require_no_benchmark(pull, context)
        candidate = Candidate(pull=pull, route=route_instance(instance, pull))
    elif instance.image and not instance.crucible:  # an image of ours holds no tree as SWE-bench's images do
        pull = _require_no_benchmark(instance_commits.pull_request_from_row(instance), context)
        env = images.env_of(instance)
        await context.world.prepare(env)
        tests = await images.overlay_of(instance, env, context)
        candidate = Candidate(pull=pull, route=route_instance(instance, pull), env=env, suite=images.image_suite())
    else:
        raise Rejected("no_repository", f"no clone of {instance.repo} (--repo says where clones are), and no image")
    return [InstanceCandidate(id=row.id, instance=instance, candidate=candidate, tests=tests)]


async def add_environment(item: InstanceCandidate, context: MiningContext) -> Sequence[InstanceCandidate]:
    """The instance with an env in which its tests run. One from an image has it already."""
    if item.candidate.env != Env():
        return [item]
    prepared = await prepare_environment(item.candidate, context)
    return [item.model_copy(update={"candidate": candidate}) for candidate in prepared]


def route_instance(instance: Instance, pull: PullRequest) -> Route:
    """The route that we exported with the row, or the one that the routers take its change for."""
    if instance.exported.kind in KINDS:
        return Route(kind=instance.exported.kind, confidence=1.0, why="the row says so")
    try:
        route = choose_route(pull)
    except Rejected:
        route = Route(kind="other", confidence=0.0, why="no router knows what this is")
    return route if route.kind in KINDS else Route(kind="bugfix", confidence=0.5, why=f"tests fail; {route.why}")


def _read_clone(instance: Instance, clone: Path, cache: Path) -> tuple[PullRequest, Overlay]:
    """The instance as a pull request of the clone, and its test files. A clone that cannot be used is a rejection."""
    try:
        pull = instance_commits.pull_request_of(instance, clone, cache)
        return pull, overlay_of(pull)
    except (Rejected, EngineMissing):
        raise
    except CrucibleError as unusable:
        raise Rejected("no_repository", unusable.line()[:300]) from unusable


def _require_no_benchmark(pull: PullRequest, context: MiningContext) -> PullRequest:
    """The pull request with the lists of benchmark instances that it is not on. Rejected where it is on one: what a
    public benchmark asks for is not trained on, whichever way it comes in."""
    lists = decontamination.load_lists(context.section(SourceSettings).lists)
    if name := next((benchmark.name for benchmark in lists if benchmark.holds(pull)), ""):
        raise Rejected("benchmark_instance", f"on the list {name}")
    return pull.model_copy(update={"held_against": tuple(benchmark.name for benchmark in lists)})
