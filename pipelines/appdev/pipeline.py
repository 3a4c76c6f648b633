"""The application pipeline: which stages a query goes through, in order."""

from __future__ import annotations

from crucible.mining import Pipeline, Stage
from crucible.parts import pipeline
from pipelines.appdev.model import AppQuery
from pipelines.appdev.source import choose_source
from pipelines.appdev.stages import judge_app_query, word_query, write_task
from pipelines.queries.settings import rewording_teacher


@pipeline("appdev")
def appdev() -> Pipeline:
    """Queries for applications to tasks that are judged by using what was built."""
    return Pipeline(
        name="appdev",
        source="app-queries",
        samples=("sample_data/appdev/apps",),
        demo_items=1,
        source_of=choose_source,
        teacher_of=rewording_teacher,
        stages=(
            Stage("word", AppQuery, word_query),
            Stage("judge", AppQuery, judge_app_query),
            Stage("write", AppQuery, write_task),
        ),
    )
