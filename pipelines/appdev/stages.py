"""The stages: a query is worded, judged, and written as a task that carries its rubric."""

from __future__ import annotations

from collections.abc import Sequence
from posixpath import join

from crucible.domains.web.rubric import Rubric
from crucible.domains.web.world import app_env
from crucible.judging.yields import ITEM
from crucible.mining import MiningContext
from crucible.model import Check, Provenance, Reference, Task
from pipelines.appdev.library import load_features, load_library
from pipelines.appdev.model import AppQuery
from pipelines.appdev.rubrics import compose_rubric
from pipelines.appdev.settings import AppdevSettings
from pipelines.queries.expanding import reword
from pipelines.queries.judging import judge_query
from pipelines.queries.settings import QuerySettings

PICTURED = "page"
"""The surface that has looks to be judged."""


async def word_query(item: AppQuery, context: MiningContext) -> Sequence[AppQuery]:
    """The query with an opening in a model's words, where a teacher is named; authored ones stay as they are."""
    if context.teacher is None or item.solution:
        return [item]
    query = await reword(item.query, context.teacher, context.section(QuerySettings).temperature)
    return [item.model_copy(update={"query": query})]


async def judge_app_query(item: AppQuery, context: MiningContext) -> Sequence[AppQuery]:
    """The query with what was found about it; Rejected where it is not worth a task."""
    judge = await context.services.get_if_configured("judge")
    findings = await judge_query(item.query, load_library(), judge, context.section(QuerySettings).least)
    return [item.model_copy(update={"findings": findings})]


async def write_task(item: AppQuery, context: MiningContext) -> Sequence[Task]:
    """The query as a task: its checks are the layers of a judgement, and all of them know the rubric."""
    query, authorship = item.query, load_library().authorship
    rubric = compose_rubric(load_features()[name] for name in query.choice.features)
    env = app_env(rubric.surface)
    task = Task(
        domain="appdev",
        kind=query.domain,
        instruction=query.text,
        env=env,
        checks=make_checks(rubric, context.section(AppdevSettings)),
        proven_by="rubric",
        reference=Reference(files={join(env.workdir, path): text for path, text in item.solution.items()}),
        provenance=Provenance(source=f"meta-query:{query.id}", licence=authorship.licence, author=authorship.author),
        labels={ITEM: item.id, "meta": query.meta, "features": ", ".join(query.choice.features)},
    )
    return [task]


def make_checks(rubric: Rubric, settings: AppdevSettings) -> tuple[Check, ...]:
    """It runs, it does what is asked, and it looks well, where there are looks and they are asked for."""
    asked = rubric.model_dump(mode="json", exclude_defaults=True)
    checks = [
        Check(verifier="app.execution", params={"rubric": asked}),
        Check(verifier="app.interaction", params=asked, least=settings.least_interaction),
    ]
    if settings.agent and rubric.surface == PICTURED:
        checks.append(Check(verifier="app.agent", params={"rubric": asked}, least=settings.least_interaction))
    if settings.least_visual and rubric.surface == PICTURED:
        checks.append(Check(verifier="app.visual", params={"rubric": asked}, least=settings.least_visual))
    return tuple(checks)
