"""The pipeline of office work: which stages its raw material goes through, in order."""

from __future__ import annotations

from crucible.mining import Pipeline, Stage
from crucible.parts import pipeline
from pipelines.cowork.settings import CoworkSettings
from pipelines.cowork.source import choose_source
from pipelines.cowork.tracks import TRACKS, any_of, derive, write
from pipelines.queries.settings import rewording_teacher

SAMPLES = ("workbooks", "decks", "texts", "finance", "models", "documents")


@pipeline("cowork")
def cowork() -> Pipeline:
    """Workbooks, decks, texts and finance to tasks, judged by what formulas come to and what slides show."""
    return Pipeline(
        name="cowork",
        source="office-files",
        samples=tuple(f"sample_data/cowork/{kind}" for kind in SAMPLES),
        source_of=choose_source,
        demo_items=1,
        teacher_of=rewording_teacher,
        demo_sections={"cowork": CoworkSettings(walks=1, plans=1, forms=("pdf",))},
        stages=(
            Stage("derive", any_of([track.raw for track in TRACKS]), derive),
            Stage("write", any_of([track.derived for track in TRACKS]), write),
        ),
    )
