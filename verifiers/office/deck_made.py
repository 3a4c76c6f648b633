"""A deck that was made from a document holds what was asked for, and nothing that the document does not say.

Only the specification is asked about: any layout, wording and library will do.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

from crucible.documents import Office
from crucible.domains.office.decks import content
from crucible.domains.office.decks.contact_sheet import join_pages
from crucible.domains.office.decks.deck import Deck
from crucible.domains.office.decks.seen import keep_seen
from crucible.domains.office.decks.spec import DeckMadeParams, DeckSpec
from crucible.mining import BlobStore
from crucible.model import Criterion, Task, Trajectory
from crucible.parts import verifier
from crucible.sandbox import Sandbox
from verifiers.criteria import fault_criterion, gate_criterion
from verifiers.office.deck_mutants import list_made_mutations
from verifiers.office.deck_opening import OPENS, ClosedDeck, open_attempt


@verifier(
    "deck.made",
    layer="function",
    version=2,
    cost="seconds",
    needs=("blobs", "office"),
    mutants=list_made_mutations,
)
async def deck_made(
    task: Task, trajectory: Trajectory, box: Sandbox, *, params: DeckMadeParams, blobs: BlobStore, office: Office
) -> AsyncIterator[Criterion]:
    """It opens, has the slides, topics, figures, chart, table and notes that were asked for, and invents nothing."""
    try:
        made = await open_attempt(task, box, params.path, office)
    except ClosedDeck as fault:
        yield gate_criterion(OPENS, False, str(fault))
        return
    pictures = [page.picture for page in made.pages]
    sheet = {"all slides": blobs.put(await asyncio.to_thread(join_pages, pictures))} if pictures else {}
    yield gate_criterion(OPENS, True, f"{len(pictures)} pages", attachments=sheet)
    seen = await asyncio.to_thread(keep_seen, made.deck, made.pages)
    for criterion in (*judge_form(made.deck, seen, params.spec), *judge_content(made.deck, seen, params.spec)):
        yield criterion


def judge_form(deck: Deck, seen: Deck, spec: DeckSpec) -> Iterator[Criterion]:
    """What makes a deck unusable, whatever it says."""
    yield fault_criterion("it brings no macro", ["macros"] if deck.macros else [], gate=True)
    shown = len(deck.list_shown())
    count = [] if shown == spec.slides else [f"it shows {shown}"]
    yield fault_criterion(f"it has {spec.slides} slides", count, gate=True)
    yield fault_criterion("no slide is blank", content.find_blank(seen), gate=True)
    yield fault_criterion("no text of a template is left", content.find_prompts(deck), gate=True)


def judge_content(deck: Deck, seen: Deck, spec: DeckSpec) -> Iterator[Criterion]:
    """What the specification asks for is looked for in what can be seen; what must not be there, in all there is."""
    yield fault_criterion("the first slide has the title", content.miss_title(seen, spec))
    for topic, lacks in zip(spec.topics, content.miss_topics(seen, spec.topics), strict=True):
        yield fault_criterion(f"a slide is about '{topic.title}', with its figures", lacks)
    if spec.chart:
        yield fault_criterion("a chart draws the data", content.miss_chart(seen, spec.chart))
    if spec.table:
        yield fault_criterion("a table has the rows", content.miss_table(seen, spec.table))
    if spec.notes:
        yield fault_criterion("slides have notes for the speaker", content.miss_notes(deck))
    yield fault_criterion(
        f"no slide has more than {spec.most_words} words", content.find_crammed(deck, spec.most_words)
    )
    yield fault_criterion("no figure is invented", content.find_invented(deck, spec.known_figures))
    yield fault_criterion("it speaks the language that was asked for", content.miss_language(deck, spec.language))
