"""Tables are read off pages with the kinds of their values; what leaves two answers is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from crucible.errors import Rejected
from pipelines.cowork.documents.building import write_text
from pipelines.cowork.documents.reading import read_blocks, read_tables

SAMPLES = Path("sample_data/cowork/documents")


def test_numbers_dates_percentages_and_gaps_are_read_as_what_they_are() -> None:
    spending, seed = read_tables(read_blocks((SAMPLES / "grant-report.html").read_bytes()))
    assert spending.rows[3] == ("Mill Reach", "B. Osei", 4150.0, -320.0, None)
    assert spending.rows[0][4] == pytest.approx(0.974)
    assert (spending.total, spending.totals) == ("Total", ("Planned", "Spent"))
    assert seed.kinds == ("text", "date", "text", "number", "number")
    assert seed.rows[0][1] == 44999.0  # 14 March 2023


def test_the_text_form_shows_every_cell() -> None:
    blocks = read_blocks((SAMPLES / "standing-orders.html").read_bytes())
    text = write_text(blocks)
    assert all(cell in text for block in blocks for row in block.rows for cell in row)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (["Hire|1,240.00", "Sale|386.50", "Total|1,700.00"], "total_does_not_add_up"),
        (["Hire|1", "Hire|2", "Sale|3"], "labels_not_unique"),
        (["Hire|1|2", "Sale|2", "Gift|3"], "uneven_table"),
        (["Hire|1"], "table_size"),
    ],
)
def test_a_table_that_leaves_no_one_answer_is_refused(rows: list[str], reason: str) -> None:
    lines = "".join(f"<tr><td>{row.replace('|', '</td><td>')}</td></tr>" for row in ["Source|Amount", *rows])
    with pytest.raises(Rejected, match=reason):
        read_tables(read_blocks(f"<table><caption>Receipts</caption>{lines}</table>".encode()))


@pytest.mark.parametrize(("page", "reason"), [(b"", "unreadable_document"), (b"<p>nothing here</p>", "no_table")])
def test_a_page_without_tables_is_refused(page: bytes, reason: str) -> None:
    with pytest.raises(Rejected, match=reason):
        read_tables(read_blocks(page))
