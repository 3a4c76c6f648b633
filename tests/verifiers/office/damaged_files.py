"""What can befall the file of a workbook or deck: each function takes the right one and gives the damaged one."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from typing import Any

import openpyxl

from crucible.documents import Office

COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""How encrypted files of today begin, too: they are wrapped in the old container."""
LINK = (
    b'<?xml version="1.0"?><externalLink xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
    b'<externalBook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="rId1"/>'
    b"</externalLink>"
)


async def save_by_suite(right: bytes, office: Office) -> bytes:
    return await office.recalculate(right)


async def save_as_xls(right: bytes, office: Office) -> bytes:
    return await office.convert(right, "xlsx", "xls")


async def save_as_text(right: bytes, office: Office) -> bytes:
    return await office.convert(right, "xlsx", "csv")


async def freeze_answers(right: bytes, office: Office) -> bytes:
    """Values in the place of the formulas."""
    shown = openpyxl.load_workbook(io.BytesIO(await office.recalculate(right)), data_only=True)["Overview"]
    book = openpyxl.load_workbook(io.BytesIO(right))
    for row in range(2, 6):
        book["Overview"][f"E{row}"] = shown[f"E{row}"].value
    return pack(book)


async def rebuild_from_values(right: bytes, office: Office) -> bytes:
    """Every sheet from what it shows, as a table library writes it; only the answers are formulas."""
    shown = openpyxl.load_workbook(io.BytesIO(await office.recalculate(right)), data_only=True)
    formulas = openpyxl.load_workbook(io.BytesIO(right))
    book = openpyxl.Workbook()
    book.remove(book.active)
    for sheet in shown.worksheets:
        copy = book.create_sheet(sheet.title)
        for values in sheet.iter_rows(values_only=True):
            copy.append(values)
    for row in range(2, 6):
        book["Overview"][f"E{row}"] = formulas["Overview"][f"E{row}"].value
    return pack(book)


async def forge_cache(right: bytes, office: Office) -> bytes:
    """A wrong formula that claims to have come to something else."""
    calculated = await office.recalculate(right)
    pattern = rb'(<c r="E2"[^>]*><f[^>]*>[^<]*</f>)<v>[^<]*</v>'
    return rewrite(calculated, lambda name, content: re.sub(pattern, rb"\1<v>0.25</v>", content))


async def empty(right: bytes, office: Office) -> bytes:
    return b""


async def truncate(right: bytes, office: Office) -> bytes:
    return right[: len(right) // 2]


async def encrypt(right: bytes, office: Office) -> bytes:
    return COMPOUND + bytes(600) + right


async def add_macro(right: bytes, office: Office) -> bytes:
    return add_part(right, "xl/vbaProject.bin", b"x")


async def add_external_link(right: bytes, office: Office) -> bytes:
    return add_part(right, "xl/externalLinks/externalLink1.xml", LINK)


async def add_bomb(right: bytes, office: Office) -> bytes:
    return add_part(right, "xl/media/zeros.bin", bytes(200 << 20))


async def add_entities(right: bytes, office: Office) -> bytes:
    return add_part(right, "xl/extra.xml", b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bbbb">]><a>&b;&b;&b;</a>')


async def fill_all_rows(right: bytes, office: Office) -> bytes:
    """A value in every row that a sheet has, in three columns."""
    rows = b"".join(
        b'<row r="%d"><c r="A%d"><v>1</v></c><c r="B%d"><v>2</v></c><c r="C%d"><v>3</v></c></row>' % (n, n, n, n)
        for n in range(1, 1_048_577)
    )
    pattern = rb"<sheetData>.*</sheetData>"

    def fill(name: str, content: bytes) -> bytes:
        if name != "xl/worksheets/sheet4.xml":
            return content
        return re.sub(pattern, lambda match: b"<sheetData>" + rows + b"</sheetData>", content, flags=re.DOTALL)

    return rewrite(right, fill)


async def repaint_theme(right: bytes, office: Office) -> bytes:
    """A deck whose theme has another first colour."""
    pattern = rb'(<a:accent1>\s*<a:srgbClr val=")[0-9A-Fa-f]{6}'
    return rewrite(right, lambda name, content: re.sub(pattern, rb"\g<1>C0FFEE", content), "ppt/theme/theme")


def pack(book: Any) -> bytes:
    packed = io.BytesIO()
    book.save(packed)
    return packed.getvalue()


def add_part(workbook: bytes, name: str, content: bytes) -> bytes:
    packed = io.BytesIO(workbook)
    with zipfile.ZipFile(packed, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return packed.getvalue()


def rewrite(document: bytes, change: Callable[[str, bytes], bytes], where: str = "xl/worksheets/sheet") -> bytes:
    """The document with other bytes in its sheets, or in the parts whose names begin so."""
    packed = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(document)) as before,
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as after,
    ):
        for part in before.namelist():
            content = before.read(part)
            after.writestr(part, change(part, content) if part.startswith(where) else content)
    return packed.getvalue()
