"""The tracks of office work: what each kind of raw material leads to, and how tasks are written of that.

A track is two stages for its own kinds of records; the pipeline sends each record to the track that knows its kind.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import reduce
from operator import or_
from types import UnionType
from typing import Any, NamedTuple

from crucible.mining import MiningContext
from crucible.record import Record
from pipelines.cowork.documents.building import rebuild_tables
from pipelines.cowork.documents.model import Document, Reconstruction
from pipelines.cowork.documents.writing import write_reconstructions
from pipelines.cowork.finance.model import Dataset, Trail
from pipelines.cowork.finance.questions import ask_questions
from pipelines.cowork.finance.writing import write_questions
from pipelines.cowork.model import OfficeQuery, Seed, Walk
from pipelines.cowork.modelling.building import build_model
from pipelines.cowork.modelling.model import FinancialModel, ModelCase
from pipelines.cowork.modelling.writing import write_models
from pipelines.cowork.queries.answering import answer_query
from pipelines.cowork.slides.briefing import brief_text, write_briefs
from pipelines.cowork.slides.model import DeckBrief, SourceText
from pipelines.cowork.walking import walk_file
from pipelines.cowork.writing import write_tasks

Work = Callable[[Any, MiningContext], Awaitable[Sequence[Record]]]


class Track(NamedTuple):
    """From raw material to something with a known answer, and from there to tasks."""

    raw: type[Record]
    derive: Work
    derived: type[Record]
    write: Work


TRACKS = (
    Track(Seed, walk_file, Walk, write_tasks),
    Track(OfficeQuery, answer_query, Walk, write_tasks),
    Track(Dataset, ask_questions, Trail, write_questions),
    Track(ModelCase, build_model, FinancialModel, write_models),
    Track(Document, rebuild_tables, Reconstruction, write_reconstructions),
    Track(SourceText, brief_text, DeckBrief, write_briefs),
)


def any_of(kinds: Sequence[type[Record]]) -> type[Record] | UnionType:
    """One of these kinds of records."""
    return reduce(or_, kinds)


async def derive(raw: Record, context: MiningContext) -> Sequence[Record]:
    """What the raw material leads to, by its track."""
    work = next(track.derive for track in TRACKS if isinstance(raw, track.raw))
    return await work(raw, context)


async def write(derived: Record, context: MiningContext) -> Sequence[Record]:
    """The tasks that are written of it, by its track."""
    work = next(track.write for track in TRACKS if isinstance(derived, track.derived))
    return await work(derived, context)
