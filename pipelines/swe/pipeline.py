"""The SWE pipeline: which stages a pull request goes through, in order."""

from __future__ import annotations

from crucible.mining import Pipeline, Stage
from crucible.parts import pipeline
from pipelines.swe.environment.stage import prepare_environment
from pipelines.swe.filters.stage import filter_pull_request
from pipelines.swe.model import Built, Candidate, PullRequest
from pipelines.swe.repository import origins
from pipelines.swe.rewards.stage import build_reward
from pipelines.swe.routes.stage import route
from pipelines.swe.settings import adviser_name
from pipelines.swe.statements.stage import write_statement
from pipelines.swe.transforms import transform


@pipeline("swe")
def swe() -> Pipeline:
    """Pull requests to verifiable repository tasks."""
    return Pipeline(
        name="swe",
        source="git",
        source_of=origins.source_of,
        teacher_of=adviser_name,
        samples=("sample_data/swe/shelf",),
        demo_items=6,
        stages=(
            Stage("filter", PullRequest, filter_pull_request),
            Stage("route", PullRequest, route),
            Stage("environment", Candidate, prepare_environment),
            Stage("reward", Candidate, build_reward),
            Stage("statement", Built, write_statement),
            Stage("transform", Built, transform),
        ),
    )
