"""The stage `derive` for documents: a page in several forms, and the workbook that is to be rebuilt from it."""

from __future__ import annotations

import asyncio
import textwrap
from collections.abc import Sequence
from typing import Any

import openpyxl
from openpyxl.utils import get_column_letter

from crucible.collecting import Dropped
from crucible.documents import Office
from crucible.domains.office.sheets.labelled import LabelledTable
from crucible.errors import DocumentFailed, Rejected
from crucible.mining import MiningContext
from crucible.record import Record
from pipelines.cowork.documents.model import Document, Form, Reconstruction
from pipelines.cowork.documents.reading import Block, read_blocks, read_tables
from pipelines.cowork.settings import CoworkSettings
from pipelines.cowork.workbooks.walks import pack

WIDTH = 96
"""Of the text form, in characters."""
DATE_FORMAT = "yyyy-mm-dd"


async def rebuild_tables(document: Document, context: MiningContext) -> Sequence[Record]:
    """The document in each form, always with the same right workbook."""
    page = await asyncio.to_thread(context.blobs.get, document.page)
    blocks = read_blocks(page)
    tables = read_tables(blocks)
    gold = context.blobs.put(await asyncio.to_thread(build_workbook, tables))
    found: list[Record] = []
    for form in context.section(CoworkSettings).forms:
        work = Reconstruction(document=document, form=form, shown=document.page, gold=gold, tables=tables)
        try:
            shown = await _write_form(form, page, blocks, context)
            found.append(work.model_copy(update={"shown": context.blobs.put(shown)}))
        except DocumentFailed as fault:
            if fault.late:
                raise
            found.append(Dropped(record=work, reason="not_printable", detail=str(fault)))
    return found


async def _write_form(form: Form, page: bytes, blocks: Sequence[Block], context: MiningContext) -> bytes:
    """The page as it is, as text, or printed by the office suite."""
    if form == "html":
        return page
    if form == "txt":
        return write_text(blocks).encode()
    office: Office = await context.services.get("office")
    return await office.convert(page, "html", form)


def write_text(blocks: Sequence[Block]) -> str:
    """The page as plain text: paragraphs wrapped, tables in columns."""
    parts = [_write_table(block) if block.rows else textwrap.fill(block.text, WIDTH) for block in blocks]
    return "\n\n".join(parts) + "\n"


def _write_table(block: Block) -> str:
    widths = [max(map(len, column)) for column in zip(*block.rows, strict=True)]
    lines = ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip() for row in block.rows]
    rule = "-" * max(map(len, lines))
    return "\n".join([block.caption, rule, lines[0], rule, *lines[1:]])


def build_workbook(tables: Sequence[LabelledTable]) -> bytes:
    """A sheet for each table, named by its title, with formulas for totals."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for table in tables:
        _write_sheet(book.create_sheet(_require_sheet_name(table.title)), table)
    return pack(book)


def _require_sheet_name(title: str) -> str:
    if set(title) & set("[]:*?/\\'"):
        raise Rejected("title_is_no_sheet_name", title)
    return title


def _write_sheet(page: Any, table: LabelledTable) -> None:
    page.append(list(table.headers))
    for row in table.rows:
        page.append(list(row))
    for column, kind in enumerate(table.kinds, start=1):
        for number in range(2, len(table.rows) + 2) if kind == "date" else ():
            page.cell(number, column).number_format = DATE_FORMAT
    if table.total:
        bottom = len(table.rows) + 2
        page.cell(bottom, 1).value = table.total
        for header in table.totals:
            column = table.headers.index(header) + 1
            letters = get_column_letter(column)
            page.cell(bottom, column).value = f"=SUM({letters}2:{letters}{bottom - 1})"
