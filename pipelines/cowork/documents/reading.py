"""Tables and paragraphs of an HTML page, with cells as the numbers, dates and texts that they show."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from lxml import html
from openpyxl.utils.datetime import to_excel

from crucible.domains.office.sheets.comparing import are_same
from crucible.domains.office.sheets.labelled import LabelledTable, add_up, plain
from crucible.errors import Rejected

MISSING = {"", "-", "–", "—", "n/a"}
NUMBER = re.compile(r"(?:[€£$]|EUR|GBP|USD)?\s*(\(?)([-+]?\d[\d,]*(?:\.\d+)?)(\)?)\s*(%?)")
# matches: 1,234.50  (310)  12.5%  € 80
DATES = ("%Y-%m-%d", "%d %B %Y", "%d %b %Y", "%B %d, %Y")
LONGEST_TITLE = 31
"""Of a sheet: workbook programs allow no more."""
FEWEST_ROWS = 3
MOST_CELLS = 20_000

Kind = Literal["text", "number", "date"]


class Block(NamedTuple):
    """A paragraph, a heading, or a table as it is shown."""

    text: str = ""
    rows: tuple[tuple[str, ...], ...] = ()
    caption: str = ""


def read_blocks(page: bytes) -> list[Block]:
    """What the page shows, from top to bottom."""
    if not page.strip():
        raise Rejected("unreadable_document", "it is empty")
    blocks = []
    for element in html.fromstring(page).iter("h1", "h2", "h3", "p", "table"):
        if element.tag == "table":
            caption = element.find("caption")
            rows = tuple(tuple(_show(cell) for cell in row.iter("th", "td")) for row in element.iter("tr"))
            blocks.append(Block(rows=rows, caption=_show(caption) if caption is not None else ""))
        elif text := _show(element):
            blocks.append(Block(text=text))
    return blocks


def _show(element: html.HtmlElement) -> str:
    return " ".join(element.text_content().split())


def read_tables(blocks: Sequence[Block]) -> tuple[LabelledTable, ...]:
    """The tables of a page. Rejected where one is not plain, or does not add up."""
    found = tuple(read_table(block) for block in blocks if block.rows)
    if not found:
        raise Rejected("no_table", "the page has none")
    if len({plain(table.title) for table in found}) < len(found):
        raise Rejected("titles_not_unique", ", ".join(table.title for table in found))
    return found


def read_table(block: Block) -> LabelledTable:
    """A table whose labels tell its rows apart, with totals that add up."""
    headers, *body = block.rows
    _require_plain(block, headers, body)
    rows = [row for row in body if not plain(row[0]).startswith("total")]
    summed = [row for row in body if plain(row[0]).startswith("total")]
    kinds: tuple[Kind, ...] = ("text", *(_find_kind(column) for column in list(zip(*rows, strict=True))[1:]))
    table = LabelledTable(
        title=block.caption[:LONGEST_TITLE].strip(),
        headers=headers,
        kinds=kinds,
        rows=tuple((row[0], *map(read_cell, row[1:], kinds[1:])) for row in rows),
        total=summed[0][0] if summed else "",
        totals=tuple(_list_totals(headers, kinds, summed)),
    )
    _require_totals(table, headers, summed)
    return table


def _require_plain(block: Block, headers: Sequence[str], body: Sequence[Sequence[str]]) -> None:
    labels = [plain(row[0]) for row in body if row]
    if any(len(row) != len(headers) for row in body):
        raise Rejected("uneven_table", "its rows differ in length")
    if len(body) < FEWEST_ROWS or len(headers) < 2 or len(body) * len(headers) > MOST_CELLS:
        raise Rejected("table_size", f"{len(body)} rows, {len(headers)} columns")
    if not block.caption or not all(headers) or len(set(map(plain, headers))) < len(headers):
        raise Rejected("unlabelled_table", "it has no caption, or headers are missing or alike")
    if not all(labels) or len(set(labels)) < len(labels) or sum(label.startswith("total") for label in labels) > 1:
        raise Rejected("labels_not_unique", "rows have no label, or the same one")


def _find_kind(column: Sequence[str]) -> Kind:
    """What all cells of a column are that are not empty."""
    known = [cell for cell in column if cell.lower() not in MISSING]
    if known and all(NUMBER.fullmatch(cell) for cell in known):
        return "number"
    return "date" if known and all(_read_date(cell) is not None for cell in known) else "text"


def read_cell(cell: str, kind: Kind) -> float | str | None:
    """What a cell shows; None for what is not known."""
    if cell.lower() in MISSING:
        return None
    if kind == "text":
        return cell
    return _read_date(cell) if kind == "date" else _read_number(cell)


def _read_number(cell: str) -> float:
    matched = NUMBER.fullmatch(cell)
    if matched is None:
        raise Rejected("not_a_number", cell)
    number = float(matched[2].replace(",", "")) / (100 if matched[4] else 1)
    return -number if matched[1] else number


def _read_date(cell: str) -> float | None:
    for form in DATES:
        try:
            return float(to_excel(datetime.datetime.strptime(cell, form)))
        except ValueError:
            continue
    return None


def _list_totals(headers: Sequence[str], kinds: Sequence[Kind], summed: Sequence[Sequence[str]]) -> Iterator[str]:
    """The headers of number columns that have a total."""
    for row in summed:
        for header, kind, cell in zip(headers, kinds, row, strict=True):
            if kind == "number" and cell.lower() not in MISSING:
                yield header


def _require_totals(table: LabelledTable, headers: Sequence[str], summed: Sequence[Sequence[str]]) -> None:
    """What is printed as a total is one: a document that does not add up leaves two answers."""
    for header, total in add_up(table).items():
        shown = _read_number(summed[0][list(headers).index(header)])
        if not are_same(round(total, 6), shown):
            raise Rejected("total_does_not_add_up", f"{table.title}, {header}: {total:.10g}, printed is {shown:.10g}")
