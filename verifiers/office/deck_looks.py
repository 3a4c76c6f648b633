"""How a deck looks: rules of layout on what was drawn, measures of style, and a model's eyes where one is configured.

Of an edit only new faults are held against it: real decks have many, and those that were there are not the editor's.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path

from crucible.asking import Judge
from crucible.documents import Office
from crucible.domains.looks.findings import Finding
from crucible.domains.looks.marking import mark_findings
from crucible.domains.looks.questions import ask_about_pictures
from crucible.domains.office import decks
from crucible.domains.office.decks.limits import load_deck_table
from crucible.domains.office.decks.params import DeckLooksParams
from crucible.domains.office.decks.rules import Fault, RuleReport, check_layout, scale_box
from crucible.domains.office.decks.style import measure_style, rate_pages
from crucible.domains.office.decks.text import PrintedSlide, print_slides
from crucible.mining import BlobStore
from crucible.model import Criterion, Task, Trajectory
from crucible.parts import verifier
from crucible.sandbox import Sandbox
from verifiers.criteria import gate_criterion
from verifiers.office.deck_mutants import list_looks_mutations
from verifiers.office.deck_opening import OPENS, ClosedDeck, open_attempt, open_deck

QUESTION = Path(decks.__file__).with_name("question.md")
MOST_ASKED = 12
"""Pages that a model is shown."""
SHOWN = 5
"""How many faults are told."""
DPI_SCALE = 80 / 72
"""Pixels of a page's picture in a point."""


@verifier(
    "deck.looks",
    layer="visual",
    version=1,
    cost="seconds",
    needs=("blobs", "office"),
    wants=("judge",),
    mutants=list_looks_mutations,
)
async def deck_looks(
    task: Task,
    trajectory: Trajectory,
    box: Sandbox,
    *,
    params: DeckLooksParams,
    blobs: BlobStore,
    office: Office,
    judge: Judge | None = None,
) -> AsyncIterator[Criterion]:
    """No text overlaps, overflows or runs off; nothing is left empty, tiny or faint; an edit adds no such fault."""
    try:
        made = await open_attempt(task, box, params.path, office)
    except ClosedDeck as fault:
        yield gate_criterion(OPENS, False, str(fault))
        return
    yield gate_criterion(OPENS, True, f"{len(made.pages)} pages")
    before = [await open_deck(office, blobs.get(digest)) for digest in params.before]
    old = [await asyncio.to_thread(list_faults, print_slides(each.deck, each.pages)) for each in before]
    slides = print_slides(made.deck, made.pages)
    for report in await asyncio.to_thread(lambda: list(check_layout(slides))):
        yield judge_edit(report, old, blobs) if params.before else judge_rule(report, blobs)
    if not params.before:
        for criterion in await asyncio.to_thread(lambda: list(judge_style(slides))):
            yield criterion
    if judge and made.pages:
        general = () if params.before else load_deck_table().questions
        async for criterion in ask_judge(judge, slides, (*general, *params.questions), blobs):
            yield criterion


def list_faults(slides: list[PrintedSlide]) -> Counter[tuple[str, str]]:
    """How often each rule finds the same thing wrong."""
    return Counter((report.rule, fault.key) for report in check_layout(slides) for _, fault in report.faults)


def judge_rule(report: RuleReport, blobs: BlobStore) -> Criterion:
    """A rule over a deck that was made."""
    rule = load_deck_table().rules[report.rule]
    passed = report.share >= rule.least
    said = f"{len(report.faults)} of {report.looked_at}"
    return Criterion(
        name=rule.asks,
        passed=passed,
        evidence=_tell(report.faults) or said,
        share=report.share if passed else 1.0,
        weight=rule.weight,
        attachments={} if passed else mark_worst(report.rule, report.faults, blobs),
    )


def judge_edit(report: RuleReport, old: Sequence[Counter[tuple[str, str]]], blobs: BlobStore) -> Criterion:
    """A rule over a deck that was edited: faults that were there before, in the given or the right deck, may stay."""
    rule = load_deck_table().rules[report.rule]
    new = tuple(list_new(report, old))
    return Criterion(
        name=f"{rule.asks}, as far as it was so before",
        passed=not new,
        evidence=_tell(new) or f"nothing new; {len(report.faults)} in all",
        weight=rule.weight,
        attachments=mark_worst(report.rule, new, blobs) if new else {},
    )


def list_new(report: RuleReport, old: Sequence[Counter[tuple[str, str]]]) -> Iterator[tuple[PrintedSlide, Fault]]:
    """The faults beyond those that were there before."""
    known: Counter[tuple[str, str]] = Counter()
    for each in old:
        known |= each
    for printed, fault in report.faults:
        if known[report.rule, fault.key] > 0:
            known[report.rule, fault.key] -= 1
        else:
            yield printed, fault


def judge_style(slides: Sequence[PrintedSlide]) -> Iterator[Criterion]:
    """What the measures of style say, and the pages as a whole: a soft term, always met to a degree."""
    table = load_deck_table()
    shares = []
    for name, styled in measure_style(slides):
        rule = table.styles[name]
        passed = styled.share >= rule.least
        shares.append(styled.share)
        share = styled.share if passed else 1.0
        yield Criterion(name=rule.asks, passed=passed, evidence=styled.said, share=share, weight=rule.weight)
    rated, mean = rate_pages(slides), sum(shares) / len(shares)
    yield Criterion(
        name="the deck pleases as a whole",
        passed=True,
        evidence=f"measures are met by {mean:.2f}; the pages are rated {rated:.2f}",
        share=(rated + mean) / 2,
        weight=table.whole_weight,
    )


async def ask_judge(
    judge: Judge, slides: Sequence[PrintedSlide], questions: Sequence[str], blobs: BlobStore
) -> AsyncIterator[Criterion]:
    """What a model says that sees the pages."""
    pictures = {f"slide {printed.number}": blobs.put(printed.page.picture) for printed in slides[:MOST_ASKED]}
    template = QUESTION.read_text(encoding="utf-8")
    for question in questions:
        answer = await ask_about_pictures(judge, template, question, pictures, things="decks")
        yield Criterion(name=question, passed=answer.met, evidence=answer.evidence, attachments=pictures)


def mark_worst(rule: str, faults: Sequence[tuple[PrintedSlide, Fault]], blobs: BlobStore) -> dict[str, str]:
    """The page with the most faults, with their places marked: its digest by what it shows."""
    counts = Counter(printed.number for printed, _ in faults)
    number = counts.most_common(1)[0][0]
    page = next(printed.page for printed, _ in faults if printed.number == number)
    findings = [
        Finding(scale_box(fault.box, DPI_SCALE), fault.what) for printed, fault in faults if printed.number == number
    ]
    return {f"{rule} on slide {number}": blobs.put(mark_findings(page.picture, findings))}


def _tell(faults: Sequence[tuple[PrintedSlide, Fault]]) -> str:
    told = [f"slide {printed.number}: {fault.what}" for printed, fault in faults[:SHOWN]]
    more = [f"and {len(faults) - SHOWN} more"] if len(faults) > SHOWN else []
    return "; ".join([*told, *more])
