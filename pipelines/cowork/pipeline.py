"""The pipeline of office work: which stages a workbook or deck goes through, in order."""

from __future__ import annotations

from crucible.mining import Pipeline, Stage
from crucible.parts import pipeline
from pipelines.cowork.settings import CoworkSettings
from pipelines.cowork.source import choose_source
from pipelines.cowork.tracks import TRACKS, any_of, derive, write
from pipelines.queries.settings import rewording_teacher


@pipeline("cowork")
def cowork() -> Pipeline:
    """Workbooks and decks to tasks, judged by what formulas come to and what slides show."""
    return Pipeline(
        name="cowork",
        source="office-files",
        samples=("sample_data/cowork/workbooks", "sample_data/cowork/decks"),
        demo_items=1,
        source_of=choose_source,
        teacher_of=rewording_teacher,
        demo_sections={"cowork": CoworkSettings(walks=1)},
        stages=(
            Stage("derive", any_of([track.raw for track in TRACKS]), derive),
            Stage("write", any_of([track.derived for track in TRACKS]), write),
        ),
    )
