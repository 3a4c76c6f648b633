"""What may be asked of a deck about a document, by rules: topics with their figures, a table's data as a chart or as a
table, notes, and how many words a slide may have.
"""

from __future__ import annotations

from random import Random

from crucible.domains.office.decks.content import read_languages
from crucible.domains.office.decks.deck import ChartData
from crucible.domains.office.decks.figures import list_figures, read_figure
from crucible.domains.office.decks.spec import DeckSpec, Topic
from pipelines.cowork.slides.outline import Outline, Section

LEAST_TOPICS, MOST_TOPICS = 2, 6
MOST_FIGURES = 3
"""Of one topic: more do not fit on a slide that is to be read."""
MOST_ROWS, MOST_COLUMNS = 8, 5
MOST_WORDS = (40, 60, 80)


def specify_deck(text: str, outline: Outline, draw: Random) -> DeckSpec | None:
    """A deck that can be asked for; None where the document has too little to say."""
    telling = [section for section in outline.sections if section.sentences]
    if len(telling) < LEAST_TOPICS:
        return None
    count = draw.randint(LEAST_TOPICS, min(MOST_TOPICS, len(telling)))
    chosen = sorted(draw.sample(range(len(telling)), count))
    most_words = draw.choice(MOST_WORDS)
    topics = tuple(make_topic(telling[number], most_words) for number in chosen)
    tables = [rows for section in outline.sections for rows in section.tables if is_small_table(rows)]
    chart, table = draw_data(tables, draw)
    return DeckSpec(
        title=outline.title,
        slides=1 + count + bool(chart) + bool(table),
        topics=topics,
        chart=chart,
        table=table,
        notes=draw.random() < 0.5,
        most_words=most_words,
        language=guess_language(text),
        known_figures=tuple(dict.fromkeys(figure for figure, _ in list_figures(text))),
    )


def make_topic(section: Section, most_words: int) -> Topic:
    """A section and the first figures of its points."""
    figures = [figure for point in choose_points(section, most_words) for figure, _ in list_figures(point)]
    return Topic(title=section.title, figures=tuple(dict.fromkeys(figures))[:MOST_FIGURES])


def choose_points(section: Section, most_words: int) -> list[str]:
    """Sentences that fit on one slide beside its title, those with figures first, in the document's order."""
    room = most_words - len(section.title.split())
    by_weight = sorted(range(len(section.sentences)), key=lambda n: (not list_figures(section.sentences[n]), n))
    chosen = []
    for number in by_weight:
        words = len(section.sentences[number].split())
        if words <= room:
            chosen.append(number)
            room -= words
    return [section.sentences[number] for number in sorted(chosen)]


def is_small_table(rows: list[list[str]]) -> bool:
    """Whether a table fits on a slide and has the same cells in all rows."""
    small = 2 < len(rows) <= MOST_ROWS and 2 <= len(rows[0]) <= MOST_COLUMNS
    return small and all(len(row) == len(rows[0]) and all(row) for row in rows)


def draw_data(tables: list[list[list[str]]], draw: Random) -> tuple[ChartData | None, tuple[tuple[str, ...], ...]]:
    """One table as a chart, where all but its first column are figures, and another or the same as a table."""
    charts = [chart for rows in tables if (chart := read_chart(rows))]
    chart = draw.choice(charts) if charts else None
    shown = draw.choice(tables) if tables and (not chart or draw.random() < 0.5) else []
    return chart, tuple(tuple(row) for row in shown)


def read_chart(rows: list[list[str]]) -> ChartData | None:
    """The data of a table of figures; None where a cell is no figure, or may be read in two ways."""
    header, *body = rows
    series: dict[str, tuple[float | None, ...]] = {}
    for column, name in enumerate(header[1:], start=1):
        values = [read_figure(row[column]) if row[column][0].isdigit() else frozenset() for row in body]
        if any(len(value) != 1 for value in values):
            return None
        series[name] = tuple(next(iter(value)) for value in values)
    categories = tuple(row[0] for row in body)
    return ChartData(kind="COLUMN_CLUSTERED", categories=categories, series=series) if series else None


def guess_language(text: str) -> str:
    """The language whose frequent words the document has most of."""
    words = [word.strip(".,;:()!?").casefold() for word in text.split()]
    counts = {name: sum(word in frequent for word in words) for name, frequent in read_languages().items()}
    return max(counts, key=lambda name: counts[name])
