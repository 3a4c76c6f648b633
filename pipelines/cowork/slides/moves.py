"""Operations on a deck: on its words, on tables and charts, on single slides and on their order."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from pptx.chart.data import CategoryChartData
from pptx.util import Pt

from pipelines.cowork.model import Move

TITLE_SIZES = (28, 32, 36, 44)
LEAST_WORD = 5
"""How long a word must be that is replaced throughout."""


@dataclass(frozen=True)
class DeckGround:
    """A deck in the middle of a walk."""

    deck: Any
    draw: Random

    def list_slides(self) -> list[tuple[int, Any]]:
        return list(enumerate(self.deck.slides, start=1))

    def choose(self, found: list[Any]) -> Any | None:
        return self.draw.choice(found) if found else None


DeckOperation = Callable[[DeckGround], Move | None]
"""Changes the deck and says what it did; None where it does not fit, and then nothing was changed."""


def retitle(ground: DeckGround) -> Move | None:
    """Give a slide another title."""
    chosen = ground.choose([(number, slide) for number, slide in ground.list_slides() if _title(slide)])
    if not chosen:
        return None
    number, slide = chosen
    old, new = slide.shapes.title.text_frame.text, ground.draw.choice(read_texts()["titles"])
    _set_text(slide.shapes.title.text_frame.paragraphs[0], new)
    return _move("retitle", number=number, old=old, new=new)


def resize_title(ground: DeckGround) -> Move | None:
    """Set the size of a title's letters."""
    chosen = ground.choose([(number, slide) for number, slide in ground.list_slides() if _title(slide)])
    if not chosen:
        return None
    number, slide = chosen
    runs = slide.shapes.title.text_frame.paragraphs[0].runs
    size = ground.draw.choice([size for size in TITLE_SIZES if any(run.font.size != Pt(size) for run in runs)])
    for run in runs:
        run.font.size = Pt(size)
    return _move("resize-title", number=number, size=size)


def add_bullet(ground: DeckGround) -> Move | None:
    """Add a last point to a list."""
    chosen = ground.choose(list(_list_bodies(ground)))
    if not chosen:
        return None
    number, body = chosen
    new = ground.draw.choice(read_texts()["points"])
    body.text_frame.add_paragraph().text = new
    return _move("add-bullet", number=number, new=new)


def drop_bullet(ground: DeckGround) -> Move | None:
    """Take one point from a list."""
    chosen = ground.choose(list(_list_points(ground)))
    if not chosen:
        return None
    number, paragraph = chosen
    old = paragraph.text
    paragraph._p.getparent().remove(paragraph._p)
    return _move("drop-bullet", number=number, old=old)


def reword_bullet(ground: DeckGround) -> Move | None:
    """Put another text in the place of a point."""
    chosen = ground.choose(list(_list_points(ground)))
    if not chosen:
        return None
    number, paragraph = chosen
    old, new = paragraph.text, ground.draw.choice(read_texts()["points"])
    _set_text(paragraph, new)
    return _move("reword-bullet", number=number, old=old, new=new)


def embolden(ground: DeckGround) -> Move | None:
    """Set a point in bold letters."""
    plain = [(n, each) for n, each in _list_points(ground) if not any(run.font.bold for run in each.runs)]
    chosen = ground.choose(plain)
    if not chosen:
        return None
    number, paragraph = chosen
    for run in paragraph.runs:
        run.font.bold = True
    return _move("embolden", number=number, old=paragraph.text)


def write_notes(ground: DeckGround) -> Move | None:
    """Write the speaker's notes of a slide that has none."""
    bare = [(n, slide) for n, slide in ground.list_slides() if not slide.has_notes_slide]
    chosen = ground.choose(bare)
    if not chosen:
        return None
    number, slide = chosen
    new = ground.draw.choice(read_texts()["notes"])
    slide.notes_slide.notes_text_frame.text = new
    return _move("write-notes", number=number, new=new)


def set_cell(ground: DeckGround) -> Move | None:
    """Put another text into a cell of a table."""
    chosen = ground.choose([(n, shape.table) for n, shape in _list_shapes(ground) if shape.has_table])
    if not chosen:
        return None
    number, table = chosen
    row, column = ground.draw.randrange(1, len(table.rows)), ground.draw.randrange(len(table.columns))
    cell, new = table.cell(row, column), str(ground.draw.randint(11, 989))
    old = cell.text
    _set_text(cell.text_frame.paragraphs[0], new)
    return _move("set-cell", number=number, row=row + 1, column=column + 1, old=old, new=new)


def set_value(ground: DeckGround) -> Move | None:
    """Change one value that a chart draws."""
    charts = [
        (n, shape.chart) for n, shape in _list_shapes(ground) if shape.has_chart and len(list(shape.chart.plots)) == 1
    ]
    chosen = ground.choose(charts)
    if not chosen:
        return None
    number, chart = chosen
    categories = [str(category) for category in chart.plots[0].categories]
    series = {one.name: list(one.values) for one in chart.plots[0].series}
    name, at = ground.draw.choice(sorted(series)), ground.draw.randrange(len(categories))
    old, new = series[name][at], float(ground.draw.randint(3, 97))
    series[name][at] = new
    make_data: Any = CategoryChartData
    data = make_data()
    data.categories = categories
    for each, values in series.items():
        data.add_series(each, values)
    chart.replace_data(data)
    return _move("set-value", number=number, series=name, category=categories[at], old=f"{old:g}", new=f"{new:g}")


def replace_word(ground: DeckGround) -> Move | None:
    """Replace a word wherever it stands on the slides."""
    runs = [run for _, shape in _list_shapes(ground) if shape.has_text_frame
            for paragraph in shape.text_frame.paragraphs for run in paragraph.runs]  # fmt: skip
    words = Counter(word for run in runs for word in run.text.split() if word.isalpha() and len(word) >= LEAST_WORD)
    old = ground.choose(sorted(word for word, count in words.items() if count > 1))
    if not old:
        return None
    new = ground.draw.choice(read_texts()["words"])
    for run in runs:
        run.text = run.text.replace(old, new)
    return _move("replace-word", old=old, new=new)


def delete_slide(ground: DeckGround) -> Move | None:
    """Take a slide out of the deck."""
    slides = ground.list_slides()
    if len(slides) < 3:
        return None
    number, slide = ground.draw.choice(slides)
    words = {"number": number, "old": _title(slide)}
    entry = ground.deck.slides._sldIdLst[number - 1]
    ground.deck.part.drop_rel(entry.rId)
    ground.deck.slides._sldIdLst.remove(entry)
    return _move("delete-slide", **words)


def move_slide(ground: DeckGround) -> Move | None:
    """Put a slide at another place."""
    count = len(ground.list_slides())
    if count < 3:
        return None
    number, place = ground.draw.sample(range(1, count + 1), 2)
    entries = ground.deck.slides._sldIdLst
    entry = entries[number - 1]
    entries.remove(entry)
    entries.insert(place - 1, entry)
    return _move("move-slide", number=number, place=place)


OPERATIONS: dict[str, DeckOperation] = {
    "retitle": retitle,
    "resize-title": resize_title,
    "add-bullet": add_bullet,
    "drop-bullet": drop_bullet,
    "reword-bullet": reword_bullet,
    "embolden": embolden,
    "write-notes": write_notes,
    "set-cell": set_cell,
    "set-value": set_value,
    "replace-word": replace_word,
    "delete-slide": delete_slide,
    "move-slide": move_slide,
}
LAST = ("delete-slide", "move-slide")
"""After these slides have other numbers: they end a walk."""


@cache
def read_texts() -> dict[str, list[str]]:
    """Texts that are written into decks (`texts.toml`)."""
    facts: dict[str, list[str]] = tomllib.loads(Path(__file__).with_name("texts.toml").read_text(encoding="utf-8"))
    return facts


def _move(operation: str, **words: Any) -> Move:
    return Move(operation=operation, phrase=operation, words={name: str(value) for name, value in words.items()})


def _title(slide: Any) -> str:
    """A slide's title, where it is one paragraph with text."""
    title = slide.shapes.title
    if title is None or len(title.text_frame.paragraphs) != 1 or not title.text_frame.paragraphs[0].runs:
        return ""
    return str(title.text_frame.text).strip()


def _list_shapes(ground: DeckGround) -> Iterator[tuple[int, Any]]:
    """All shapes with their slides' numbers, those within groups too."""
    return ((number, shape) for number, slide in ground.list_slides() for shape in _flatten(slide.shapes))


def _flatten(shapes: Any) -> Iterator[Any]:
    for shape in shapes:
        yield shape
        if hasattr(shape, "shapes"):
            yield from _flatten(shape.shapes)


def _list_bodies(ground: DeckGround) -> Iterator[tuple[int, Any]]:
    """Lists of points: the one placeholder of a slide, beside its title, that has at least two paragraphs."""
    for number, slide in ground.list_slides():
        bodies = [
            shape
            for shape in slide.placeholders
            if shape != slide.shapes.title and shape.has_text_frame and len(shape.text_frame.paragraphs) > 1
        ]
        if len(bodies) == 1:
            yield number, bodies[0]


def _list_points(ground: DeckGround) -> Iterator[tuple[int, Any]]:
    """Points whose text stands only once in their list."""
    for number, body in _list_bodies(ground):
        paragraphs = body.text_frame.paragraphs
        texts = Counter(paragraph.text.strip() for paragraph in paragraphs)
        yield from ((number, each) for each in paragraphs if each.runs and texts[each.text.strip()] == 1)


def _set_text(paragraph: Any, text: str) -> None:
    """Put a text in the place of another, in the looks of its first run."""
    if not paragraph.runs:
        paragraph.text = text
        return
    first, *rest = paragraph.runs
    first.text = text
    for run in rest:
        run._r.getparent().remove(run._r)
