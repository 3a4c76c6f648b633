"""Whether a deck holds what a specification asks for: each question is answered by what it lacks, in words."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from crucible.domains.office.decks.deck import ChartData, Deck, Shape, Slide
from crucible.domains.office.decks.figures import holds, list_figures, read_figure
from crucible.domains.office.decks.rules import FURNITURE, find_prompt
from crucible.domains.office.decks.spec import DeckSpec, Topic

LEAST_NOTES = 5
"""Words that make notes."""
LEAST_WORDS = 12
"""With fewer words of its language a deck is not recognised as one of any."""


def list_words(slide: Slide) -> str:
    """What a slide says to its audience, dates and page numbers aside; a chart says its data."""
    said = [line for shape in slide.shapes if shape.placeholder not in FURNITURE for line in shape.texts]
    return "\n".join(said + [line for shape in slide.shapes if shape.chart for line in _chart_words(shape.chart)])


def _chart_words(chart: ChartData) -> Iterator[str]:
    yield from chart.categories
    for name, values in chart.series.items():
        yield name
        yield from (f"{value:.12g}" for value in values if value is not None)


def find_blank(deck: Deck) -> Iterator[str]:
    """Slides on which there is nothing."""
    for number, slide in enumerate(deck.slides, start=1):
        drawn = slide.aspects.get("background") or any(_is_drawn(shape) for shape in slide.shapes)
        if not drawn and not list_words(slide).strip():
            yield f"slide {number} is blank"


def _is_drawn(shape: Shape) -> bool:
    """Whether a shape without text shows something: a picture, a diagram, a drawing."""
    return bool(shape.picture) or not (shape.placeholder or shape.kind == "TEXT_BOX")


def find_prompts(deck: Deck) -> Iterator[str]:
    """Texts that a layout or template left."""
    for number, slide in enumerate(deck.slides, start=1):
        yield from (f"slide {number}: '{prompt}'" for shape in slide.shapes if (prompt := find_prompt(shape)))


def miss_title(deck: Deck, spec: DeckSpec) -> Iterator[str]:
    """The title is not on the first slide."""
    if not deck.slides or _fold(spec.title) not in _fold(list_words(deck.slides[0])):
        yield f"'{spec.title}' is not on slide 1"


def miss_topics(deck: Deck, topics: Sequence[Topic]) -> list[list[str]]:
    """For each topic what is missing: a slide that is about it, the figures on that slide, or a slide of its own where
    others lay claim to the same one."""
    said = [list_words(slide) for slide in deck.slides]
    missing = [{number: _miss_topic(words, topic) for number, words in enumerate(said)} for topic in topics]
    own = assign_slides([[number for number, lacks in found.items() if not lacks] for found in missing])
    return [[] if number in own else _tell_missing(topics[number], found) for number, found in enumerate(missing)]


def _miss_topic(words: str, topic: Topic) -> list[str]:
    """What the words of a slide lack to be about a topic."""
    if _fold(topic.title) not in _fold(words):
        return [f"'{topic.title}' is not there", *topic.figures]
    shown = [readings for line in words.splitlines() for _, readings in list_figures(line)]
    return [f"{figure} is not there" for figure in topic.figures if not holds(read_figure(figure), shown)]


def _tell_missing(topic: Topic, found: dict[int, list[str]]) -> list[str]:
    """What the slide that comes nearest lacks."""
    nearest = min(found.values(), key=len, default=[f"'{topic.title}' is not there"])
    if nearest[:1] == [f"'{topic.title}' is not there"]:
        return [f"no slide says '{topic.title}'"]
    return nearest or ["it has no slide of its own: another topic stands there too"]


def assign_slides(choices: Sequence[Sequence[int]]) -> dict[int, int]:
    """A slide for each topic among those it may have, none for two; as many topics as possible get one."""
    taken: dict[int, int] = {}

    def place(topic: int, tried: set[int]) -> bool:
        for slide in choices[topic]:
            if slide not in tried:
                tried.add(slide)
                if slide not in taken or place(taken[slide], tried):
                    taken[slide] = topic
                    return True
        return False

    for topic in range(len(choices)):
        place(topic, set())
    return {topic: slide for slide, topic in taken.items()}


def miss_chart(deck: Deck, wanted: ChartData) -> Iterator[str]:
    """No chart draws the data."""
    charts = [shape.chart for slide in deck.slides for shape in slide.shapes if shape.chart]
    if not any(_draws(chart, wanted) for chart in charts):
        yield f"none of {len(charts)} charts draws it" if charts else "there is no chart that can be edited"


def _draws(chart: ChartData, wanted: ChartData) -> bool:
    """Whether a chart has the values for each category, in any order, and in its workbook too; series go by their
    values, not their names."""
    if not chart.backed:
        return False
    got = [dict(zip(map(_fold, chart.categories), values, strict=False)) for values in chart.series.values()]
    return all(
        any(_are_same(dict(zip(map(_fold, wanted.categories), values, strict=True)), one) for one in got)
        for values in wanted.series.values()
    )


def _are_same(wanted: dict[str, float | None], got: dict[str, float | None]) -> bool:
    return wanted.keys() == got.keys() and all(
        math.isclose(value or 0.0, got[name] or 0.0, rel_tol=1e-6) for name, value in wanted.items()
    )


def miss_table(deck: Deck, wanted: tuple[tuple[str, ...], ...]) -> Iterator[str]:
    """No table has all the rows; it may have others beside them."""
    tables = [shape.table for slide in deck.slides for shape in slide.shapes if shape.table]
    rows = [[tuple(map(_fold, row)) for row in table] for table in tables]
    if not any(all(tuple(map(_fold, row)) in table for row in wanted) for table in rows):
        yield f"none of {len(tables)} tables has its rows" if tables else "there is no table that can be edited"


def miss_notes(deck: Deck) -> Iterator[str]:
    """Slides after the first without notes."""
    for number, slide in enumerate(deck.slides[1:], start=2):
        if len(slide.notes.split()) < LEAST_NOTES:
            yield f"slide {number} has no notes"


def find_crammed(deck: Deck, most: int) -> Iterator[str]:
    """Slides with more words than may be."""
    for number, slide in enumerate(deck.slides, start=1):
        count = sum(len(shape.text.split()) for shape in slide.shapes if shape.placeholder not in FURNITURE)
        if count > most:
            yield f"slide {number} has {count} words"


def find_invented(deck: Deck, known: tuple[str, ...]) -> Iterator[str]:
    """Figures that the document does not have; in notes too."""
    readings = [read_figure(figure) for figure in known]
    for number, slide in enumerate(deck.slides, start=1):
        for line in (*list_words(slide).splitlines(), *slide.notes.splitlines()):
            yield from (f"slide {number}: {it}" for it, read in list_figures(line) if not holds(read, readings))


def miss_language(deck: Deck, language: str) -> Iterator[str]:
    """The deck speaks another language, by the frequent words in it."""
    words = [word.strip(".,;:()!?").casefold() for slide in deck.slides for word in _prose(slide).split()]
    counts = {name: sum(word in frequent for word in words) for name, frequent in read_languages().items()}
    if counts.get(language, 0) < max(counts.values()) and len(words) >= LEAST_WORDS:
        yield f"its words are rather of '{max(counts, key=lambda name: counts[name])}' than of '{language}'"


def _prose(slide: Slide) -> str:
    return "\n".join([*(shape.text for shape in slide.shapes), slide.notes])


@cache
def read_languages() -> dict[str, frozenset[str]]:
    """Frequent words by language (`languages.toml`)."""
    facts: dict[str, list[str]] = tomllib.loads(Path(__file__).with_name("languages.toml").read_text(encoding="utf-8"))
    return {name: frozenset(words) for name, words in facts.items()}


def _fold(text: str) -> str:
    """Without case, and with single blanks."""
    return " ".join(text.casefold().split())
