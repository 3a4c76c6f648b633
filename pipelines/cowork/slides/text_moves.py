"""Operations on the words of a deck: titles, lists, notes."""

from __future__ import annotations

from collections import Counter

from pptx.util import Pt

from pipelines.cowork.model import Move
from pipelines.cowork.slides.ground import (
    DeckGround,
    list_bodies,
    list_points,
    list_shapes,
    make_move,
    read_texts,
    read_title,
    set_text,
)

TITLE_SIZES = (28, 32, 36, 44)
LEAST_WORD = 5
"""How long a word must be that is replaced throughout."""


def retitle(ground: DeckGround) -> Move | None:
    """Give a slide another title."""
    chosen = ground.choose([(number, slide) for number, slide in ground.list_slides() if read_title(slide)])
    if not chosen:
        return None
    number, slide = chosen
    old, new = slide.shapes.title.text_frame.text, ground.draw.choice(read_texts()["titles"])
    set_text(slide.shapes.title.text_frame.paragraphs[0], new)
    return make_move("retitle", number=number, old=old, new=new)


def resize_title(ground: DeckGround) -> Move | None:
    """Set the size of a title's letters."""
    chosen = ground.choose([(number, slide) for number, slide in ground.list_slides() if read_title(slide)])
    if not chosen:
        return None
    number, slide = chosen
    runs = slide.shapes.title.text_frame.paragraphs[0].runs
    size = ground.draw.choice([size for size in TITLE_SIZES if any(run.font.size != Pt(size) for run in runs)])
    for run in runs:
        run.font.size = Pt(size)
    return make_move("resize-title", number=number, size=size)


def add_bullet(ground: DeckGround) -> Move | None:
    """Add a last point to a list."""
    chosen = ground.choose(list(list_bodies(ground)))
    if not chosen:
        return None
    number, body = chosen
    new = ground.draw.choice(read_texts()["points"])
    body.text_frame.add_paragraph().text = new
    return make_move("add-bullet", number=number, new=new)


def drop_bullet(ground: DeckGround) -> Move | None:
    """Take one point from a list."""
    chosen = ground.choose(list(list_points(ground)))
    if not chosen:
        return None
    number, paragraph = chosen
    old = paragraph.text
    paragraph._p.getparent().remove(paragraph._p)
    return make_move("drop-bullet", number=number, old=old)


def reword_bullet(ground: DeckGround) -> Move | None:
    """Put another text in the place of a point."""
    chosen = ground.choose(list(list_points(ground)))
    if not chosen:
        return None
    number, paragraph = chosen
    old, new = paragraph.text, ground.draw.choice(read_texts()["points"])
    set_text(paragraph, new)
    return make_move("reword-bullet", number=number, old=old, new=new)


def embolden(ground: DeckGround) -> Move | None:
    """Set a point in bold letters."""
    plain = [(n, each) for n, each in list_points(ground) if not any(run.font.bold for run in each.runs)]
    chosen = ground.choose(plain)
    if not chosen:
        return None
    number, paragraph = chosen
    for run in paragraph.runs:
        run.font.bold = True
    return make_move("embolden", number=number, old=paragraph.text)


def write_notes(ground: DeckGround) -> Move | None:
    """Write the speaker's notes of a slide that has none."""
    bare = [(n, slide) for n, slide in ground.list_slides() if not slide.has_notes_slide]
    chosen = ground.choose(bare)
    if not chosen:
        return None
    number, slide = chosen
    new = ground.draw.choice(read_texts()["notes"])
    slide.notes_slide.notes_text_frame.text = new
    return make_move("write-notes", number=number, new=new)


def replace_word(ground: DeckGround) -> Move | None:
    """Replace a word wherever it stands on the slides."""
    runs = [run for _, shape in list_shapes(ground) if shape.has_text_frame
            for paragraph in shape.text_frame.paragraphs for run in paragraph.runs]  # fmt: skip
    words = Counter(word for run in runs for word in run.text.split() if word.isalpha() and len(word) >= LEAST_WORD)
    old = ground.choose(sorted(word for word, count in words.items() if count > 1))
    if not old:
        return None
    new = ground.draw.choice(read_texts()["words"])
    for run in runs:
        run.text = run.text.replace(old, new)
    return make_move("replace-word", old=old, new=new)
