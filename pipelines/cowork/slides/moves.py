"""All operations on a deck, by name."""

from __future__ import annotations

from pipelines.cowork.slides import data_moves, slide_moves, text_moves
from pipelines.cowork.slides.ground import DeckOperation

OPERATIONS: dict[str, DeckOperation] = {
    "retitle": text_moves.retitle,
    "resize-title": text_moves.resize_title,
    "add-bullet": text_moves.add_bullet,
    "drop-bullet": text_moves.drop_bullet,
    "reword-bullet": text_moves.reword_bullet,
    "embolden": text_moves.embolden,
    "write-notes": text_moves.write_notes,
    "set-cell": data_moves.set_cell,
    "set-value": data_moves.set_value,
    "replace-word": text_moves.replace_word,
    "delete-slide": slide_moves.delete_slide,
    "move-slide": slide_moves.move_slide,
}
LAST = ("delete-slide", "move-slide")
"""After these slides have other numbers: they end a walk."""
