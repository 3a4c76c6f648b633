"""A deck in the middle of a walk, and what operations find and change in it."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from pipelines.cowork.model import Move


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


@cache
def read_texts() -> dict[str, list[str]]:
    """Texts that are written into decks (`texts.toml`)."""
    facts: dict[str, list[str]] = tomllib.loads(Path(__file__).with_name("texts.toml").read_text(encoding="utf-8"))
    return facts


def make_move(operation: str, **words: Any) -> Move:
    return Move(operation=operation, phrase=operation, words={name: str(value) for name, value in words.items()})


def read_title(slide: Any) -> str:
    """A slide's title, where it is one paragraph with text."""
    title = slide.shapes.title
    if title is None or len(title.text_frame.paragraphs) != 1 or not title.text_frame.paragraphs[0].runs:
        return ""
    return str(title.text_frame.text).strip()


def list_shapes(ground: DeckGround) -> Iterator[tuple[int, Any]]:
    """All shapes with their slides' numbers, those within groups too."""
    return ((number, shape) for number, slide in ground.list_slides() for shape in _flatten(slide.shapes))


def _flatten(shapes: Any) -> Iterator[Any]:
    for shape in shapes:
        yield shape
        if hasattr(shape, "shapes"):
            yield from _flatten(shape.shapes)


def list_bodies(ground: DeckGround) -> Iterator[tuple[int, Any]]:
    """Lists of points: the one placeholder of a slide, beside its title, that has at least two paragraphs."""
    for number, slide in ground.list_slides():
        bodies = [
            shape
            for shape in slide.placeholders
            if shape != slide.shapes.title and shape.has_text_frame and len(shape.text_frame.paragraphs) > 1
        ]
        if len(bodies) == 1:
            yield number, bodies[0]


def list_points(ground: DeckGround) -> Iterator[tuple[int, Any]]:
    """Points whose text stands only once in their list."""
    for number, body in list_bodies(ground):
        paragraphs = body.text_frame.paragraphs
        texts = Counter(paragraph.text.strip() for paragraph in paragraphs)
        yield from ((number, each) for each in paragraphs if each.runs and texts[each.text.strip()] == 1)


def set_text(paragraph: Any, text: str) -> None:
    """Put a text in the place of another, in the looks of its first run."""
    if not paragraph.runs:
        paragraph.text = text
        return
    first, *rest = paragraph.runs
    first.text = text
    for run in rest:
        run._r.getparent().remove(run._r)
