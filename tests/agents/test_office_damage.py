"""A damaged office document opens, has half of its content, and is damaged in the same way each time."""

from __future__ import annotations

import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from agents.teachers.office_damage import damage_document
from tests.agents.office_files import deck, letter, pack, workbook


@pytest.mark.parametrize(
    ("document", "part", "element", "left", "stays"),
    [
        (workbook(5), "xl/worksheets/sheet1.xml", "row", 2, "pageMargins"),
        (workbook(1), "xl/worksheets/sheet1.xml", "row", 0, "pageMargins"),
        (letter(4), "word/document.xml", "p", 2, "sectPr"),
        (deck(3), "ppt/slides/slide1.xml", "sp", 1, "grpSpPr"),
    ],
    ids=["workbook", "one row", "letter", "deck"],
)
def test_half_of_the_content_is_gone_and_the_rest_is_well_formed(
    tmp_path: Path, document: bytes, part: str, element: str, left: int, stays: str
) -> None:
    damaged = []
    for name in ("one", "two"):
        file = tmp_path / name
        file.write_bytes(document)
        assert damage_document(file)
        damaged.append(file.read_bytes())
    assert damaged[0] == damaged[1]
    with zipfile.ZipFile(tmp_path / "one") as opened:
        assert opened.testzip() is None
        root = ElementTree.fromstring(opened.read(part))
    names = [each.tag.rpartition("}")[2] for each in root.iter()]
    assert (names.count(element), names.count(stays)) == (left, 1)


def test_what_holds_no_content_is_left_to_be_cut_in_half(tmp_path: Path) -> None:
    file = tmp_path / "odd.xlsx"
    file.write_bytes(pack({"xl/workbook.xml": "<workbook/>"}))
    before = file.read_bytes()
    assert not damage_document(file)
    assert file.read_bytes() == before
