"""A deck was edited where that was asked, as it was asked, and nowhere else.

Slides are compared by what they say and show, not by how the file writes it down: programs that save a deck write all
of it anew.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence

from crucible.documents import Office
from crucible.domains.office.decks.deck import Deck, Slide, list_differences, read_deck
from crucible.domains.office.decks.params import DeckParams
from crucible.mining import BlobStore
from crucible.model import Criterion, Task, Trajectory
from crucible.parts import verifier
from crucible.sandbox import Sandbox
from verifiers.criteria import fault_criterion, gate_criterion
from verifiers.office.deck_mutants import list_edit_mutations
from verifiers.office.deck_opening import OPENS, ClosedDeck, open_attempt
from verifiers.office.deck_resaved import SUITE, Wanted, resave


@verifier("deck", layer="function", version=4, cost="seconds", needs=("blobs", "office"), mutants=list_edit_mutations)
async def deck(
    task: Task, trajectory: Trajectory, box: Sandbox, *, params: DeckParams, blobs: BlobStore, office: Office
) -> AsyncIterator[Criterion]:
    """It opens and renders, what was asked for is there, and all other slides are as they were."""
    try:
        made = await open_attempt(task, box, params.path, office)
    except ClosedDeck as fault:
        yield gate_criterion(OPENS, False, str(fault))
        return
    shown = zip(made.deck.list_shown(), made.pages, strict=False)
    pictures = {f"slide {number}": blobs.put(page.picture) for (number, _), page in shown}
    yield gate_criterion(OPENS, True, f"{len(made.pages)} pages")
    files = blobs.get(params.given), blobs.get(params.gold)
    wanted = Wanted(*[await read_deck(office, data) for data in files])
    criteria = list(judge_deck(made.deck, wanted.gold, wanted.given, pictures))
    if made.deck.program.startswith(SUITE) and not all(criterion.passed for criterion in criteria):
        saved = await resave(office, *files, wanted)
        criteria = list(judge_deck(made.deck, saved.gold, saved.given, pictures)) if saved else criteria
    for criterion in criteria:
        yield criterion


def judge_deck(made: Deck, gold: Deck, given: Deck, pictures: dict[str, str]) -> Iterator[Criterion]:
    """Everything that is asked of a deck that opens; pictures are digests by slide."""
    yield fault_criterion("it brings no macro", ["macros"] if made.macros and not given.macros else [], gate=True)
    yield fault_criterion(
        f"it has {len(gold.slides)} slides",
        [] if len(made.slides) == len(gold.slides) else [f"it has {len(made.slides)}"],
    )
    edited = Wanted(given, gold).list_edited()
    others = []
    for number, wanted in enumerate(gold.slides, start=1):
        got = made.slides[number - 1] if number <= len(made.slides) else None
        found = list_faults(wanted, got, [old for old in given.slides if wanted.is_like(old)])
        if number in edited:
            shown = {name: blob for name, blob in pictures.items() if name == f"slide {number}"}
            yield fault_criterion(f"slide {number} is as asked", found, attachments=shown)
        else:
            others += [f"slide {number}: {difference}" for difference in found]
    yield fault_criterion("all other slides are as they were", others)
    yield fault_criterion("theme and layouts are as they were", list(_list_design_changes(made, gold)))
    if hidden := list_hidden_edits(gold, given):
        kept = [f"slide {number}: {name}" for number, name in hidden if _has_kept(made, given, number, name)]
        yield fault_criterion("what is asked for beside text and shapes was changed", kept)


def list_faults(wanted: Slide, got: Slide | None, before: Sequence[Slide]) -> list[str]:
    """How a slide differs from what it should be. One that was there before must be as it was in its details too: as
    the given deck or the right one has it, for programs that save a deck leave traces."""
    if got is None:
        return ["it is not there"]
    if not before:
        return list(list_differences(wanted, got))
    return min((list(list_differences(each, got, closely=True)) for each in (wanted, *before)), key=len)


def list_hidden_edits(gold: Deck, given: Deck) -> list[tuple[int, str]]:
    """Slides and their aspects that the right deck changes, where it changes nothing else: an animation, the style of a
    shape. Real edits are now and then of this kind, and the untouched deck must not pass as one."""
    if len(gold.slides) != len(given.slides) or list(_list_design_changes(given, gold)):
        return []
    pairs = list(zip(gold.slides, given.slides, strict=True))
    if not all(new.is_like(old) for new, old in pairs):
        return []
    return [
        (number, name)
        for number, (new, old) in enumerate(pairs, start=1)
        for name, value in new.aspects.items()
        if old.aspects.get(name) != value
    ]


def _has_kept(made: Deck, given: Deck, number: int, name: str) -> bool:
    """Whether an aspect of a slide is as it was given."""
    if number > len(made.slides):
        return True
    return made.slides[number - 1].aspects.get(name) == given.slides[number - 1].aspects.get(name)


def _list_design_changes(made: Deck, gold: Deck) -> Iterator[str]:
    if made.themes[:1] != gold.themes[:1]:
        yield "the theme has other colours or fonts"
    if lost := set(gold.layouts) - set(made.layouts):
        yield f"layouts are gone: {', '.join(sorted(lost))}"
    if (made.width, made.height) != (gold.width, gold.height):
        yield f"slides are {made.width} x {made.height} points instead of {gold.width} x {gold.height}"
