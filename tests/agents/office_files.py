"""Small office documents with all that their readers insist on, and parts that only a part of them knows."""

from __future__ import annotations

import io
import zipfile

SHEETS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
WORDS = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
SLIDES = "http://schemas.openxmlformats.org/presentationml/2006/main"


def workbook(rows: int) -> bytes:
    """A workbook with a number in each row."""
    cells = "".join(f'<row r="{n}"><c r="A{n}"><v>{n}</v></c></row>' for n in range(1, rows + 1))
    sheet = f'<worksheet xmlns="{SHEETS}"><sheetData>{cells}</sheetData><pageMargins left="1"/></worksheet>'
    return pack({"xl/workbook.xml": f'<workbook xmlns="{SHEETS}"/>', "xl/worksheets/sheet1.xml": sheet})


def letter(paragraphs: int) -> bytes:
    """A text document; its last element, which says what a page is, belongs to no paragraph."""
    text = "".join(f"<w:p><w:r><w:t>{n}</w:t></w:r></w:p>" for n in range(paragraphs))
    body = f'<w:document xmlns:w="{WORDS}"><w:body>{text}<w:sectPr><w:pgSz/></w:sectPr></w:body></w:document>'
    return pack({"word/document.xml": body})


def deck(shapes: int) -> bytes:
    """A presentation of one slide."""
    drawn = "".join(f'<p:sp><p:nvSpPr><p:cNvPr id="{n}"/></p:nvSpPr></p:sp>' for n in range(shapes))
    tree = f"<p:spTree><p:nvGrpSpPr/><p:grpSpPr/>{drawn}</p:spTree>"
    return pack({"ppt/slides/slide1.xml": f'<p:sld xmlns:p="{SLIDES}"><p:cSld>{tree}</p:cSld></p:sld>'})


def pack(parts: dict[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as document:
        for name, text in parts.items():
            document.writestr(zipfile.ZipInfo(name), text)
    return buffer.getvalue()
