"""Decks without the layouts that no slide has, as they are printed."""

from __future__ import annotations

import runpy
import zipfile
from pathlib import Path

from pptx import Presentation

drop_unused_layouts = runpy.run_path("services/office/box/slim_deck.py")["drop_unused_layouts"]


def make_deck(path: Path, *layouts: int) -> Path:
    deck = Presentation()
    for number in layouts:
        deck.slides.add_slide(deck.slide_layouts[number]).shapes.title.text = f"Layout {number}"
    deck.save(str(path))
    return path


def list_layouts(path: Path) -> list[str]:
    """Those that the master leads to."""
    with zipfile.ZipFile(path) as deck:
        [name] = [name for name in deck.namelist() if name.startswith("ppt/slideMasters/_rels/")]
        text = deck.read(name).decode()
    return sorted(part.partition('"')[0] for part in text.split("slideLayouts/")[1:])


def test_only_layouts_of_slides_stay(tmp_path: Path) -> None:
    source, slim = make_deck(tmp_path / "in.pptx", 1, 5, 1), tmp_path / "slim.pptx"
    assert drop_unused_layouts(source, slim)
    assert list_layouts(slim) == ["slideLayout2.xml", "slideLayout6.xml"]
    assert len(list_layouts(source)) == 11
    with zipfile.ZipFile(source) as before, zipfile.ZipFile(slim) as after:
        assert before.namelist() == after.namelist()


def test_a_master_without_slides_keeps_a_layout(tmp_path: Path) -> None:
    source, slim = make_deck(tmp_path / "in.pptx"), tmp_path / "slim.pptx"
    assert drop_unused_layouts(source, slim)
    assert len(list_layouts(slim)) == 1


def test_what_is_no_deck_is_left_to_the_suite(tmp_path: Path) -> None:
    (tmp_path / "in.pptx").write_bytes(b"PK no deck")
    assert not drop_unused_layouts(tmp_path / "in.pptx", tmp_path / "slim.pptx")
